import fc from "fast-check";
import { expect, test } from "vitest";
import { createdSeconds, parseWsse, unusualShapes } from "../../src/emulator/username-token.ts";
import { createdAt, wsseHeader } from "../../src/wsse/header.ts";

const token = { username: "me@example.com", passwordDigest: "ZGlnZXN0", nonce: "00ff", created: "2026" };
const username = 'Username="me@example.com"';
const digest = 'PasswordDigest="ZGlnZXN0"';
const [nonce, created] = ['Nonce="00ff"', 'Created="2026"'];

const headerOf = (...parts: readonly string[]): string => `UsernameToken ${parts.join(", ")}`;
const withNonce = (text: string): string => headerOf(username, digest, `Nonce="${text}"`, created);
const printable = "Nonce is not 1 to 128 printable ASCII characters";
const unquoted = "X-WSSE has Username without a value in double quotes";
const tokenType = "X-WSSE does not begin with UsernameToken and a space";
const fifth = "X-WSSE has an attribute Realm; it may only have Username, PasswordDigest, Nonce, Created";
const spaced = ['Username = "me@example.com"', digest, nonce, 'Created\t= "2026"'];

test.each<[string, string, string | typeof token]>([
  ["no white space", `UsernameToken ${username},${digest},${nonce},${created}`, token],
  ["more of it", `UsernameToken \t ${username} ,\t${digest}  ,  ${nonce}, ${created}`, token],
  ["white space around =", headerOf(...spaced), token],
  ["an empty value", "", tokenType],
  ["the type in lower case", `usernametoken ${username}`, tokenType],
  ["no space behind the type", `UsernameToken${username}`, tokenType],
  ["the type alone", "UsernameToken ", 'X-WSSE has no name="value" at character 15'],
  ["one attribute", headerOf(username), "X-WSSE has no PasswordDigest, Nonce, Created"],
  ["one twice", headerOf(username, username), "X-WSSE has Username twice"],
  ["a fifth", headerOf(username, 'Realm="x"'), fifth],
  ["a name in lower case", headerOf(username, 'nonce="x"'), "X-WSSE has an attribute nonce; write Nonce"],
  ["a value without quotes", "UsernameToken Username=x", unquoted],
  ["an empty value of one", 'UsernameToken Username=""', unquoted],
  ["an open quote", 'UsernameToken Username="x', unquoted],
  ["an escaped quote", 'UsernameToken Username="a\\"b"', "X-WSSE has no comma at character 28"],
  ["no comma", `UsernameToken ${username} ${digest}`, "X-WSSE has no comma at character 40"],
  ["a comma at the end", headerOf(username, digest, nonce, created, ""), 'X-WSSE has no name="value" at cha'],
  ["129 characters of nonce", withNonce("a".repeat(129)), printable],
  ["a tabulator in the nonce", withNonce("a\tb"), printable],
  ["a nonce outside ASCII", withNonce("\u00e4"), printable],
])("reads %s", (_title, value, expected) => {
  const { parts: whole, problems } = parseWsse(value);
  if (typeof expected !== "string") expect({ whole, problems }).toEqual({ whole: expected, problems: [] });
  else expect(problems[0]).toContain(expected);
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
      const written = headerOf(...order.map((name) => `${name}="${given[name]}"`));
      expect(parseWsse(written)).toEqual({ parts: read, problems: [] });
    }),
  );
});

test("no text makes it throw, or appears in the problem", () => {
  const pieces = ["UsernameToken ", 'Username="S3CRET"', 'Nonce="S3CRET"', ", ", '"', "=", "S3CRET"];
  const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(fc.array(piece), (texts) => {
      const { problems } = parseWsse(texts.join(""));
      expect(problems.join().replaceAll(/attribute \w+/g, "")).not.toContain("S3CRET");
      expect(problems.length).toBeLessThan(6);
    }),
  );
});

const hex = "00ff10203040506070809010a0b0c0d0e0f00102";
const base64 = Buffer.from(hex, "hex").toString("base64");

test.each([
  ["text-nonce", hex.toUpperCase(), true],
  ["text-nonce", hex.slice(1), false],
  ["text-nonce", `${hex}0`, false],
  ["text-nonce", `${hex.slice(1)}g`, false],
  ["base64-nonce", base64, true],
  ["base64-nonce", base64.replace("=", ""), false],
  ["base64-nonce", Buffer.alloc(20, 0xff).toString("base64").replaceAll("/", "_"), false],
  ["base64-nonce", Buffer.alloc(21).toString("base64"), false],
] as const)("under %s, the nonce %s has the specification's shape: %s", (convention, text, fits) => {
  const used = { ...token, nonce: text, created: "2026-11-21T05:01:00+01:30" };
  const shape = convention === "base64-nonce" ? "the base64 of 20 bytes" : "40 hexadecimal characters";
  const notes = unusualShapes(wsseHeader(used), parseWsse(wsseHeader(used)), convention);
  expect(notes).toEqual(fits ? [] : [`Nonce is not ${shape}`]);
});

test.each([
  ["no white space after commas", `UsernameToken ${username},${digest},${nonce},${created}`, true],
  ["another order", headerOf(created, nonce, digest, username), false],
  ["white space around =", headerOf(...spaced), false],
])("the layout with %s has the specification's shape: %s %s", (_title, value, fits) => {
  const note =
    'X-WSSE does not have the form name="value" in the order Username, PasswordDigest, Nonce, Created';
  const usual = value.replace(nonce, `Nonce="${hex}"`).replace("2026", "2026-11-21T03:31:00+00:00");
  expect(unusualShapes(usual, parseWsse(usual), "text-nonce")).toEqual(fits ? [] : [note]);
});

test.each([
  "2026-11-21T03:31:00Z",
  "2026-11-21T03:31:00-00:00",
  "2026-11-21T03:31:00.999999999Z",
  "2026-11-21T03:31:00,5+00:00",
  "20261121T033100.123+0000",
  "20261121T0331+00",
])("reads the time %s", (created) => {
  expect(createdSeconds(created)).toBe(Date.UTC(2026, 10, 21, 3, 31, 0) / 1000);
});

test.each([
  ["a day that does not exist", "2026-02-30T00:00:00Z"],
  ["hours alone", "2026-11-21T03Z"],
  ["a fraction of a minute", "2026-11-21T03:31.5Z"],
  ["24:00", "2026-11-21T24:00:00Z"],
  ["a leap second", "2016-12-31T23:59:60Z"],
  ["no time zone", "2026-11-21T03:31:00"],
  ["an offset of 24 hours", "2026-11-21T03:31:00+24:00"],
  ["an offset of 60 minutes", "2026-11-21T03:31:00+00:60"],
  ["a date with one dash", "2026-1121T03:31:00Z"],
  ["a time with one colon", "2026-11-21T03:3100Z"],
  ["an empty fraction", "2026-11-21T03:31:00.Z"],
  ["a space in place of T", "2026-11-21 03:31:00Z"],
  ["lower case", "2026-11-21t03:31:00z"],
  ["a line end", "2026-11-21T03:31:00Z\n"],
  ["text before", " 2026-11-21T03:31:00Z"],
])("refuses the time with %s: %s", (_title, created) => {
  expect(createdSeconds(created)).toBeNull();
});

test("every time from year 0 to 9999 is read as the client writes it, and in every form and time zone", () => {
  const time = fc.integer({ min: Date.parse("0000-01-02"), max: Date.parse("9999-12-30") });
  const offset = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
  fc.assert(
    fc.property(time, offset, fc.constantFrom("", ":"), (now, minutes, colon) => {
      const seconds = Math.floor(now / 1000);
      const text = new Date(now).toISOString();
      const [date = "", clock = ""] = text.split(/[T.]/);
      const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
      const sign = minutes < 0 ? "-" : "+";
      const hours = sign + two(Math.abs(minutes) / 60);
      const basic = `${date.replaceAll("-", "")}T${clock.replaceAll(":", "")}Z`;
      for (const one of [createdAt(now), text, basic]) expect(createdSeconds(one)).toBe(seconds);
      const local = createdSeconds(`${date}T${clock}${hours}${colon}${two(Math.abs(minutes) % 60)}`);
      expect(local).toBe(seconds - minutes * 60);
      // A zone of whole hours, and a time of whole minutes.
      const short = createdSeconds(`${date}T${clock.slice(0, 5)}${hours}`);
      expect(short).toBe(seconds - (((seconds % 60) + 60) % 60) - Math.trunc(minutes / 60) * 3600);
    }),
    { examples: [[Date.parse("2024-02-29"), -330, ":"]] },
  );
});
