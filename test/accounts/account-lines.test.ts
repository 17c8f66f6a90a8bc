import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAccount } from "../../src/accounts/account-lines.ts";
import { InputError } from "../../src/errors.ts";
import { describeSource } from "../../src/settings/source.ts";
import { numRuns } from "../properties/runs.ts";

const parsed = (text: string | Uint8Array | null, line = 12) =>
  parseAccount(typeof text === "string" ? Buffer.from(text) : text, line);

test("a line sets the values of an account, and each says its line", () => {
  const line = { profile: "a", baseUrl: "https://x", token: "t", timeout: 1.5, retry: 2, proxy: "http://p" };
  const account = parsed(JSON.stringify(line));
  const own = [...(account?.own?.values() ?? [])];
  expect(account).toMatchObject({ profile: "a", error: null });
  expect(own.map(({ setting, text }) => [setting, text])).toEqual([
    ["baseUrl", "https://x"],
    ["token", "t"],
    ["timeout", "1.5"],
    ["retry", "2"],
    ["proxy", "http://p"],
  ]);
  for (const { setting, source } of own)
    expect(describeSource(source)).toBe(`${setting} in line 12 of --accounts`);
});

test.each(["", " ", "\t\r", "\r"])("%j is an empty line", (text) => {
  expect(parsed(text)).toBeNull();
});

test("an empty name is no name", () => {
  expect(parsed('{"profile":"","token":"t"}')).toMatchObject({ profile: null, error: null });
  expect(parsed('{"profile":"","token":5}')).toMatchObject({ profile: null, own: null });
});

test("a line that Windows ended is a line like any other", () => {
  expect(parsed('{"profile":"a"}\r')).toMatchObject({ profile: "a" });
});

const hidden = "s3cret-content";

test.each<readonly [string, string | Uint8Array | null]>([
  ["broken JSON", `{"token":"${hidden}"`],
  ["two objects", `{"token":"${hidden}"} {}`],
  ["an array", `["${hidden}"]`],
  ["a text", `"${hidden}"`],
  ["null", "null"],
  ["an unknown key", `{"${hidden}":"x"}`],
  ["an unknown key with a known prefix", `{"tokens":"${hidden}"}`],
  ["a file", `{"tokenFile":"/etc/${hidden}"}`],
  ["a secret's file", `{"secretFile":"/etc/${hidden}"}`],
  ["CA certificates", `{"caCert":"/etc/${hidden}"}`],
  ["a command", `{"tokenCommand":["${hidden}"]}`],
  ["a setting of the run", `{"concurrency":5}`],
  ["profiles", `{"profiles":{"${hidden}":{}}}`],
  ["a prototype", `{"__proto__":{"token":"${hidden}"}}`],
  ["a constructor", `{"constructor":"${hidden}"}`],
  ["a text for a number", `{"timeout":"${hidden}"}`],
  ["a number for a text", '{"token":12345}'],
  ["null for a text", '{"token":null}'],
  ["an object for a text", `{"token":{"x":"${hidden}"}}`],
  ["a number as profile", '{"profile":1}'],
  ["an empty token", '{"token":""}'],
  ["a key twice", `{"token":"${hidden}","token":"other"}`],
  ["a key twice, once escaped", `{"token":"${hidden}","\\u0074oken":"other"}`],
  [
    "bytes that are no UTF-8",
    Buffer.concat([Buffer.from(`{"token":"${hidden}`), Buffer.from([0xff, 0x22, 0x7d])]),
  ],
  ["a byte order mark", `\ufeff{"token":"${hidden}"}`],
  ["too many bytes", null],
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
  ["the [secret]", { profile: `the ${hidden}`, token: hidden, x: 1 }],
  ["the [secret]", { profile: `the ${hidden}`, tokens: { deep: [hidden] } }],
  ["the [secret]", { profile: `the ${hidden}`, [hidden]: 1 }],
  ["the [secret]", { profile: "the 123456", token: 123456 }],
])("a wrong line keeps its name where it can be read, without its secrets: %s", (profile, line) => {
  expect(parsed(JSON.stringify(line))).toMatchObject({ profile, error: expect.any(InputError) });
});

test("whatever a value or profile holds, it is not taken for a key", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), (token, profile) => {
      const account = parsed(JSON.stringify({ profile, token }));
      expect(account).toMatchObject({ profile: profile || null });
    }),
    { numRuns },
  );
  const tricky = '\\":"token":"x",';
  expect(parsed(JSON.stringify({ profile: tricky, token: tricky }))).toMatchObject({ profile: tricky });
});

test("no bytes make anything but an account, an empty line or an error of ours", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        expect(() => parsed(bytes)).not.toThrow();
      },
    ),
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

test("a line that is as long as one may be is read quickly", () => {
  const token = '\\"'.repeat(250_000);
  expect(parsed(`{"token":"${token}"}`)).toMatchObject({ profile: null });
});
