import { execFileSync, spawn } from "node:child_process";
import fs, {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { appendFile, writeFile } from "../../src/system/file-writing.ts";
import { folderWith, namedPipe } from "../support/folder.ts";

const never = new AbortController().signal;
const write = (path: string, content: string, interrupted = never): Promise<void> =>
  writeFile(path, [content], interrupted);

/** A named pipe that somebody has open, and reads when told. */
function readPipe(): {
  readonly pipe: string;
  readonly read: () => Promise<string>;
  readonly leave: () => void;
} {
  const pipe = namedPipe();
  const descriptor = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const read = () => text(new Socket({ fd: descriptor, readable: true, writable: false }));
  return { pipe, read, leave: () => closeSync(descriptor) };
}

const moreThanAPipeHolds = "0123456789".repeat(100_000);

test("replaces a file and leaves nothing beside it", async () => {
  const folder = folderWith({ report: "old and longer" });
  await write(join(folder, "report"), "new");
  expect(readFileSync(join(folder, "report"), "utf8")).toBe("new");
  expect(readdirSync(folder)).toEqual(["report"]);
});

test("over a folder is a FileProblem, and leaves nothing beside it", async () => {
  const folder = folderWith({ "report/inside": "" });
  await expect(write(join(folder, "report"), "new")).rejects.toThrow(
    expect.objectContaining({ name: "FileProblem", code: "EISDIR" }),
  );
  expect(readdirSync(folder)).toEqual(["report"]);
});

test("adds to the end of a file, and to a folder is a FileProblem", () => {
  const folder = folderWith();
  const file = join(folder, "summary");
  writeFileSync(file, "a");
  appendFile(file, "b");
  expect(readFileSync(file, "utf8")).toBe("ab");
  expect(() => appendFile(folder, "b")).toThrow(expect.objectContaining({ code: "EISDIR" }));
});

test("writes to a named pipe, which stays one", async () => {
  const { pipe, read } = readPipe();
  await write(pipe, "report");
  expect(statSync(pipe).isFIFO()).toBe(true);
  expect(await read()).toBe("report");
});

test("opens a named pipe once: between two writers its reader would find the end", async () => {
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
  expect(await read()).toBe("report");
});

test("a reader that waits for a writer gets the report", async () => {
  const pipe = namedPipe();
  const reader = spawn("cat", [pipe]);
  onTestFinished(() => void reader.kill());
  const read = text(reader.stdout);
  // Until the reader has come there is nobody to write to.
  await vi.waitFor(() => write(pipe, "report"), { timeout: 20_000, interval: 1 });
  expect(await read).toBe("report");
});

test("a named pipe that nobody reads is a FileProblem, and not waited for", async () => {
  await expect(write(namedPipe(), "report")).rejects.toThrow(expect.objectContaining({ code: "ENXIO" }));
});

test("a reader that is slower than the writer gets all of it", async () => {
  const { pipe, read } = readPipe();
  const writing = write(pipe, moreThanAPipeHolds);
  expect(await read()).toBe(moreThanAPipeHolds);
  await writing;
});

test("an interruption ends waiting for a slow reader", async () => {
  const { pipe, leave } = readPipe();
  const interruption = new AbortController();
  const writing = write(pipe, moreThanAPipeHolds, interruption.signal);
  interruption.abort(new Error("interrupted"));
  await expect(writing).rejects.toThrow("interrupted");
  leave();
});

test("a reader that leaves is a FileProblem", async () => {
  const { pipe, leave } = readPipe();
  const writing = write(pipe, moreThanAPipeHolds);
  leave();
  await expect(writing).rejects.toThrow(expect.objectContaining({ code: "EPIPE" }));
});

test.each(["target", "missing"])(
  "a link to %s stays one, and what it leads to is written",
  async (target) => {
    const folder = folderWith({ target: "old and longer" });
    symlinkSync(target, join(folder, "link"));
    await write(join(folder, "link"), "new");
    expect(readFileSync(join(folder, target), "utf8")).toBe("new");
    expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
    expect(readdirSync(folder).toSorted()).toEqual(["link", ...new Set([target, "target"])].toSorted());
  },
);

test("a link of /proc to a pipe is written into", async () => {
  const { pipe, read } = readPipe();
  const descriptor = openSync(pipe, constants.O_WRONLY);
  const link = join(folderWith(), "link");
  symlinkSync(`/proc/self/fd/${descriptor}`, link);
  await write(link, "report");
  closeSync(descriptor);
  expect(await read()).toBe("report");
});

test("links that lead back to themselves are a FileProblem", async () => {
  const folder = folderWith();
  symlinkSync("b", join(folder, "a"));
  symlinkSync("a", join(folder, "b"));
  await expect(write(join(folder, "a"), "new")).rejects.toThrow(expect.objectContaining({ code: "ELOOP" }));
});

test("a file keeps its mode", async () => {
  const file = join(folderWith({ report: "old" }), "report");
  await write(file, "new");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("what stands in the way of the temporary file is neither written nor removed", async () => {
  const folder = folderWith({ report: "old", elsewhere: "kept" });
  symlinkSync("elsewhere", join(folder, `report.${process.pid}.tmp`));
  await expect(write(join(folder, "report"), "new")).rejects.toThrow(
    expect.objectContaining({ code: "EEXIST" }),
  );
  expect(readFileSync(join(folder, "elsewhere"), "utf8")).toBe("kept");
  expect(readFileSync(join(folder, "report"), "utf8")).toBe("old");
  expect(readdirSync(folder)).toHaveLength(3);
});

test("/dev/stdout is where standard output goes, at the place that it has come to", () => {
  const folder = folderWith({ log: "before\n" });
  const script = `import { writeFile } from ${JSON.stringify(new URL("../../src/system/file-writing.ts", import.meta.url).href)};
    await writeFile("/dev/stdout", ["report\\n"], new AbortController().signal); process.stdout.write("after\\n");`;
  execFileSync("sh", ["-c", '"$0" --input-type=module -e "$1" >> log', process.execPath, script], {
    cwd: folder,
  });
  expect(readFileSync(join(folder, "log"), "utf8")).toBe("before\nreport\nafter\n");
});
