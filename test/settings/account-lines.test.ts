import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import { accountInLine } from "../../src/settings/account-text.ts";
import { maxRecordBytes, recordSplitter } from "../../src/settings/csv.ts";
import { describeSource } from "../../src/settings/source.ts";
import { keyOf } from "../../src/settings/table.ts";
import { numRuns } from "../properties/runs.ts";

/** What the first line of this content says, read as line 12 of a file. */
function parsed(content: string | Uint8Array) {
  const splitter = recordSplitter(null);
  const bytes = Buffer.concat([Buffer.from("\n".repeat(11)), Buffer.from(content)]);
  const [first] = [...splitter.push(bytes), ...splitter.end()];
  return first === undefined ? null : accountInLine(first, "a.jsonl");
}

test("a line sets the values of an account, and each says its line", () => {
  const own = { baseUrl: "https://x", token: "t", timeout: 1.5, retry: 2, proxy: "http://p" };
  const account = parsed(JSON.stringify({ profile: "a", ...own }));
  const values = [...(account?.own?.values() ?? [])];
  expect(account).toMatchObject({ profile: "a", error: null });
  expect(values.map(({ setting, text, source }) => [keyOf(setting), text, describeSource(source)])).toEqual(
    Object.entries(own).map(([key, value]) => [key, String(value), `${key} in a.jsonl:12`]),
  );
});

test("null for a key sets nothing, as SQL writes it", () => {
  const line = '{"profile":null,"token":null,"timeout":null}';
  expect(parsed(line)).toEqual({ profile: null, own: new Map(), error: null, isLast: false });
});

test.each(["", " ", "\t\r", "\r"])("%j is an empty line", (text) => {
  expect(parsed(text)).toBeNull();
});

const hidden = "s3cret-content";
const notUtf8 = Buffer.concat([Buffer.from(`{"token":"${hidden}`), Buffer.from([0xff, 0x22, 0x7d])]);

const notObject = "is not a JSON object";
const unknown = (place: string) => `has a key that is not allowed, its ${place} key`;
const notText = (key: string) => `sets ${key} to something that is not text`;

test.each<readonly [string, string | Uint8Array, problem: string]>([
  ["broken JSON", `{"token":"${hidden}"`, notObject],
  ["an array", `["${hidden}"]`, notObject],
  ["a number", "5", notObject],
  ["a byte order mark", `\ufeff{"token":"${hidden}"}`, notObject],
  ["bytes that are no UTF-8", notUtf8, "is not UTF-8 text"],
  ["too many bytes", "x".repeat(maxRecordBytes + 1), "is too long"],
  ["an unknown key", `{"${hidden}":{"deep":["${hidden}"]}}`, unknown("first")],
  ["null for an unknown key", `{"${hidden}":null}`, unknown("first")],
  // JavaScript lists numbers first.
  ["a number as a key", `{"profile":"${hidden}","5":"${hidden}"}`, unknown("second")],
  ["a file", `{"profile":"${hidden}","token":"x","tokenFile":"/etc/${hidden}"}`, unknown("third")],
  ["a command", `{"tokenCommand":["${hidden}"]}`, unknown("first")],
  ["a prototype", `{"__proto__":{"token":"${hidden}"}}`, unknown("first")],
  ["a text for a number", `{"timeout":"${hidden}"}`, "sets timeout to something that is not a number"],
  ["a number for a text", '{"profile":"north","\\u0074oken":5}', notText("token")],
  ["a number as profile", '{"profile":1}', notText("profile")],
  ["5,000 levels", `{"token":${"[".repeat(5_000)}${"]".repeat(5_000)}}`, notText("token")],
  ["an empty token", '{"profile":"north","token":""}', "sets token to an empty text"],
  ["null and a value", `{"token":null,"token":"${hidden}"}`, "sets token twice"],
  ["a key twice, once escaped", `{"token":"${hidden}","\\u0074oken":"other"}`, "sets token twice"],
  [
    "a profile of 1,001 characters",
    JSON.stringify({ profile: hidden.repeat(80).slice(0, 1_001), token: "t" }),
    "has a profile of more than 1000 characters",
  ],
])("a line with %s is an error that names its number and quotes nothing", (_, text, problem) => {
  const wrong = parsed(text);
  expect(wrong).toMatchObject({ profile: null, own: null, error: expect.any(InputError) });
  expect(wrong?.error).toMatchObject({ kind: "settings", message: `line 12 of --accounts ${problem}` });
  expect(wrong?.error?.hint).not.toContain(hidden);
  const form =
    { timeout: '"timeout":10', token: '"token":"…"' }[/sets (\w+) to/.exec(problem)?.[1] ?? ""] ?? "";
  expect(wrong?.error?.hint).toMatch(new RegExp(`^[A-Z].*${form}$`));
});

test("whatever a value or profile of up to 1,000 characters holds, it is not taken for a key", () => {
  const tricky = '\\":"token":"x",';
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), (token, profile) => {
      const account = parsed(JSON.stringify({ profile, token }));
      expect(account).toMatchObject({ profile: profile || null, error: null });
    }),
    {
      numRuns,
      examples: [
        [tricky, tricky],
        ['\\"{', "[".repeat(1_000)],
      ],
    },
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
  const table = page.split("|---|---|\n")[1]?.split("\n\n")[0] ?? "";
  const named = table.replace(/\|[^|\n]*\|$/gm, "").replace(/ or `[^`]+`/g, "");
  expect(keys.length).toBeGreaterThan(8);
  expect(named.match(/(?<=`)\w+(?=`)/g)?.toSorted()).toEqual(keys.toSorted());
});
