import { readdirSync, readFileSync } from "node:fs";
import { join, matchesGlob, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bothWays, builtOnly, properties } from "../vitest.config.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Every file below these folders: its path from the root, and its text. */
const filesBelow = (...folders: readonly string[]) =>
  folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ file: relative(root, path), text: readFileSync(path, "utf8") }));

const mostLines = 200;

const linesOf = (text: string): number => text.split("\n").length - 1;

test(`no file is longer than ${mostLines} lines`, () => {
  const long = filesBelow("bin", "src", "scripts", "test").filter(({ text }) => linesOf(text) > mostLines);
  expect(long.map(({ file }) => file)).toEqual([]);
  expect(linesOf("line\n".repeat(mostLines + 1))).toBeGreaterThan(mostLines);
});

/** The exported declarations of a text that no docstring stands right above; what is only handed on has its own. */
function undocumented(text: string): readonly string[] {
  return [...text.matchAll(/^export (?!\*|(?:type )?\{).*/gm)]
    .filter(({ index }) => !/(?:^|\n)\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n$/.test(text.slice(0, index)))
    .map(([line]) => line);
}

test("every export says in a docstring what it gives", () => {
  const found = filesBelow("bin", "src").flatMap(({ file, text }) =>
    undocumented(text).map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});

test("an export without a docstring is found", () => {
  const documented =
    "/** What it gives. */\nexport const a = 1;\n/**\n * Two\n * lines.\n */\nexport type B = 1;\n";
  expect(undocumented(`${documented}export * from "./c.ts";\nexport { d } from "./d.ts";\n`)).toEqual([]);
  const found = undocumented(`${documented}export const e = 2;\n// A remark.\nexport type F = 3;\n`);
  expect(found).toEqual(["export const e = 2;", "export type F = 3;"]);
  expect(undocumented("/** Of something else. */\nconst g = 1;\nexport const h = 2;\n")).toHaveLength(1);
});

// The modes of the test run are chosen by name (vitest.config.ts); a test with another name would be left out of them.
test.each([
  ["runs the program in the ways of the mode", /\b(?:ways|testFaults)\b[^;]* from /, [bothWays, builtOnly]],
  ["tries as much as the mode asks for", /\b(?:numRuns|scale|isOutOfProportion)\b[^;]* from /, properties],
])("a test that %s has a name of that mode", (_, imports, patterns) => {
  const found = filesBelow("test").filter(({ file, text }) => /\.test\.ts$/.test(file) && imports.test(text));
  expect(found.length).toBeGreaterThan(5);
  const named = (file: string): boolean => patterns.some((pattern) => matchesGlob(file, pattern));
  expect(found.map(({ file }) => file).filter((file) => !named(file))).toEqual([]);
});
