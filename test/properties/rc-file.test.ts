import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Definition } from "../../src/settings/definition.ts";
import { definitionOf, keyOf, settingNames } from "../../src/settings/table.ts";
import { folderWith } from "../support/folder.ts";
import { leaks } from "../support/planted.ts";
import { type Run, runInProcess } from "../support/run.ts";
import { foreignText, plainText } from "./arbitraries.ts";
import { manyRuns, numRuns } from "./runs.ts";

const letters = fc.constantFrom(..."abcdefghijkmnpqrstuvwxyzABCDEFGH23456789");
/** A text that appears nowhere else in a document, and is too long to appear in a message by chance. */
const secrets = fc
  .tuple(
    fc.string({ unit: letters, minLength: 12, maxLength: 24 }),
    fc.constantFrom("", "+/=", "&%", "'\"", "é"),
  )
  .map(([text, rest]) => `Zq${text}${rest}K8`);

/** The keys of the settings of these kinds. */
const keysOf = (...kinds: ReadonlyArray<Definition["kind"]>): readonly string[] =>
  settingNames.filter((name) => kinds.includes(definitionOf(name).kind)).map(keyOf);
const textKeys = keysOf("url", "text", "path", "choice");
// They mean something to JavaScript, YAML or another loader.
const strangeKeys = "__proto__ constructor prototype toString $import $schema << tokne  null 1".split(" ");
const goodValues = fc.constantFrom<unknown>(
  ...["https://api.example.com/v1", "a@example.com", "text-nonce", "sha256", "http://proxy.example:3128"],
  ...[10, 0.5, 3],
);
const strangeValues = fc.oneof(
  foreignText,
  fc.constantFrom<unknown>(null, true, 1e5, -1, [], {}, ["a"], { a: { __proto__: 1 } }, "\ud800", ""),
);

type Pairs = ReadonlyArray<readonly [key: string, value: unknown]>;

/** Keys and values of an rc file, valid and invalid, with the secret in a right or a wrong place. */
function entries(secret: string): fc.Arbitrary<Pairs> {
  const kinds: ReadonlyArray<readonly [number, readonly string[], fc.Arbitrary<unknown>]> = [
    [3, keysOf("secret"), fc.constant(secret)],
    [6, textKeys, goodValues],
    [2, keysOf("number"), fc.constant(3)],
    [1, keysOf("url", "choice", "number"), fc.constant(secret)],
    [1, [...textKeys, "token"], strangeValues],
    [1, strangeKeys, goodValues],
    [1, [secret], goodValues],
  ];
  const pairs = kinds.map(([weight, keys, value]) => ({
    weight,
    arbitrary: fc.tuple(fc.constantFrom(...keys), value),
  }));
  return fc.array(fc.oneof(...pairs), { maxLength: 6 });
}

const scalar = (value: unknown): string => JSON.stringify(value) ?? "null";

function asJson(pairs: Pairs, profile: string | null): string {
  const body = `{\n  ${pairs.map(([key, value]) => `${scalar(key)}: ${scalar(value)}`).join(",\n  ")}\n}`;
  return profile === null ? body : `{ "profiles": { ${scalar(profile)}: ${body} } }`;
}

function asYaml(pairs: Pairs, profile: string | null, secret: string): string {
  const indent = profile === null ? "" : "    ";
  const lines = pairs.map(
    ([key, value]) => `${indent}${/^\w+$/.test(key) ? key : scalar(key)}: ${scalar(value)}`,
  );
  const head = profile === null ? [] : ["profiles:", `  ${scalar(profile)}:`];
  return [`# ${secret}`, ...head, ...lines, ""].join("\n");
}

// Changes that make a valid document almost valid, or give it another meaning for a careless reader.
const disturbances = fc.constantFrom(
  ...Array.from("{}[]:,\"'\\#\t\n\r\0|>@`\ufeff\u2028\ud800"),
  ...["&a ", "*a", "!!js/function ", "!!binary ", "!tag ", "---\n", "...\n", "%YAML 1.1\n", "<<: ", "? "],
  ...["- ", "{{"],
);

/** A document with its secret: as it was built, or disturbed, cut off, or no document at all. */
const documents: fc.Arbitrary<{ readonly secret: string; readonly bytes: Uint8Array }> = secrets.chain(
  (secret) => {
    const profile = fc.option(fc.oneof(plainText, fc.constantFrom(...strangeKeys)), { nil: null });
    const built = fc
      .tuple(entries(secret), profile, fc.boolean())
      .map(([pairs, profile, json]) => (json ? asJson(pairs, profile) : asYaml(pairs, profile, secret)));
    const changes = fc.array(fc.tuple(fc.nat(400), fc.nat(3), disturbances), { minLength: 1, maxLength: 3 });
    const disturbed = fc.tuple(built, changes).map(([text, changes]) =>
      changes.reduce((before, [at, drop, put]) => {
        const index = at % (before.length + 1);
        return before.slice(0, index) + put + before.slice(index + drop);
      }, text),
    );
    const cut = fc.tuple(built, fc.nat(400)).map(([text, at]) => text.slice(0, at % (text.length + 1)));
    const foreign = foreignText.map((text) => `${text}${secret}${text}`);
    const texts = fc.oneof(built, disturbed, cut, foreign).map((text) => Buffer.from(text));
    const some = fc.uint8Array({ maxLength: 60 });
    const binary = fc.tuple(some, some).map(([a, b]) => Buffer.concat([a, Buffer.from(secret), b]));
    return fc
      .oneof({ arbitrary: texts, weight: 9 }, { arbitrary: binary, weight: 1 })
      .map((bytes) => ({ secret, bytes }));
  },
);

async function configOf(file: string, bytes: Uint8Array | string): Promise<Run> {
  writeFileSync(file, bytes, { mode: 0o600 });
  return runInProcess(["config", "--json", "--config", file]);
}

/** Settings of the table with their secrets masked, or exit 3 and an error that shows nothing of the file. */
function holds(run: Run, secret: string): void {
  const shown = JSON.parse(run.stdout);
  expect([0, 3]).toContain(run.exitCode);
  expect(shown.ok).toBe(run.exitCode === 0);
  if (shown.error !== null) {
    expect(shown.error.code).toBe(3);
    expect(leaks(run.everything, [secret])).toEqual([]);
    return;
  }
  const settings: readonly Record<"name" | "value" | "problem", string | null>[] = shown.settings;
  expect(run.stderr).toBe("");
  expect(settings.map(({ name }) => name)).toEqual(settingNames.map(keyOf));
  for (const { name, value, problem } of settings) {
    expect(leaks(problem ?? "", [secret])).toEqual([]);
    if (name === "token" || name === "secret") expect(["[secret]", "[invalid]", null]).toContain(value);
    if (problem !== null) expect(value).not.toContain(secret);
  }
}

const prototype = (): string => JSON.stringify(Reflect.ownKeys(Object.prototype).map(String));
const before = prototype();

test(
  "whatever an rc file holds: its settings, or exit 3 without its content; prototypes stay as they are",
  manyRuns,
  async () => {
    const folder = folderWith();
    const names = fc.constantFrom(".referralrc", ".referralrc.json", ".referralrc.yaml");
    let valid = 0;
    await fc.assert(
      fc.asyncProperty(names, documents, async (name, { secret, bytes }) => {
        const run = await configOf(join(folder, name), bytes);
        holds(run, secret);
        valid += run.exitCode === 0 ? 1 : 0;
        expect(prototype()).toBe(before);
        expect({}).not.toHaveProperty("a");
      }),
      { numRuns },
    );
    expect(Math.min(valid, numRuns - valid), "the documents are of both kinds").toBeGreaterThan(numRuns / 50);
  },
);
