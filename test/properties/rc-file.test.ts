import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { settingNames } from "../../src/settings/table.ts";
import { folderWith } from "../support/folder.ts";
import { leaks } from "../support/planted.ts";
import { processorTime } from "../support/processor-time.ts";
import { type Run, runInProcess } from "../support/run.ts";
import { documents } from "./rc-documents.ts";
import { manyRuns, numRuns } from "./runs.ts";

interface Shown {
  readonly ok: boolean;
  readonly error: { readonly code: number } | null;
  readonly settings: ReadonlyArray<{
    readonly name: string;
    readonly value: string | null;
    readonly problem: string | null;
  }>;
}

async function configOf(file: string, bytes: Uint8Array | string): Promise<Run> {
  writeFileSync(file, bytes, { mode: 0o600 });
  return runInProcess(["config", "--json", "--config", file]);
}

/** Settings of the table with their secrets masked, or exit 3 and an error that shows nothing of the file. */
function holds(run: Run, secret: string): void {
  const shown: Shown = JSON.parse(run.stdout);
  expect([0, 3]).toContain(run.exitCode);
  expect(shown.ok).toBe(run.exitCode === 0);
  if (shown.error !== null) {
    expect(shown.error.code).toBe(3);
    expect(leaks(run.everything, [secret])).toEqual([]);
    return;
  }
  expect(run.stderr).toBe("");
  expect(shown.settings.map(({ name }) => name)).toEqual(settingNames);
  for (const { name, value, problem } of shown.settings) {
    expect(leaks(problem ?? "", [secret])).toEqual([]);
    if (name === "token" || name === "secret") expect(["[secret]", "[invalid]", null]).toContain(value);
    if (problem !== null) expect(value).not.toContain(secret);
  }
}

const prototype = (): string => JSON.stringify(Reflect.ownKeys(Object.prototype).map(String));
const before = prototype();

test.each([".referralrc", ".referralrc.json", ".referralrc.yaml"])(
  "whatever %s holds: its settings, or exit 3 without its content; prototypes stay as they are",
  manyRuns,
  async (name) => {
    const file = join(folderWith(), name);
    let [valid, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(documents, async ({ secret, bytes }) => {
        const run = await configOf(file, bytes);
        holds(run, secret);
        if (run.exitCode === 0) valid += 1;
        else refused += 1;
        expect(prototype()).toBe(before);
        expect({}).not.toHaveProperty("a");
      }),
      { numRuns },
    );
    expect(Math.min(valid, refused), "the documents are of both kinds").toBeGreaterThan(numRuns / 50);
  },
);

test.each([
  ["10,000 nested lists", "[".repeat(10_000)],
  ["100,000 nested mappings", '{"profiles":'.repeat(100_000)],
  ["100,000 nested YAML sequences", "- ".repeat(100_000)],
  ["100,000 nested lists as a value", `token: ${"[".repeat(100_000)}${"]".repeat(100_000)}`],
])("%s exit 3", async (_, text) => {
  const run = await configOf(join(folderWith(), ".referralrc"), text);
  expect(run.exitCode, run.stderr).toBe(3);
});

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("");

// A checkout of anybody may have such a file: the time to read it must grow in proportion to its size, not to the square.
test.each([
  ["20,000 keys", `profiles:\n${lines(20_000, (index) => `  p${index}: {}\n`)}`],
  [
    "4,000 references to one anchor",
    `profiles:\n  p: &p {}\n${lines(4_000, (index) => `  p${index}: *p\n`)}`,
  ],
])("a file of %s is read or refused in 2 seconds of processor time", async (_, text) => {
  const { value, milliseconds } = await processorTime(() =>
    configOf(join(folderWith(), ".referralrc"), text),
  );
  expect([0, 3]).toContain(value.exitCode);
  expect(milliseconds).toBeLessThan(2_000);
});
