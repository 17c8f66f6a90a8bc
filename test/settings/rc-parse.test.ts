import fc from "fast-check";
import { expect, test } from "vitest";
import { InputError, orInputError } from "../../src/errors.ts";
import type { Level } from "../../src/settings/levels.ts";
import { parseRc } from "../../src/settings/rc-parse.ts";
import { profileLevel } from "../../src/settings/run-settings.ts";
import type { Source } from "../../src/settings/source.ts";
import { definitionOf, keyOf, profileKeys, settingNames } from "../../src/settings/table.ts";

const parse = (text: string | Uint8Array, path = "/rc") =>
  parseRc(Buffer.from(text as string), path, "yours");
/** What a level sets: each setting, its text and its line. */
const linesOf = (level: Level | undefined) =>
  [...(level?.values() ?? [])].map((given) => `${given.setting} ${given.text} ${lineOf(given.source)}`);
const lineOf = (source: Source) => ("line" in source ? source.line : null);

test("an rc file sets text and numbers, each with its line", () => {
  const { top } = parse("# A remark.\nusername: a\n\ntimeout: 2.5\nretry: 0\n");
  expect(linesOf(top)).toEqual(["username a 2", "timeoutSeconds 2.5 4", "retries 0 5"]);
});

test("profiles may be empty and stand in their order, and can be listed by name alone", () => {
  const text = "profiles:\n  b: { token: t }\n  a:\n    token: t\n  c:\n  d: {}\ntoken: t\n";
  const { top, profiles } = parse(text);
  const found = [...profiles].map(([name, level]) => [name, ...linesOf(level)]);
  expect(found).toEqual([["b", "token t 2"], ["a", "token t 4"], ["c"], ["d"]]);
  expect(linesOf(top)).toEqual(["token t 7"]);
  expect([...parse("profiles: { a, b }").profiles]).toEqual(["a", "b"].map((name) => [name, new Map()]));
});

test.each(["", "\n", "\ufeff", "# Nothing.\n", "---\n", "null", "~", "{}"])("%j sets nothing", (text) => {
  expect(parse(text)).toEqual({
    path: "/rc",
    shown: "/rc",
    trust: "yours",
    top: new Map(),
    profiles: new Map(),
  });
});

test("an rc file may begin with a byte order mark, have CRLF, name its schema, and be JSON with tabs", () => {
  expect(linesOf(parse("\ufeff$schema: ./x.json\r\ntoken: t\r\n").top)).toEqual(["token t 2"]);
  expect(linesOf(parse('{\n\t"token": "t"\n}').top)).toEqual(["token t 2"]);
});

test.each([...settingNames.map(keyOf), "profiles"])(
  "null for %s sets nothing, whoever wrote the file",
  (name) => {
    for (const word of ["null", "Null", "~"])
      for (const trust of ["yours", "found"] as const) {
        const { top, profiles } = parseRc(Buffer.from(`${name}: ${word}`), "/rc", trust);
        expect([top.size, profiles.size]).toEqual([0, 0]);
      }
    expect(parse(JSON.stringify({ [name]: null }), "/rc.json").top.size).toBe(0);
    if (profileKeys.some((key) => keyOf(key) === name))
      expect(parse(`profiles: { p: { ${name}: null } }`).profiles.get("p")?.size).toBe(0);
  },
);

test("a text needs quotes where YAML reads something else, and in JSON too", () => {
  for (const name of settingNames.filter(
    (name) => !["number", "command"].includes(definitionOf(name).kind),
  )) {
    const key = keyOf(name);
    expect(parse(`${key}: "1e5"`).top.get(name)?.text).toBe("1e5");
    expect(() => parse(`{"${key}": true}`, "/rc.json")).toThrow(`sets ${key} to something that is not text`);
  }
});

test.each(["__proto__", "constructor", "toString"])(
  "the key %s sets nothing, and can be the name of a profile",
  (key) => {
    const evil = `{ "${key}": { "polluted": "yes" } }`;
    const inProfile = `{ "profiles": { "p": ${evil} } }`;
    for (const text of [evil, inProfile, `{ "profiles": { "p": { "token": ${evil} } } }`])
      expect(() => parse(text)).toThrow(InputError);
    expect({}).not.toHaveProperty("polluted");
    const { profiles } = parse(`{ "profiles": { "${key}": { "token": "t" } } }`);
    expect([...profiles.keys()]).toEqual([key]);
    expect(profileLevel({ ...parse(""), profiles }, key).get("token")?.text).toBe("t");
    expect(() => profileLevel(parse('{ "profiles": { "p": {} } }'), key)).toThrow("no such profile");
  },
);

test("a profile whose name is too long fails alone", () => {
  const nameOf = (length: number) => "a".repeat(length);
  const rc = parse(`profiles: { ${nameOf(1_000)}: { token: t }, ${nameOf(1_001)}: {} }`);
  expect(profileLevel(rc, nameOf(1_000)).get("token")?.text).toBe("t");
  const problem = "The rc file /rc has a profile of more than 1000 characters";
  expect(() => profileLevel(rc, nameOf(1_001))).toThrow(problem);
});

test.each(["yes", "2026-11-21"])("the bare word %s is text in YAML, and not in JSON", (word) => {
  expect(parse(`username: ${word}`).top.get("username")?.text).toBe(word);
  expect(() => parse(`{"username": ${word}}`, "/rc.json")).toThrow(
    ":1:14 is not valid JSON: Unresolved plain scalar",
  );
});

/** The same settings in the three layouts that people write. */
const layouts: Readonly<Record<string, (one: string, other: string) => string>> = {
  "block.yaml": (one, other) =>
    [
      "# The accounts of the north.",
      "timeout: 20",
      "tokenCommand:",
      "  - pass",
      "  - show",
      "profiles:",
      "  north:",
      `    token: ${one}`,
      "    retry: 2",
      "  south:",
      "    username: south@example.com",
      `    secret: "${other}"`,
      "  east: { token: t, hash: sha256 }",
      "baseUrl: https://api.example.com",
      "",
    ].join("\n"),
  "rc.json": (one, other) => {
    const profiles = { north: { token: one, retry: 2 }, south: { username: "s@example.com", secret: other } };
    return `${JSON.stringify({ timeout: 20, tokenCommand: ["op", "read"], profiles, hash: "sha1" }, null, 2)}\n`;
  },
  "line.json": (one, other) =>
    JSON.stringify({
      baseUrl: "https://api.example.com",
      profiles: { north: { token: one }, south: { secret: other } },
    }),
};

/** The lines of an edit at this place, and the line where the value began that holds it: the one above with less indent. */
function linesOfEdit(text: string, place: number, isLineEnd: boolean): readonly number[] {
  const lines = text.split("\n");
  const line = text.slice(0, place).split("\n").length;
  const indentOf = (index: number): number => (lines[index] ?? "").search(/\S|$/);
  const outer = lines.findLastIndex((_, index) => index < line - 1 && indentOf(index) < indentOf(line - 1));
  return [line, outer + 1, ...(isLineEnd ? [line + 1] : [])];
}

test("of 1,000 edits of one character, the place is in 95 of 100 that of the edit or where its value began; no value is shown", () => {
  const letters = fc.constantFrom(..."bcdfghjkmnpqrstvwxzBCDFGHJKMNPQRSTVWXZ23456789");
  const secret = fc.string({ unit: letters, minLength: 20, maxLength: 20 });
  const edits = fc.record({
    layout: fc.constantFrom(...Object.keys(layouts)),
    secrets: fc.tuple(secret, secret),
    place: fc.nat(10_000),
    how: fc.constantFrom("insert", "delete", "replace"),
    sign: fc.constantFrom(..."{}[]:,\"'#\t -|>@&*!%?`\\\n=.1aZ"),
  });
  const areRight: boolean[] = [];
  fc.assert(
    fc.property(edits, ({ layout, secrets, place, how, sign }) => {
      const text = layouts[layout]?.(...secrets) ?? "";
      const at = place % text.length;
      const rest = text.slice(how === "insert" ? at : at + 1);
      const error = orInputError(() =>
        parse(text.slice(0, at) + (how === "delete" ? "" : sign) + rest, layout),
      );
      if (!(error instanceof InputError)) return;
      const said = `${error.message} ${error.hint}`;
      for (const one of secrets)
        for (const part of [one.slice(0, 8), one.slice(6, 14), one.slice(12)])
          expect(said).not.toContain(part);
      const [, line] = /^The rc file [a-z.]+:(\d+):\d+ /.exec(said) ?? [];
      // Without its closing mark, a value stays open from where it began, to the column.
      const mark = how === "delete" && /["']/.test(text[at] ?? "") ? (text[at] ?? "") : null;
      const before = mark === null ? [] : text.slice(0, at).split(mark);
      if (mark !== null && before.length % 2 === 0) {
        const above = text.slice(0, text.lastIndexOf(mark, at - 1)).split("\n");
        expect(said).toContain(`${layout}:${above.length}:${(above.at(-1) ?? "").length + 1} `);
      }
      const isLineEnd = sign === "\n" || text[at] === "\n";
      areRight.push(linesOfEdit(text, at, isLineEnd).includes(Number(line)));
    }),
    { numRuns: 2_000, seed: 1 },
  );
  expect(areRight.length).toBeGreaterThan(500);
  expect(areRight.filter((isRight) => isRight).length / areRight.length).toBeGreaterThan(0.95);
});
