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

test.each([
  ["the documented order", `UsernameToken ${username}, ${digest}, ${nonce}, ${created}`],
  ["another order", `UsernameToken ${created}, ${nonce}, ${digest}, ${username}`],
  ["no white space behind the commas", `UsernameToken ${username},${digest},${nonce},${created}`],
  ["more white space", `UsernameToken \t ${username} ,\t${digest}  ,  ${nonce}, ${created}`],
  [
    "white space around =",
    `UsernameToken Username = "me@example.com", ${digest}, ${nonce}, Created\t= "2026"`,
  ],
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
      "an attribute Realm; it may only have Username, PasswordDigest, Nonce, Created",
    ],
    ["a name in lower case", `UsernameToken ${username}, nonce="x"`, "an attribute nonce; write Nonce"],
    ["a value without quotes", "UsernameToken Username=x", "Username without a value in double quotes"],
    ["single quotes", "UsernameToken Username='x'", "Username without a value in double quotes"],
    ["an empty value of one", 'UsernameToken Username=""', "Username without a value in double quotes"],
    ["an escaped quote", 'UsernameToken Username="a\\"b"', "no comma at character 28"],
    ["an open quote", 'UsernameToken Username="x', "Username without a value in double quotes"],
    ["no comma", `UsernameToken ${username} ${digest}`, "no comma at character 40"],
    ["two commas", `UsernameToken ${username},, ${digest}`, 'no name="value" at character 41'],
    [
      "a comma at the end",
      `UsernameToken ${username}, ${digest}, ${nonce}, ${created},`,
      'no name="value" at character',
    ],
    ["an empty nonce", `UsernameToken ${username}, ${digest}, Nonce="", ${created}`, "Nonce without a value"],
    [
      "129 characters of nonce",
      `UsernameToken ${username}, ${digest}, Nonce="${"a".repeat(129)}", ${created}`,
      "Nonce is not 1 to 128 printable ASCII characters",
    ],
    [
      "a tabulator in the nonce",
      `UsernameToken ${username}, ${digest}, Nonce="a\tb", ${created}`,
      "Nonce is not 1 to 128",
    ],
    [
      "a nonce outside ASCII",
      `UsernameToken ${username}, ${digest}, Nonce="\u00e4", ${created}`,
      "Nonce is not 1 to 128",
    ],
    ["text behind", `UsernameToken ${username}, ${digest}, ${nonce}, ${created}; x`, "no comma at character"],
  ])("%s", (_title, value, problem) => {
    expect(parseWsse(value)).toEqual({ kind: "malformed", problem: expect.stringContaining(problem) });
  });
});

test("reads back what was written, in every order and with every nonce of 1 to 128 printable characters", () => {
  const text = fc.stringMatching(/^[^"\r\n]+$/);
  const printable = fc.stringMatching(/^[ !#-~]{1,128}$/);
  fc.assert(
    fc.property(
      fc.record({ username: text, passwordDigest: text, nonce: printable, created: text }),
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

test("no text makes it throw, or appears in the problem", () => {
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
