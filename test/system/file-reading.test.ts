import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { byteStreamOf, collect, readNamedFile } from "../../src/system/byte-stream.ts";
import { fileExists } from "../../src/system/file-reading.ts";
import { folderWith, namedPipe } from "../support/folder.ts";

const never = new AbortController().signal;
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const problem = (code: string) => expect.objectContaining({ name: "FileProblem", code });

/** A stream that gives these parts and, unless it is to end, nothing more. */
function streamOf(parts: readonly string[], ends = true): Readable {
  const stream = new Readable({ read() {} });
  for (const part of parts) stream.push(part);
  if (ends) stream.push(null);
  return stream;
}

test("a stream is collected to its end, up to the limit, and is let go of beyond", async () => {
  expect(text(await collect(byteStreamOf(streamOf(["ab", "cd"]), never), 4))).toBe("abcd");
  const stream = streamOf(["ab", "cde"], false);
  await expect(collect(byteStreamOf(stream, never), 4)).rejects.toThrow(problem("TOO_LARGE"));
  expect(stream.destroyed).toBe(true);
});

test("a stream is collected until an interruption, whose reason is passed on as it is", async () => {
  const controller = new AbortController();
  const collecting = collect(byteStreamOf(streamOf(["ab"], false), controller.signal), 4);
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(collecting).rejects.toBe(reason);
  await expect(collect(byteStreamOf(streamOf(["ab"]), AbortSignal.abort(reason)), 4)).rejects.toBe(reason);
});

test("an error of the system is a FileProblem", async () => {
  const stream = streamOf([], false);
  stream.destroy(Object.assign(new Error("no"), { code: "EIO" }));
  await expect(collect(byteStreamOf(stream, never), 4)).rejects.toThrow(problem("EIO"));
});

test("a file that the user names may be a pipe, whose writer is waited for", async () => {
  const pipe = namedPipe();
  const reading = readNamedFile(pipe, 10, never);
  execFileSync("sh", ["-c", 'printf late >"$0"', pipe]);
  expect(text((await reading).bytes)).toBe("late");
});

test("a file that the user names has at most as many bytes as its limit, may be a device, and no folder", async () => {
  const file = join(folderWith({ file: "1234" }), "file");
  expect(text((await readNamedFile(file, 4, never)).bytes)).toBe("1234");
  await expect(readNamedFile(file, 3, never)).rejects.toThrow(problem("TOO_LARGE"));
  expect((await readNamedFile("/dev/null", 10, never)).bytes).toHaveLength(0);
  await expect(readNamedFile("/dev/zero", 10, never)).rejects.toThrow(problem("TOO_LARGE"));
  await expect(readNamedFile("/", 10, never)).rejects.toThrow(problem("EISDIR"));
});

test("a link in a loop leads to no file, and a broken link exists", () => {
  const folder = folderWith();
  symlinkSync("circle", join(folder, "circle"));
  const exist = ["circle", "circle/file", "missing"].map((name) => fileExists(join(folder, name)));
  expect(exist).toEqual([true, false, false]);
});
