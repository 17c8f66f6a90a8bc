import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { built, runAsChild } from "../support/run.ts";

const preload = JSON.stringify(fileURLToPath(new URL("../faults/peak-memory.cjs", import.meta.url)));
const kibibyte = 1024;

/** The exit code of `config`, and the most memory that it ever had, in MiB. */
async function peakOf(content: string, ...args: readonly string[]) {
  const workingFolder = folderWith({ ".referralrc": content });
  const file = join(workingFolder, "peak");
  const environment = { NODE_OPTIONS: `--require ${preload}`, PEAK_MEMORY_FILE: file };
  const { exitCode } = await runAsChild(["config", ...args], { workingFolder, environment });
  return { exitCode, mebibytes: Number(readFileSync(file, "latin1")) / kibibyte };
}

// Each takes up to a second, so `npm test` tries one.
const found: ReadonlyArray<readonly [string, string, string]> = [
  ["open brackets", "[", ""],
  ["closed brackets", "]", ""],
  ["keys of keys", "? ", ""],
  ["items of items", "- ", ""],
  ["items", "- a\n", ""],
  ["folded lines", "b\n  ", "token: "],
  ["anchors", "- &a b\n", ""],
  ["commas", ",", "["],
  ["tags", "! ", ""],
  ["wrong escapes", "\\q", '"'],
  ["empty keys", ":\n", ""],
  ["line ends", "\\\n", ""],
];

// A program with an empty rc file has 60 MiB.
test.each(built ? found : found.slice(0, 1))(
  "a found rc file of 64 KiB of %s takes at most 200 MiB",
  async (_, mark, start) => {
    const content = start + mark.repeat((63 * kibibyte) / mark.length);
    const { exitCode, mebibytes } = await peakOf(content);
    expect([0, 3]).toContain(exitCode);
    expect(mebibytes).toBeLessThan(200);
  },
);

test.runIf(built).each([
  ["brackets", "]", "", 260],
  ["wrong escapes", "\\q", '"', 260],
  ["line ends", "\\\n", "", 700],
])("a named rc file of 8 MiB of %s is refused in bounded memory", async (_, mark, start, most) => {
  const content = start + mark.repeat((8191 * kibibyte) / mark.length);
  const { exitCode, mebibytes } = await peakOf(content, "--config", ".referralrc");
  expect(exitCode).toBe(3);
  expect(mebibytes).toBeLessThan(most);
});
