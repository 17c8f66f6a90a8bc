import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { collect, readNamedFile } from "../../src/system/byte-stream.ts";
import { describeFileProblem, FileProblem, fileExists } from "../../src/system/file-reading.ts";
import { folderWith, namedPipe } from "../support/folder.ts";

const never = new AbortController().signal;
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** A stream that gives these parts and, unless it is to end, nothing more. */
function streamOf(parts: readonly string[], ends = true): Readable {
  const stream = new Readable({ read() {} });
  for (const part of parts) stream.push(part);
  if (ends) stream.push(null);
  return stream;
}

describe("a stream is collected", () => {
  test("to its end", async () => {
    expect(text(await collect(streamOf(["ab", "cd"]), 4, never))).toBe("abcd");
  });

  test("up to the limit, and is let go of beyond", async () => {
    const stream = streamOf(["ab", "cde"], false);
    await expect(collect(stream, 4, never)).rejects.toMatchObject({ name: "FileProblem", code: "TOO_LARGE" });
    expect(stream.destroyed).toBe(true);
  });

  test("until an interruption, whose reason is passed on as it is", async () => {
    const controller = new AbortController();
    const collecting = collect(streamOf(["ab"], false), 4, controller.signal);
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(collecting).rejects.toBe(reason);
    await expect(collect(streamOf(["ab"]), 4, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test("and an error of the system is a FileProblem", async () => {
    const stream = streamOf([], false);
    stream.destroy(Object.assign(new Error("no"), { code: "EIO" }));
    await expect(collect(stream, 4, never)).rejects.toMatchObject({ name: "FileProblem", code: "EIO" });
  });
});

describe("a file that the user names", () => {
  test("may be a pipe, whose writer is waited for", async () => {
    const pipe = namedPipe();
    const reading = readNamedFile(pipe, 10, never);
    execFileSync("sh", ["-c", 'printf late >"$0"', pipe]);
    expect(text(await reading)).toBe("late");
  });

  test("may be a device, up to the limit", async () => {
    expect(await readNamedFile("/dev/null", 10, never)).toHaveLength(0);
    await expect(readNamedFile("/dev/zero", 10, never)).rejects.toMatchObject({
      code: "TOO_LARGE",
    });
  });

  test("may be no folder", async () => {
    await expect(readNamedFile("/", 10, never)).rejects.toMatchObject({ code: "EISDIR" });
  });
});

test("a link in a loop leads to no file, and a broken link exists", () => {
  const folder = folderWith();
  symlinkSync("circle", join(folder, "circle"));
  expect(fileExists(join(folder, "circle"))).toBe(true);
  expect(fileExists(join(folder, "circle", "file"))).toBe(false);
  expect(fileExists(join(folder, "missing"))).toBe(false);
});

test.each([
  ["ENOENT", "does not exist"],
  ["ENOTDIR", "does not exist"],
  ["EACCES", "cannot be read: permission denied"],
  ["EPERM", "cannot be read: permission denied"],
  ["EISDIR", "is a folder, not a file"],
  ["ELOOP", "is a symbolic link that leads back to itself"],
  ["NOT_REGULAR", "is not a regular file"],
  ["ENXIO", "is not a regular file"],
  ["TOO_LARGE", "is too large"],
  ["EIO", "cannot be read (EIO)"],
])("a file that is not read because of %s %s", (code, problem) => {
  expect(describeFileProblem(new FileProblem(code))).toBe(problem);
});
