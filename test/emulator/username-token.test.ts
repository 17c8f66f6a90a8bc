import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createdSeconds, parseWsse } from "../../src/emulator/username-token.ts";
import { createdAt } from "../../src/wsse/header.ts";
import { processorTime } from "../support/processor-time.ts";

const token = { username: "me@example.com", passwordDigest: "ZGlnZXN0", nonce: "00ff", created: "2026" };
const [username, digest, nonce, created] = [
  'Username="me@example.com"',
  'PasswordDigest="ZGlnZXN0"',
  'Nonce="00ff"',
  'Created="2026"',
];

test.each([
  ["the documented order", `UsernameToken ${username}, ${digest}, ${nonce}, ${created}`],
  ["another order", `UsernameToken ${created}, ${nonce}, ${digest}, ${username}`],
  ["no white space behind the commas", `UsernameToken ${username},${digest},${nonce},${created}`],
  ["more white space", `UsernameToken \t ${username} ,\t${digest}  ,  ${nonce}, ${created}`],
])("reads the four attributes: %s", (_title, value) => {
  expect(parseWsse(value)).toEqual({ kind: "parsed", token });
});

describe("refuses", () => {
  test.each([
    ["an empty value", "", "does not begin with UsernameToken"],
    ["another token type", `Basic ${username}`, "does not begin with UsernameToken"],
    ["the type in lower case", `usernametoken ${username}`, "does not begin with UsernameToken"],
    ["no space behind the type", `UsernameToken${username}`, "does not begin with UsernameToken"],
    ["the type alone", "UsernameToken ", 'no name="value" at character 15'],
    ["a missing attribute", `UsernameToken ${username}, ${digest}, ${nonce}`, "has no Created"],
    ["several missing ones", `UsernameToken ${username}`, "has no PasswordDigest, Nonce, Created"],
    ["one twice", `UsernameToken ${username}, ${username}`, "has Username twice"],
    [
      "a fifth",
      `UsernameToken ${username}, Realm="x"`,
      "other than Username, PasswordDigest, Nonce, Created",
    ],
    ["a name in lower case", 'UsernameToken username="x"', "other than Username"],
    ["a value without quotes", "UsernameToken Username=x", 'no name="value" at character 15'],
    ["single quotes", "UsernameToken Username='x'", 'no name="value" at character 15'],
    ["an empty value of one", 'UsernameToken Username=""', 'no name="value" at character 15'],
    ["white space around =", 'UsernameToken Username = "x"', 'no name="value" at character 15'],
    ["a backslash", 'UsernameToken Username="a\\"b"', 'no name="value" at character 15'],
    ["an open quote", 'UsernameToken Username="x', 'no name="value" at character 15'],
    ["no comma", `UsernameToken ${username} ${digest}`, "no comma at character 40"],
    ["two commas", `UsernameToken ${username},, ${digest}`, 'no name="value" at character 41'],
    [
      "a comma at the end",
      `UsernameToken ${username}, ${digest}, ${nonce}, ${created},`,
      'no name="value" at character',
    ],
    ["text behind", `UsernameToken ${username}, ${digest}, ${nonce}, ${created}; x`, "no comma at character"],
  ])("%s", (_title, value, problem) => {
    expect(parseWsse(value)).toEqual({ kind: "malformed", problem: expect.stringContaining(problem) });
  });
});

test("whatever the four attributes hold comes back, in every order", () => {
  const text = fc.stringMatching(/^[^"\\\r\n]+$/);
  fc.assert(
    fc.property(
      fc.record({ username: text, passwordDigest: text, nonce: text, created: text }),
      fc.shuffledSubarray(["Username", "PasswordDigest", "Nonce", "Created"] as const, { minLength: 4 }),
      (values, order) => {
        const valueByName = {
          Username: values.username,
          PasswordDigest: values.passwordDigest,
          Nonce: values.nonce,
          Created: values.created,
        };
        const header = `UsernameToken ${order.map((name) => `${name}="${valueByName[name]}"`).join(", ")}`;
        expect(parseWsse(header)).toEqual({ kind: "parsed", token: values });
      },
    ),
  );
});

test("no text makes it throw, or quotes what was sent", () => {
  const piece = fc.constantFrom(
    "UsernameToken ",
    'Username="S3CRET"',
    'Nonce="S3CRET"',
    ", ",
    '"',
    "=",
    "S3CRET",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ unit: "binary" }))), (pieces) => {
      const parsed = parseWsse(pieces.join(""));
      if (parsed.kind === "malformed") expect(parsed.problem).not.toContain("S3CRET");
    }),
  );
});

test("a long header of almost the right shape is refused in no time", async () => {
  const { milliseconds } = await processorTime(() => {
    parseWsse(`UsernameToken ${"\t ".repeat(100_000)}`);
    parseWsse(`UsernameToken ${username}${" ".repeat(200_000)}x`);
    parseWsse(`UsernameToken Username="${"a".repeat(200_000)}`);
  });
  expect(milliseconds).toBeLessThan(500);
});

describe("Created", () => {
  const at = Date.UTC(2026, 10, 21, 3, 31, 0) / 1000;

  test.each([
    ["2026-11-21T03:31:00+00:00", at],
    ["2026-11-21T03:31:00-00:00", at],
    ["2026-11-21T03:31:00Z", at],
    ["2026-11-21T05:01:00+01:30", at],
    ["2026-11-20T22:31:00-05:00", at],
    ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29) / 1000],
  ])("%s is a time", (created, seconds) => {
    expect(createdSeconds(created)).toBe(seconds);
  });

  test.each([
    ["a day that does not exist", "2026-02-30T00:00:00Z"],
    ["29 February of no leap year", "2026-02-29T00:00:00Z"],
    ["month 13", "2026-13-01T00:00:00Z"],
    ["month 0", "2026-00-01T00:00:00Z"],
    ["24 o'clock", "2026-11-21T24:00:00Z"],
    ["minute 60", "2026-11-21T03:60:00Z"],
    ["a leap second", "2016-12-31T23:59:60Z"],
    ["no offset", "2026-11-21T03:31:00"],
    ["an offset without a colon", "2026-11-21T03:31:00+0000"],
    ["an offset of 24 hours", "2026-11-21T03:31:00+24:00"],
    ["an offset with 60 minutes", "2026-11-21T03:31:00+00:60"],
    ["milliseconds", "2026-11-21T03:31:00.000Z"],
    ["a space in place of T", "2026-11-21 03:31:00Z"],
    ["lower case", "2026-11-21t03:31:00z"],
    ["a number", "1795231860"],
    ["a line end behind it", "2026-11-21T03:31:00Z\n"],
    ["nothing", ""],
  ])("%s is none: %s", (_title, created) => {
    expect(createdSeconds(created)).toBeNull();
  });

  test("reads back whatever the client writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1000, 0), max: Date.UTC(9999, 0) }), (now) => {
        expect(createdSeconds(createdAt(now))).toBe(Math.floor(now / 1000));
      }),
    );
  });
});
