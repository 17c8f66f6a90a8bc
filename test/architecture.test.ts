import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { importRules } from "./support/import-rules.ts";
import { allModules, parseModule } from "./support/modules.ts";

const modules = allModules();

/** The room of a module: `src/report` for all files in it; `src/check` has rooms of its own. A file directly in `src` is a room too. */
const roomOf = (file: string): string =>
  /^src\/[^/]+\.ts$/.test(file) ? file : file.slice(0, file.lastIndexOf("/"));

/** The imports of a module that its rule forbids. Throws if no rule covers the module. */
function forbiddenImports(file: string, imports: readonly string[]): readonly string[] {
  const rule = importRules.find(({ from }) => from.test(file));
  if (rule === undefined) throw new Error(`no rule covers ${file}`);
  return imports
    .filter((target) => /^(?:bin|src)\/|^package\.json$/.test(target))
    .filter((target) => !rule.to.test(target) && roomOf(target) !== roomOf(file))
    .map((target) => `${target} (${rule.because})`);
}

describe("imports run one way", () => {
  test.each(modules)("$file", ({ file, imports }) => {
    expect(forbiddenImports(file, imports)).toEqual([]);
  });

  test("a violation is found, in every form of an import", () => {
    const forms = [
      'import type { A } from "../http/a.ts";',
      'import {\n  a,\n} from\n  "../http/b.ts";',
      'export { a } from "../http/c.ts";',
      'export * from "../http/d.ts";',
      'await import("../http/e.ts");',
      'type A = import("../http/f.ts").A;',
      'import "../http/g.ts";',
    ];
    const { file, imports } = parseModule("src/wsse/x.ts", forms.join("\n"));
    const found = [..."abcdefg"].map((name) => `src/http/${name}.ts (the digest is pure)`);
    expect(forbiddenImports(file, imports).toSorted()).toEqual(found);
  });

  test("an import in a comment or a string is none", () => {
    const text = '// import "../http/send.ts"\nconst a = \'import "../http/send.ts"\';';
    expect(parseModule("src/wsse/x.ts", text).imports).toEqual([]);
  });
});

test.each([
  ["undici", /^src\/http\//, "one room knows the HTTP library"],
  ["commander", /^src\/(?:app\.ts|commands\/)/, "one layer knows the command line"],
  ["chalk", /^src\/report\/paint\.ts$/, "chalk is loaded only if there is colour"],
  ["yaml", /^src\/settings\/rc-parse\.ts$/, "one place reads rc files"],
  ["cosmiconfig", /^src\/settings\/rc-search\.ts$/, "cosmiconfig can run code that it finds"],
  ["node:fs", /^src\/system\//, "files are effects"],
  ["node:child_process", /^src\/(?:emulator|system)\//, "commands are effects"],
])("%s is imported only in %s: %s", (name, to) => {
  const importers = modules.filter(({ imports }) =>
    imports.some((target) => target === name || target.startsWith(`${name}/`)),
  );
  expect(importers.length).toBeGreaterThan(0);
  expect(importers.map(({ file }) => file).filter((file) => !to.test(file))).toEqual([]);
});

test("effects (process, console, the clock, randomness) stay in bin, library/system.ts, system/ and http/", () => {
  const edge = /^bin\/|^src\/library\/system\.ts$|^src\/(?:system|http)\//;
  const found = modules
    .filter(({ file }) => !edge.test(file))
    .flatMap(({ file, effects }) => effects.map((effect) => `${file}: ${effect}`));
  expect(found).toEqual([]);
});

test("an effect is found", () => {
  const effects = `process.env.HOME; process["exit"](1); console.log(1); Date.now(); new Date(); Math.random();
    performance.now(); fetch("https://example.com"); import { randomBytes } from "node:crypto";`;
  expect(parseModule("src/wsse/x.ts", effects).effects).toHaveLength(9);
});

test("there is no cycle of imports", () => {
  const importsByFile = new Map(modules.map(({ file, imports }) => [file, imports]));
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    expect(path, `a cycle through ${file}`).not.toContain(file);
    if (done.has(file)) return;
    for (const target of importsByFile.get(file) ?? [])
      if (importsByFile.has(target)) visit(target, [...path, file]);
    done.add(file);
  };
  for (const { file } of modules) visit(file, []);
});

test("the emulator compares credentials and digests by no operator: digestMatches takes constant time, and a map finds a token", () => {
  const emulator = modules.filter(({ file }) => file.startsWith("src/emulator/"));
  const found = emulator.flatMap(({ file, comparisons }) => comparisons.map((text) => `${file}: ${text}`));
  expect(found).toEqual([]);
  const { comparisons } = parseModule("src/emulator/x.ts", "a = sent === rules.credentials.token");
  expect(comparisons).toHaveLength(1);
});

test("a secret is unwrapped only in the files of this list", () => {
  const unwrapping = modules
    .map(({ file }) => file)
    .filter((file) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8").includes(".reveal()"));
  // commands/emulator.ts gives the emulator the credentials that it prints.
  expect(unwrapping.toSorted()).toEqual(["src/check/credential.ts", "src/commands/emulator.ts"]);
});
