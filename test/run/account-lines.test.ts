import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import { parseAccount } from "../../src/run/account-lines.ts";
import { describeSource } from "../../src/settings/source.ts";
import { numRuns } from "../properties/runs.ts";

const parsed = (text: string | Uint8Array | null) =>
  parseAccount(typeof text === "string" ? Buffer.from(text) : text, 12);

test("a line sets the values of an account, and each says its line", () => {
  const own = { baseUrl: "https://x", token: "t", timeout: 1.5, retry: 2, proxy: "http://p" };
  const account = parsed(JSON.stringify({ profile: "a", ...own }));
  const values = [...(account?.own?.values() ?? [])];
  expect(account).toMatchObject({ profile: "a", error: null });
  expect(values.map(({ setting, text, source }) => [setting, text, describeSource(source)])).toEqual(
    Object.entries(own).map(([key, value]) => [key, String(value), `${key} in line 12 of --accounts`]),
  );
});

test("null for a key sets nothing, as SQL writes it", () => {
  const keys = "profile baseUrl token username secret digest hash authorization timeout retry proxy".split(
    " ",
  );
  const line = Object.fromEntries(keys.map((key) => [key, null]));
  expect(parsed(JSON.stringify(line))).toEqual({ profile: null, own: new Map(), error: null });
});

test.each(["", " ", "\t\r", "\r"])("%j is an empty line", (text) => {
  expect(parsed(text)).toBeNull();
});

const hidden = "s3cret-content";
const notUtf8 = Buffer.concat([Buffer.from(`{"token":"${hidden}`), Buffer.from([0xff, 0x22, 0x7d])]);

test.each<readonly [string, string | Uint8Array | null]>([
  ["broken JSON", `{"token":"${hidden}"`],
  ["an array", `["${hidden}"]`],
  ["a text", `"${hidden}"`],
  ["null", "null"],
  ["an unknown key", `{"${hidden}":"x"}`],
  ["a file", `{"tokenFile":"/etc/${hidden}"}`],
  ["CA certificates", `{"caCert":"/etc/${hidden}"}`],
  ["a command", `{"tokenCommand":["${hidden}"]}`],
  ["a setting of the run", `{"concurrency":5}`],
  ["another setting of the run", `{"maxWait":5}`],
  ["a prototype", `{"__proto__":{"token":"${hidden}"}}`],
  ["a constructor", `{"constructor":"${hidden}"}`],
  ["a text for a number", `{"timeout":"${hidden}"}`],
  ["a number for a text", '{"token":12345}'],
  ["null for an unknown key", `{"${hidden}":null}`],
  ["null and a value", `{"token":null,"token":"${hidden}"}`],
  ["a number as profile", '{"profile":1}'],
  ["an empty token", '{"token":""}'],
  ["a key twice", `{"token":"${hidden}","token":"other"}`],
  ["a key twice, once escaped", `{"token":"${hidden}","\\u0074oken":"other"}`],
  ["bytes that are no UTF-8", notUtf8],
  ["a byte order mark", `\ufeff{"token":"${hidden}"}`],
  ["too many bytes", null],
  ["33 levels", `{"${hidden}":${"[".repeat(32)}${"]".repeat(32)}}`],
  ["5,000 levels", `{"profile":"${hidden}","token":${"[".repeat(5_000)}${"]".repeat(5_000)}}`],
  [
    "a profile of 1,001 characters",
    JSON.stringify({ profile: hidden.repeat(80).slice(0, 1_001), token: "t" }),
  ],
])("a line with %s is an error that names its number and quotes nothing", (_, text) => {
  const wrong = parsed(text);
  expect(wrong).toMatchObject({ own: null, error: expect.any(InputError) });
  const { kind, message, hint } = wrong?.error ?? new InputError("usage", "", "");
  expect(kind).toBe("settings");
  expect(message).toMatch(/^line 12 of --accounts /);
  expect(message + hint).not.toContain(hidden);
});

test.each([
  [{ [hidden]: "x" }, "first"],
  [{ profile: hidden, token: hidden, user_name: "x" }, "third"],
  // JavaScript lists numbers first.
  [{ profile: hidden, 5: hidden }, "second"],
  [Object.fromEntries([[hidden, { deep: [hidden] }]]), "first"],
])("an unknown key is named by its place, and nothing of the line is shown: %j", (line, place) => {
  const text = JSON.stringify(line).replace(/^{"5":("[^"]*"),(.*)}$/, '{$2,"5":$1}');
  const wrong = parsed(text);
  expect(wrong).toMatchObject({ profile: null, own: null });
  expect(wrong?.error?.message).toBe(`line 12 of --accounts has a key that is not allowed, its ${place} key`);
  expect(wrong?.error?.hint).toMatch(/^Use only these keys: profile, baseUrl, /);
});

test.each([
  ["timeout", '{"profile":"north","timeout":"10"}', "sets timeout to something that is not a number"],
  ["token", '{"token":"a","\\u0074oken":"b"}', "sets token twice"],
  ["token", '{"token":null,"token":"b"}', "sets token twice"],
  ["token", '{"profile":"north","token":""}', "sets token to an empty text"],
  ["an escaped key", '{"profile":"north","\\u0074oken":5}', "sets token to something that is not text"],
  ["its bytes", notUtf8, "is not UTF-8 text"],
])("a line that is wrong at %s has no name and says what is wrong", (_, line, problem) => {
  expect(parsed(line)).toMatchObject({
    profile: null,
    error: { message: `line 12 of --accounts ${problem}` },
  });
});

test("whatever a value or profile holds, it is not taken for a key", () => {
  const tricky = '\\":"token":"x",';
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), (token, profile) => {
      const account = parsed(JSON.stringify({ profile, token }));
      expect(account).toMatchObject({ profile: profile || null, error: null });
    }),
    { numRuns, examples: [[tricky, tricky]] },
  );
});

test("no bytes make anything but an account, an empty line or an error of ours", () => {
  const json = fc.json().map((text) => Buffer.from(text));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), json), (bytes) => {
      expect(() => parsed(bytes)).not.toThrow();
    }),
    { numRuns },
  );
});

test("the page about accounts names every key of a line", () => {
  const refusal = parsed('{"unknown":1}');
  const keys = refusal?.error?.hint.match(/\w+(?=,|$)/g) ?? [];
  const page = readFileSync(new URL("../../docs/many-accounts.md", import.meta.url), "utf8");
  const named = page.split("A line can hold")[1]?.split(". ")[0] ?? "";
  expect(keys.length).toBeGreaterThan(8);
  expect(named.match(/(?<=`)\w+(?=`)/g)?.toSorted()).toEqual(keys.toSorted());
});

test("brackets within a text are no brackets, and a profile may have 1,000 characters", () => {
  const profile = "[".repeat(1_000);
  expect(parsed(JSON.stringify({ profile, token: '\\"{' }))).toMatchObject({ profile, error: null });
});
