import { execFileSync, spawn } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { fileWriting } from "../src/file-writing.ts";
import { folderWith } from "./support/folder.ts";

test("replaces a file and leaves nothing beside it", () => {
  const folder = folderWith({ report: "old and longer" });
  fileWriting.writeFile(join(folder, "report"), "new");
  expect(readFileSync(join(folder, "report"), "utf8")).toBe("new");
  expect(readdirSync(folder)).toEqual(["report"]);
});

test("over a folder is a FileProblem, and leaves nothing beside it", () => {
  const folder = folderWith({ "report/inside": "" });
  expect(() => fileWriting.writeFile(join(folder, "report"), "new")).toThrow(
    expect.objectContaining({ name: "FileProblem", code: "EISDIR" }),
  );
  expect(readdirSync(folder)).toEqual(["report"]);
});

test("adds to the end of a file, and to a folder is a FileProblem", () => {
  const folder = folderWith();
  const file = join(folder, "summary");
  writeFileSync(file, "a");
  fileWriting.appendFile(file, "b");
  expect(readFileSync(file, "utf8")).toBe("ab");
  expect(() => fileWriting.appendFile(folder, "b")).toThrow(expect.objectContaining({ code: "EISDIR" }));
});

test("writes to a named pipe, which stays one", async () => {
  const pipe = join(folderWith(), "pipe");
  execFileSync("mkfifo", [pipe]);
  const reader = spawn("cat", [pipe]);
  const read = text(reader.stdout);
  fileWriting.writeFile(pipe, "report");
  expect(await read).toBe("report");
  expect(statSync(pipe).isFIFO()).toBe(true);
});

test("a named pipe that nobody reads is a FileProblem, and not waited for", () => {
  const pipe = join(folderWith(), "pipe");
  execFileSync("mkfifo", [pipe]);
  expect(() => fileWriting.writeFile(pipe, "report")).toThrow(expect.objectContaining({ code: "ENXIO" }));
});

test.each(["target", "missing"])("a link to %s stays one, and what it leads to is written", (target) => {
  const folder = folderWith({ target: "old and longer" });
  symlinkSync(target, join(folder, "link"));
  fileWriting.writeFile(join(folder, "link"), "new");
  expect(readFileSync(join(folder, target), "utf8")).toBe("new");
  expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
  expect(readdirSync(folder).toSorted()).toEqual(["link", ...new Set([target, "target"])].toSorted());
});

test("a file keeps its mode", () => {
  const file = join(folderWith({ report: "old" }), "report");
  fileWriting.writeFile(file, "new");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("what stands in the way of the temporary file is neither written nor removed", () => {
  const folder = folderWith({ report: "old", elsewhere: "kept" });
  symlinkSync("elsewhere", join(folder, `report.${process.pid}.tmp`));
  expect(() => fileWriting.writeFile(join(folder, "report"), "new")).toThrow(
    expect.objectContaining({ code: "EEXIST" }),
  );
  expect(readFileSync(join(folder, "elsewhere"), "utf8")).toBe("kept");
  expect(readFileSync(join(folder, "report"), "utf8")).toBe("old");
  expect(readdirSync(folder)).toHaveLength(3);
});

test("/dev/stdout is where standard output goes, at the place that it has come to", () => {
  const folder = folderWith({ log: "before\n" });
  const script = `import { fileWriting } from ${JSON.stringify(new URL("../src/file-writing.ts", import.meta.url).href)};
    fileWriting.writeFile("/dev/stdout", "report\\n"); process.stdout.write("after\\n");`;
  execFileSync("sh", ["-c", '"$0" --input-type=module -e "$1" >> log', process.execPath, script], {
    cwd: folder,
  });
  expect(readFileSync(join(folder, "log"), "utf8")).toBe("before\nreport\nafter\n");
});
