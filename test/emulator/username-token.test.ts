import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseWsse, unusualShapes } from "../../src/emulator/username-token.ts";
import type { ConventionName } from "../../src/wsse/digest.ts";
import { wsseHeader } from "../../src/wsse/header.ts";
import { processorTime } from "../support/processor-time.ts";

const token = { username: "me@example.com", passwordDigest: "ZGlnZXN0", nonce: "00ff", created: "2026" };
const [username, digest, nonce, created] = [
  'Username="me@example.com"',
  'PasswordDigest="ZGlnZXN0"',
  'Nonce="00ff"',
  'Created="2026"',
];

const headerOf = (...parts: readonly string[]): string => `UsernameToken ${parts.join(", ")}`;
const withNonce = (text: string): string => headerOf(username, digest, `Nonce="${text}"`, created);
const printable = "Nonce is not 1 to 128 printable ASCII characters";
const unquoted = "X-WSSE has Username without a value in double quotes";
const tokenType = "X-WSSE does not begin with UsernameToken and a space";
const fifth = "X-WSSE has an attribute Realm; it may only have Username, PasswordDigest, Nonce, Created";

test.each<[string, string, string | typeof token]>([
  ["the documented order", headerOf(username, digest, nonce, created), token],
  ["another order", headerOf(created, nonce, digest, username), token],
  ["no white space", `UsernameToken ${username},${digest},${nonce},${created}`, token],
  ["more of it", `UsernameToken \t ${username} ,\t${digest}  ,  ${nonce}, ${created}`, token],
  [
    "white space around =",
    headerOf('Username = "me@example.com"', digest, nonce, 'Created\t= "2026"'),
    token,
  ],
  ["an empty value", "", tokenType],
  ["another token type", `Basic ${username}`, tokenType],
  ["the type in lower case", `usernametoken ${username}`, tokenType],
  ["no space behind the type", `UsernameToken${username}`, tokenType],
  ["the type alone", "UsernameToken ", 'X-WSSE has no name="value" at character 15'],
  ["a missing attribute", headerOf(username, digest, nonce), "X-WSSE has no Created"],
  ["several missing ones", headerOf(username), "X-WSSE has no PasswordDigest, Nonce, Created"],
  ["one twice", headerOf(username, username), "X-WSSE has Username twice"],
  ["a fifth", headerOf(username, 'Realm="x"'), fifth],
  ["a name in lower case", headerOf(username, 'nonce="x"'), "X-WSSE has an attribute nonce; write Nonce"],
  ["a value without quotes", "UsernameToken Username=x", unquoted],
  ["single quotes", "UsernameToken Username='x'", unquoted],
  ["an empty value of one", 'UsernameToken Username=""', unquoted],
  ["an open quote", 'UsernameToken Username="x', unquoted],
  ["an escaped quote", 'UsernameToken Username="a\\"b"', "X-WSSE has no comma at character 28"],
  ["no comma", `UsernameToken ${username} ${digest}`, "X-WSSE has no comma at character 40"],
  ["two commas", `UsernameToken ${username},, ${digest}`, 'X-WSSE has no name="value" at character 41'],
  ["a comma at the end", headerOf(username, digest, nonce, created, ""), 'X-WSSE has no name="value" at cha'],
  ["an empty nonce", withNonce(""), "X-WSSE has Nonce without a value"],
  ["129 characters of nonce", withNonce("a".repeat(129)), printable],
  ["a tabulator in the nonce", withNonce("a\tb"), printable],
  ["a nonce outside ASCII", withNonce("\u00e4"), printable],
  ["text behind", `${headerOf(username, digest, nonce, created)}; x`, "X-WSSE has no comma at character"],
])("reads %s", (_title, value, expected) => {
  const parsed = parseWsse(value);
  expect(parsed).toEqual(typeof expected === "string" ? expect.stringContaining(expected) : expected);
});

test("reads back what was written, in every order and with every nonce of 1 to 128 printable characters", () => {
  const text = fc.stringMatching(/^[^"\r\n]+$/);
  const nonces = fc.stringMatching(/^[ !#-~]{1,128}$/);
  const values = fc.record({ Username: text, PasswordDigest: text, Nonce: nonces, Created: text });
  const names = ["Username", "PasswordDigest", "Nonce", "Created"] as const;
  fc.assert(
    fc.property(values, fc.shuffledSubarray([...names], { minLength: 4 }), (given, order) => {
      const { Username, PasswordDigest, Nonce, Created } = given;
      const read = { username: Username, passwordDigest: PasswordDigest, nonce: Nonce, created: Created };
      expect(parseWsse(headerOf(...order.map((name) => `${name}="${given[name]}"`)))).toEqual(read);
    }),
  );
});

test("no text makes it throw, or appears in the problem", () => {
  const pieces = ["UsernameToken ", 'Username="S3CRET"', 'Nonce="S3CRET"', ", ", '"', "=", "S3CRET"];
  const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(fc.array(piece), (texts) => {
      const parsed = parseWsse(texts.join(""));
      if (typeof parsed === "string") expect(parsed).not.toContain("S3CRET");
    }),
  );
});

test("refuses a long header of almost the right shape in less than half a second", async () => {
  const { milliseconds } = await processorTime(() => {
    parseWsse(`UsernameToken ${"\t ".repeat(100_000)}`);
    parseWsse(`UsernameToken ${username}${" ".repeat(200_000)}x`);
    parseWsse(`UsernameToken Username="${"a".repeat(200_000)}`);
  });
  expect(milliseconds).toBeLessThan(500);
});

describe("the specification's shapes", () => {
  const hex = "00ff10203040506070809010a0b0c0d0e0f00102";
  const base64 = Buffer.from(hex, "hex").toString("base64");
  const time = "2026-11-21T03:31:00+00:00";
  const notes = (text: { nonce?: string; created?: string }, digest: ConventionName = "text-nonce") => {
    const used = { ...token, nonce: hex, created: time, ...text };
    return unusualShapes(wsseHeader(used), used, digest);
  };

  test.each([
    ["text-nonce", hex, true],
    ["text-nonce", hex.toUpperCase(), true],
    ["decoded-nonce", hex, true],
    ["hex-digest", hex, true],
    ["text-nonce", hex.slice(1), false],
    ["text-nonce", `${hex}0`, false],
    ["text-nonce", `${hex.slice(1)}g`, false],
    ["text-nonce", base64, false],
    ["base64-nonce", base64, true],
    ["base64-nonce", hex, false],
    ["base64-nonce", base64.replace("=", ""), false],
    ["base64-nonce", Buffer.alloc(20, 0xff).toString("base64").replaceAll("/", "_"), false],
    ["base64-nonce", Buffer.alloc(21).toString("base64"), false],
  ] as const)("under %s, the nonce %s has one: %s", (digest, nonce, fits) => {
    const description = digest === "base64-nonce" ? "the base64 of 20 bytes" : "40 hexadecimal characters";
    expect(notes({ nonce }, digest)).toEqual(fits ? [] : [`Nonce is not ${description}`]);
  });

  test.each([
    [time, true],
    ["2026-11-21T05:01:00+01:30", true],
    ["2026-11-21T03:31:00Z", false],
    ["2026-11-21T03:31:00.000+00:00", false],
    ["2026-11-21T03:31:00+0000", false],
    ["20261121T033100+0000", false],
  ])("the time %s has one: %s", (created, fits) => {
    expect(notes({ created })).toEqual(fits ? [] : ["Created is not of the form YYYY-MM-DDThh:mm:ss+00:00"]);
  });

  test.each([
    ["the documented order", `UsernameToken ${username}, ${digest}, ${nonce}, ${created}`, true],
    ["no white space after commas", `UsernameToken ${username},${digest},${nonce},${created}`, true],
    ["another order", `UsernameToken ${created}, ${nonce}, ${digest}, ${username}`, false],
    ["white space around =", `UsernameToken ${username}, ${digest}, ${nonce}, Created = "2026"`, false],
  ])("the layout with %s has one: %s %s", (_title, value, fits) => {
    const note =
      'X-WSSE does not have the form name="value" in the order Username, PasswordDigest, Nonce, Created';
    const found = unusualShapes(value, { ...token, nonce: hex, created: time }, "text-nonce");
    expect(found).toEqual(fits ? [] : [note]);
  });
});
