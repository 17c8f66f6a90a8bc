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

test("writes through a link, which stays one", () => {
  const folder = folderWith({ target: "old and longer" });
  symlinkSync("target", join(folder, "link"));
  fileWriting.writeFile(join(folder, "link"), "new");
  expect(readFileSync(join(folder, "target"), "utf8")).toBe("new");
  expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
});
