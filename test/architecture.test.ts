import { describe, expect, test } from "vitest";
import { allModules, parseModule } from "./support/modules.ts";

const modules = allModules();

/** What the modules of a room may import of the project, besides their own room. */
interface Rule {
  readonly from: RegExp;
  readonly to: RegExp;
  readonly because: string;
}

const rules: readonly Rule[] = [
  {
    from: /^bin\//,
    to: /^src\/(?:app|index|system\/context)\.ts$/,
    because: "bin turns arguments into an exit code, and exports the library",
  },
  {
    from: /^src\/index\.ts$/,
    to: /^src\/library\/|^src\/(?:check\/(?:outcome|credential)|http\/failure|wsse\/digest|wsse\/header|exit-codes|errors)\.ts$/,
    because: "index.ts lists the public interface, and no command belongs to it",
  },
  {
    from: /^src\/library\//,
    to: /^src\/(?:check|wsse|settings|redaction)\/|^src\/errors\.ts$/,
    because: "the library makes checks by the same code as the commands, without the command line",
  },
  {
    from: /^src\/app\.ts$/,
    to: /^src\/(?:[a-z-]+\.ts|commands\/|system\/context\.ts|report\/run-error\.ts)/,
    because: "the program consists of commands; it judges and sends nothing itself",
  },
  {
    from: /^src\/commands\//,
    to: /^src\/(?:[a-z-]+\.ts|(?:system|settings|accounts|check|report|emulator|completion|redaction)\/|wsse\/digest\.ts)/,
    because: "commands connect the rooms; they do not know HTTP",
  },
  {
    from: /^src\/(?:accounts|settings)\//,
    to: /^src\/(?:settings\/|system\/|wsse\/|redaction\/|errors\.ts$)/,
    because: "settings do not know what they are used for",
  },
  {
    from: /^src\/check\//,
    to: /^src\/(?:wsse|http|settings|redaction)\/|^src\/(?:errors|describe-error)\.ts$/,
    because: "a check is made of settings, credentials and HTTP exchanges; it knows no command and no report",
  },
  { from: /^src\/wsse\//, to: /^$/, because: "the digest is pure" },
  {
    from: /^src\/http\//,
    to: /^src\/system\/error-code\.ts$/,
    because: "HTTP knows no credential and no verdict",
  },
  {
    from: /^src\/report\//,
    to: /^src\/(?:check\/outcome|http\/failure|settings\/(?:overview|source)|system\/(?:context|file-reading|spool)|exit-codes|errors)\.ts$/,
    because: "a report shows results and takes no part in finding them",
  },
  {
    from: /^src\/completion\//,
    to: /^src\/(?:errors|system\/context|settings\/(?:levels|load|table)|emulator\/emulator-options|report\/escape)\.ts$/,
    because: "completion knows the declared options and the names of profiles, and nothing else",
  },
  {
    from: /^src\/emulator\//,
    to: /^src\/(?:errors|system\/[a-z-]+|report\/escape|redaction\/redact)\.ts$|^src\/wsse\//,
    because: "the emulator is the other side: if it shared more than the digest, it would prove nothing",
  },
  {
    from: /^src\/system\//,
    to: /^src\/errors\.ts$/,
    because: "every room depends on system, so system depends on none",
  },
  {
    from: /^src\/exit-codes\.ts$/,
    to: /^src\/(?:check\/outcome|errors)\.ts$/,
    because: "exit codes are a table of outcomes and errors",
  },
  {
    from: /^src\/redaction\//,
    to: /^$/,
    because: "hiding a secret in a text needs the text and the secret alone",
  },
  {
    from: /^src\/describe-error\.ts$/,
    to: /^src\/(?:errors|version)\.ts$/,
    because: "an error is described by its class and place",
  },
  { from: /^src\/errors\.ts$/, to: /^$/, because: "every room throws errors, so they depend on none" },
  { from: /^src\/version\.ts$/, to: /^package\.json$/, because: "the version stands in package.json alone" },
];

/** The room of a module: `src/check` for all files below it; a file directly in `src` is a room of its own. */
const roomOf = (file: string): string => file.split("/").slice(0, 2).join("/");

/** The imports of a module that its rule forbids. Throws if no rule covers the module. */
function forbiddenImports(file: string, imports: readonly string[]): readonly string[] {
  const rule = rules.find(({ from }) => from.test(file));
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

  test.each([
    ["a type", 'import type { A } from "../http/send.ts";'],
    ["a value over several lines", 'import {\n  a,\n} from\n  "../http/send.ts";'],
    ["a re-export", 'export { a } from "../http/send.ts";'],
    ["everything", 'export * from "../http/send.ts";'],
    ["a dynamic import", 'await import("../http/send.ts");'],
    ["the type of an import", 'type A = import("../http/send.ts").A;'],
    ["an import for its effects", 'import "../http/send.ts";'],
  ])("a violation is found: %s", (_, text) => {
    const { file, imports } = parseModule("src/wsse/x.ts", text);
    expect(forbiddenImports(file, imports)).toEqual(["src/http/send.ts (the digest is pure)"]);
  });

  test("an import in a comment or a string is none", () => {
    const text = '// import "../http/send.ts"\nconst a = \'import "../http/send.ts"\';';
    expect(parseModule("src/wsse/x.ts", text).imports).toEqual([]);
  });
});

const packageRules: ReadonlyArray<{ readonly name: string; readonly to: RegExp; readonly because: string }> =
  [
    { name: "undici", to: /^src\/http\//, because: "one room knows the HTTP library" },
    {
      name: "commander",
      to: /^src\/(?:app\.ts|commands\/|completion\/)/,
      because: "one layer knows the command line",
    },
    { name: "chalk", to: /^src\/report\/paint\.ts$/, because: "chalk is loaded only if there is colour" },
    {
      name: "cli-progress",
      to: /^src\/report\/progress-bar\.ts$/,
      because: "the progress bar is loaded only on a terminal",
    },
    { name: "yaml", to: /^src\/settings\/rc-parse\.ts$/, because: "one place reads rc files" },
    {
      name: "cosmiconfig",
      to: /^src\/settings\/rc-search\.ts$/,
      because: "cosmiconfig can run code that it finds",
    },
    { name: "node:fs", to: /^src\/system\//, because: "files are effects" },
    { name: "node:child_process", to: /^src\/emulator\//, because: "only the emulator runs a command" },
  ];

test.each(packageRules)("$name is imported only where it belongs", ({ name, to, because }) => {
  const importers = modules.filter(({ imports }) =>
    imports.some((target) => target === name || target.startsWith(`${name}/`)),
  );
  expect(importers.length).toBeGreaterThan(0);
  expect(
    importers.map(({ file }) => file).filter((file) => !to.test(file)),
    because,
  ).toEqual([]);
});

test("effects (process, console, the clock, randomness) stay in bin, index.ts, system/ and http/", () => {
  const edge = /^bin\/|^src\/index\.ts$|^src\/(?:system|http)\//;
  const found = modules
    .filter(({ file }) => !edge.test(file))
    .flatMap(({ file, effects }) => effects.map((effect) => `${file}: ${effect}`));
  expect(found).toEqual([]);
});

test.each([
  "process.env.HOME",
  "process['exit'](1)",
  "console.log(1)",
  "Date.now()",
  "new Date()",
  "Math.random()",
  "performance.now()",
  'fetch("https://example.com")',
  'import { randomBytes } from "node:crypto"',
])("an effect is found: %s", (text) => {
  expect(parseModule("src/wsse/x.ts", text).effects).not.toEqual([]);
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

test("the emulator compares credentials and digests by sameText alone, in constant time", () => {
  const emulator = modules.filter(({ file }) => file.startsWith("src/emulator/"));
  const found = emulator.flatMap(({ file, comparisons }) => comparisons.map((text) => `${file}: ${text}`));
  expect(found).toEqual([]);
  expect(parseModule("src/emulator/x.ts", "a = sent === rules.credentials.token").comparisons).toHaveLength(
    1,
  );
});
