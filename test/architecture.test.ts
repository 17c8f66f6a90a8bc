import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

interface Module {
  readonly file: string;
  readonly imports: readonly string[];
  readonly text: string;
}

/** Every import, re-export and dynamic import of a text: relative ones as paths from the root, others as they stand. */
function importsOf(file: string, text: string): readonly string[] {
  const specifiers = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)].map(
    (match) => match[1] as string,
  );
  return specifiers.map((specifier) =>
    specifier.startsWith(".") ? relative(root, resolve(root, dirname(file), specifier)) : specifier,
  );
}

const modules: readonly Module[] = ["bin", "src"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  )
  .filter((file) => /(?<!\.d)\.ts$/.test(file))
  .map((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return { file, imports: importsOf(file, text), text };
  });

/** Which modules may be imported from `from`, besides their own folder; everything else within the project may not. */
const directions: ReadonlyArray<{ readonly from: RegExp; readonly to: RegExp; readonly because: string }> = [
  {
    from: /^bin\//,
    to: /^src\/(?:app|context|index)\.ts$/,
    because: "bin turns arguments into an exit code, and hands on what others import",
  },
  {
    from: /^src\/index\.ts$/,
    to: /^src\/library\/|^src\/(?:check\/credential|check\/outcome|http\/failure|wsse\/digest|wsse\/header|exit-codes|mistake)\.ts$/,
    because: "what others may import is named here one by one, and no command is among it",
  },
  {
    from: /^src\/library\//,
    to: /^src\/(?:check|wsse)\/|^src\/settings\/(?:base-url|credentials|proxy|secret|table)\.ts$|^src\/(?:mistake|redact)\.ts$/,
    because: "the library checks as the commands do, by the same rules and without looking for settings",
  },
  {
    from: /^src\/app\.ts$/,
    to: /^src\/(?:[a-z-]+\.ts|commands\/|report\/run-error\.ts)/,
    because: "the program is made of commands; it judges and sends nothing itself",
  },
  {
    from: /^src\/commands\//,
    to: /^src\/(?:[a-z-]+\.ts|settings\/|check\/|report\/|emulator\/|completion\/|wsse\/digest\.ts)/,
    because: "commands connect the parts; what HTTP is like is none of their business",
  },
  {
    from: /^src\/settings\//,
    to: /^src\/(?:context|file-system|mistake|nearest|redact)\.ts$|^src\/wsse\//,
    because: "settings know the outside and their own rules, not what is done with them",
  },
  {
    from: /^src\/check\//,
    to: /^src\/(?:wsse|http)\/|^src\/(?:redact|thrown)\.ts$/,
    because: "a check is made of credentials and exchanges alone, and tells of a bug as the program does",
  },
  { from: /^src\/wsse\//, to: /^$/, because: "the digest is pure" },
  { from: /^src\/http\//, to: /^src\/error-code\./, because: "transport knows no credential and no verdict" },
  {
    from: /^src\/report\//,
    to: /^src\/(?:check\/outcome|http\/failure|settings\/(?:config|source)|context|exit-codes)\.ts$/,
    because: "a report shows what a check found, or `config`, and takes no part in finding it",
  },
  {
    from: /^src\/completion\//,
    to: /^src\/(?:context|mistake|settings\/layers|settings\/load|settings\/table|emulator\/options|report\/escape)\.ts$/,
    because: "completion knows what the program declares and the names of profiles, and nothing else",
  },
  {
    from: /^src\/emulator\//,
    to: /^src\/(?:context|error-code|mistake|redact)\.ts$|^src\/wsse\/|^src\/report\/escape\.ts$/,
    because: "the emulator is the other side: sharing more than the digest would prove nothing",
  },
  {
    from: /^src\/(?:context|decode|error-code|file-system|file-writing|standard-streams|mistake|exit-codes|nearest|redact|thrown|usage|version)\.ts$/,
    to: /^src\/(?:decode|error-code|file-system|file-writing|standard-streams|mistake|nearest|exit-codes|version|check\/outcome)\.ts$|^package\.json$/,
    because: "what everybody uses depends on nobody",
  },
];

/** The room that a module belongs to: `src/check` for all below it, the file itself for what stands in `src`. */
const roomOf = (file: string): string => file.split("/").slice(0, 2).join("/");

describe("imports run one way", () => {
  test.each(modules)("$file", ({ file, imports }) => {
    const rule = directions.find(({ from }) => from.test(file));
    expect(rule, `no rule covers ${file}`).toBeDefined();
    const inside = imports.filter((target) => /^(?:bin|src)\/|^package\.json$/.test(target));
    const forbidden = inside.filter((target) => !rule?.to.test(target) && roomOf(target) !== roomOf(file));
    expect(forbidden, rule?.because).toEqual([]);
  });

  test("the rules see a violation", () => {
    expect(
      importsOf("src/wsse/x.ts", 'import type { A } from "../http/send.ts";\nawait import("../app.ts");'),
    ).toEqual(["src/http/send.ts", "src/app.ts"]);
    expect(directions.find(({ from }) => from.test("src/wsse/x.ts"))?.to.test("src/http/send.ts")).toBe(
      false,
    );
    expect(modules.length).toBeGreaterThan(30);
    expect(
      modules.flatMap(({ imports }) => imports).filter((target) => target.startsWith("src/")).length,
    ).toBeGreaterThan(60);
  });
});

const belongs: ReadonlyArray<{ readonly name: string; readonly to: RegExp; readonly because: string }> = [
  { name: "undici", to: /^src\/http\//, because: "one place knows the HTTP library" },
  {
    name: "commander",
    to: /^src\/(?:app\.ts|usage\.ts|commands\/|completion\/)/,
    because: "one layer knows the command line",
  },
  { name: "chalk", to: /^src\/report\/paint\.ts$/, because: "colour is loaded only where it is shown" },
  {
    name: "cli-progress",
    to: /^src\/report\/progress\.ts$/,
    because: "progress is loaded only where it is shown",
  },
  { name: "yaml", to: /^src\/settings\/rc-parse\.ts$/, because: "one place reads rc files" },
  {
    name: "cosmiconfig",
    to: /^src\/settings\/rc-search\.ts$/,
    because: "cosmiconfig can run code that it finds",
  },
  {
    name: "node:fs",
    to: /^src\/file-(?:system|writing)\.ts$/,
    because: "files come from outside",
  },
  { name: "node:child_process", to: /^src\/emulator\//, because: "only the emulator runs a command" },
];

test.each(belongs)("$name is imported only where it belongs", ({ name, to, because }) => {
  const importers = modules.filter(({ imports }) =>
    imports.some((target) => target === name || target.startsWith(`${name}/`)),
  );
  expect(importers.length).toBeGreaterThan(0);
  expect(
    importers.map(({ file }) => file).filter((file) => !to.test(file)),
    because,
  ).toEqual([]);
});

test("effects stay at the edge: process, console, the clock and randomness in bin, index.ts, context.ts and http/ only", () => {
  const effect =
    /(?<![.\w])process\.|\bconsole\.|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.now\b|import \{[^}]*\brandomBytes\b|\bfetch\(/;
  const inside = modules.filter(
    ({ file }) =>
      !/^bin\/|^src\/(?:context|file-system|file-writing|standard-streams|index)\.ts$|^src\/http\//.test(
        file,
      ),
  );
  const offenders = inside.flatMap(({ file, text }) =>
    text
      .split("\n")
      .map((line, index) => `${file}:${index + 1}: ${line.trim()}`)
      .filter((line) => effect.test(line) && !/:\d+: (?:\/\/|\*|\/\*)/.test(line)),
  );
  expect(offenders).toEqual([]);
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

test("the emulator compares credentials and digests in constant time", () => {
  const emulator = modules.filter(({ file }) => file.startsWith("src/emulator/"));
  expect(emulator.find(({ file }) => file.endsWith("/compare.ts"))?.text).toContain(
    "return timingSafeEqual(",
  );
  const direct = /(?:===|!==)\s*(?:credentials|rules\.credentials)\.|\bpasswordDigest\b[^\n]*(?:===|!==)/;
  expect(emulator.filter(({ text }) => direct.test(text)).map(({ file }) => file)).toEqual([]);
});
