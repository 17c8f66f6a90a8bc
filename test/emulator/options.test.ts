import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { optionRows } from "../../src/emulator/options.ts";
import { runInProcess } from "../support/run.ts";

test("the table of docs/emulator.md has every flag, and every option of startEmulator", async () => {
  const page = readFileSync(new URL("../../docs/emulator.md", import.meta.url), "utf8");
  const [table = ""] = page.split("\n## ", 1);
  const { stdout: help } = await runInProcess(["emulator", "--help"]);
  const flags = [...help.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, flag]) => flag);
  const options = optionRows.map(([name]) => name);
  expect([flags.length, options.length]).toEqual([17, 13]);
  for (const name of [...flags, ...options]) expect(table).toContain(`\`${name}`);
});
