import { readdirSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bothWays, builtOnly, properties } from "../vitest.config.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Every test file: its path from the root, and its text. */
const testFiles = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => ({ file: join("test", name), text: readFileSync(join(root, "test", name), "utf8") }));

// The modes of the test run are chosen by name (vitest.config.ts); a test with another name would be left out of them.
test.each([
  ["runs the program in the ways of the mode", /\b(?:ways|testFaults)\b[^;]* from /, [bothWays, builtOnly]],
  ["tries as much as the mode asks for", /\b(?:numRuns|scale)\b[^;]* from /, properties],
])("a test that %s has a name of that mode", (_, imports, patterns) => {
  const found = testFiles.filter(({ text }) => imports.test(text));
  expect(found.length).toBeGreaterThan(5);
  const named = (file: string): boolean => patterns.some((pattern) => matchesGlob(file, pattern));
  expect(found.map(({ file }) => file).filter((file) => !named(file))).toEqual([]);
});
