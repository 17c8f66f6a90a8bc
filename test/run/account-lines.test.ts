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
  ["north", { profile: "north", token: 1 }],
  ["north", { profile: "north", unknown: "x" }],
  ["me@example.com", { profile: "me@example.com", username: "me@example.com", timeout: "x" }],
  [null, { profile: 1, token: hidden }],
  [null, { profile: "", token: 5 }],
  ["the [secret]", { profile: `the ${hidden}`, token: hidden, x: 1 }],
  ["the [secret]", { profile: `the ${hidden}`, tokens: { deep: [hidden] } }],
  ["the [secret]", { profile: `the ${hidden}`, [hidden]: 1 }],
  ["the [secret]", { profile: "the 123456", token: 123456 }],
  ["the [secret]", { profile: `the ${hidden}`, proxy: `http://me:${hidden}@proxy.example`, timeout: "x" }],
])("a wrong line keeps its name where it can be read, without its secrets: %s", (profile, line) => {
  expect(parsed(JSON.stringify(line))).toMatchObject({ profile, own: null, error: expect.any(InputError) });
});

test("a line with a key twice has no name, since the name may be the secret that the second value replaced", () => {
  const line = `{"profile":"${hidden}","token":"${hidden}","token":"other"}`;
  expect(parsed(line)).toMatchObject({ profile: null, error: expect.any(InputError) });
});

test.each([
  ["tokn", "Did you mean token? Use only these keys: profile, "],
  ["user_name", "Did you mean username? Use only these keys: "],
  [hidden, "Use only these keys: "],
])("for the unknown key %s, the hint names the one that is meant, and no other", (key, hint) => {
  const { error } = parsed(JSON.stringify({ [key]: "x" })) ?? {};
  expect(error?.message).toBe("line 12 of --accounts has a key that is not allowed");
  expect(error?.hint.startsWith(hint)).toBe(true);
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

test("brackets within a text are no levels, and a profile may have 1,000 characters", () => {
  const profile = "[".repeat(1_000);
  expect(parsed(JSON.stringify({ profile, token: '\\"{' }))).toMatchObject({ profile, error: null });
});
