import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";

test.each([
  ["utf16le", "\ufefftoken"],
  ["utf8", "\ufefftoken"],
] as const)("a file in %s with a byte order mark is refused by that name", async (encoding, text) => {
  const folder = folderWith({ file: "" });
  writeFileSync(join(folder, "file"), Buffer.from(text, encoding));
  const run = await runInProcess(["header", "--token", "--token-file", join(folder, "file")]);
  expect(run).toMatchObject({ exitCode: 3, stdout: "" });
  expect(run.stderr).toContain("byte order mark");
  expect(run.stderr.replace(/\s+/g, " ")).toContain("Save it as UTF-8 without a byte order mark");
});
