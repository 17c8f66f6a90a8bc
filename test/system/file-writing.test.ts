import { execFileSync } from "node:child_process";
import fs, {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { openTarget, removeFile, writeFile } from "../../src/system/file-writing.ts";
import { folderWith, namedPipe } from "../support/folder.ts";

const never = new AbortController().signal;
const write = (path: string, content: string, interrupted = never): Promise<void> =>
  writeFile(path, [content], interrupted, 0o666);

/** A named pipe that somebody has open, and reads when told. */
function readPipe() {
  const pipe = namedPipe();
  const descriptor = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const read = () => text(new Socket({ fd: descriptor, readable: true, writable: false }));
  return { pipe, read, leave: () => closeSync(descriptor) };
}

/** A link to this path, in a folder of its own. */
function linkTo(target: string): string {
  const link = join(folderWith(), "link");
  symlinkSync(target, link);
  return link;
}

const moreThanAPipeHolds = "0123456789".repeat(100_000);

test("replaces a file, which keeps its mode, and leaves nothing beside it", async () => {
  const folder = folderWith({ report: "old and longer" });
  const file = join(folder, "report");
  await write(file, "new");
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["new", 0o600]);
  expect(readdirSync(folder)).toEqual(["report"]);
});

test.each([
  ["a folder", "EISDIR", () => join(folderWith({ "report/inside": "" }), "report")],
  ["a named pipe that nobody reads, which is not waited for", "ENXIO", namedPipe],
  ["links that lead back to themselves", "ELOOP", () => linkTo("link")],
])("writing to %s is a FileProblem, and leaves nothing beside it", async (_, code, pathOf) => {
  const path = pathOf();
  await expect(write(path, "new")).rejects.toThrow(expect.objectContaining({ name: "FileProblem", code }));
  expect(readdirSync(dirname(path))).toEqual([basename(path)]);
});

test("adds to the end of a file, and to a folder is a FileProblem", async () => {
  const folder = folderWith({ summary: "a" });
  const { write: append, close } = openTarget(join(folder, "summary"), true);
  await append(["b"], never);
  close();
  expect(readFileSync(join(folder, "summary"), "utf8")).toBe("ab");
  expect(() => openTarget(folder, true)).toThrow(expect.objectContaining({ code: "EISDIR" }));
});

test("writes to a named pipe, which stays one, and opens it once: between two writers its reader would find the end", async () => {
  const opening = vi.spyOn(fs, "openSync");
  const writing = vi.spyOn(fs, "writeFileSync");
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  const { pipe, read } = readPipe();
  opening.mockClear();
  await write(pipe, "report");
  expect([opening.mock.calls.length, writing.mock.calls.length]).toEqual([1, 0]);
  expect(statSync(pipe).isFIFO()).toBe(true);
  expect(await read()).toBe("report");
});

test("a reader that is slower than the writer gets all of it", async () => {
  const { pipe, read } = readPipe();
  const writing = write(pipe, moreThanAPipeHolds);
  expect(await read()).toBe(moreThanAPipeHolds);
  await writing;
});

test.each([
  ["an interruption ends waiting for a slow reader", "abort", new Error("interrupted")],
  ["a reader that leaves is a FileProblem", "leave", expect.objectContaining({ code: "EPIPE" })],
])("%s", async (_, event, error) => {
  const { pipe, leave } = readPipe();
  const interruption = new AbortController();
  const writing = write(pipe, moreThanAPipeHolds, interruption.signal);
  if (event === "leave") leave();
  else interruption.abort(error);
  await expect(writing).rejects.toThrow(error);
  if (event !== "leave") leave();
});

test.each(["target", "missing"])("writes through a link to %s, which stays one", async (target) => {
  const folder = folderWith({ target: "old and longer" });
  symlinkSync(target, join(folder, "link"));
  await write(join(folder, "link"), "new");
  expect(readFileSync(join(folder, target), "utf8")).toBe("new");
  expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
  expect(readdirSync(folder).toSorted()).toEqual(["link", ...new Set([target, "target"])].toSorted());
});

test("a link of /proc to a pipe is written into", async () => {
  const { pipe, read } = readPipe();
  const descriptor = openSync(pipe, constants.O_WRONLY);
  await write(linkTo(`/proc/self/fd/${descriptor}`), "report");
  closeSync(descriptor);
  expect(await read()).toBe("report");
});

test("what stands in the way of the temporary file is neither written nor removed", async () => {
  const folder = folderWith({ report: "old", elsewhere: "kept" });
  symlinkSync("elsewhere", join(folder, `report.${process.pid}.tmp`));
  const exists = expect.objectContaining({ code: "EEXIST" });
  await expect(write(join(folder, "report"), "new")).rejects.toThrow(exists);
  const contents = ["elsewhere", "report"].map((name) => readFileSync(join(folder, name), "utf8"));
  expect(contents).toEqual(["kept", "old"]);
  expect(readdirSync(folder)).toHaveLength(3);
});

test("/dev/stdout is where standard output goes, at the place that it has come to", () => {
  const folder = folderWith({ log: "before\n" });
  const { href } = new URL("../../src/system/file-writing.ts", import.meta.url);
  const script = `import { writeFile } from ${JSON.stringify(href)};
    await writeFile("/dev/stdout", ["report\\n"], new AbortController().signal, 0o666); process.stdout.write("after\\n");`;
  const words = ['"$0" --input-type=module -e "$1" >> log', process.execPath, script];
  execFileSync("sh", ["-c", ...words], { cwd: folder });
  expect(readFileSync(join(folder, "log"), "utf8")).toBe("before\nreport\nafter\n");
});

test("a link to an open file that was deleted, as /dev/stdin can be, is neither replaced nor removed", async () => {
  const folder = folderWith({ deleted: "" });
  const descriptor = openSync(join(folder, "deleted"), "r+");
  onTestFinished(() => closeSync(descriptor));
  rmSync(join(folder, "deleted"));
  const link = join(folder, "link");
  symlinkSync(`/proc/self/fd/${descriptor}`, link);

  await write(link, "text").catch(() => {});
  removeFile(link);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});
