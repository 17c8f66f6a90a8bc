import fc from "fast-check";
import { expect, test } from "vitest";
import { secretsOf } from "../../src/check/credential.ts";
import { measuredForm, readingOf } from "../../src/check/form.ts";
import { replied } from "../support/exchanges.ts";
import { explained, findingsIn, token, wsse } from "./causes/found.ts";

const hexadecimal = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });
const hex40 = hexadecimal(40);
const characters = (units: string, minLength: number, maxLength = minLength) =>
  fc.string({ unit: fc.constantFrom(...units), minLength, maxLength });
const letters = "abcdefghijklmnopqrstuvwxyz";
const alphanumeric = `${letters}${letters.toUpperCase()}0123456789`;
const printable = String.fromCodePoint(...Array.from({ length: 94 }, (_, index) => 0x21 + index));

/** How good secrets are made, and whether white space stands in them, which is told. */
const good = {
  hexadecimal: fc.oneof(...[32, 40, 64].map(hexadecimal)),
  base64: fc
    .uint8Array({ minLength: 16, maxLength: 48 })
    .chain((bytes) =>
      fc.constantFrom(...(["base64", "base64url"] as const).map((form) => Buffer.from(bytes).toString(form))),
    ),
  printable: characters(printable, 20),
  passphrase: fc
    .array(characters(letters, 3, 9), { minLength: 4, maxLength: 6 })
    .chain((words) => fc.constantFrom("-", ".", "_", "").map((between) => words.join(between))),
  generated: characters(`${alphanumeric}$%{}#~/:=`, 16, 32),
} as const;

const refused = replied({ status: 401, body: '{"code":401,"message":"No"}' });

test.each(Object.entries(good))(
  "of 100 good secrets at least 99 have no unusual form, and none takes away what to compare: %s",
  (_, secrets) => {
    const found = { secret: 0, token: 0 };
    const runs = 200;
    for (const secret of fc.sample(secrets, { numRuns: runs, seed: 1 }))
      for (const credential of [wsse({ secret }), token(secret)]) {
        const { findings, advice, diagnosisRequests } = explained({ exchange: refused, credential });
        const [last] = findings.slice(-1);
        expect(last, secret).toMatchObject({
          id: "rejected",
          fix: expect.stringMatching(/ compare .* with the account's/),
        });
        expect([advice.some((one) => one.includes(" compare ")), diagnosisRequests]).toEqual([
          true,
          expect.any(Number),
        ]);
        const forms = findings.slice(0, -1);
        expect(forms.map(({ certainty }) => certainty)).not.toContain("measured");
        // A token has one line, for it has not the documented form.
        if (credential.method === "wsse") found.secret += forms.length;
        else found.token += forms.filter(({ id }) => id !== "credential-form").length;
      }
    for (const count of Object.values(found)) expect(count).toBeLessThanOrEqual(runs / 100);
  },
);

test.each([
  ...["hunter2.key", "prod.env", "/data/x", "ABC: def", "GHIJKL_MN=foo", "~/Vq8#Rt5z", "Welcome...2026"],
  ...["correct horse battery", "a$b", "$Ab1cD", "100%", "C\\d", "R&D", "QUJDRA==", "''", "changeme", "TRUE"],
])("%s may be a secret: nothing is measured", (secret) => {
  const { findings, advice, diagnosisRequests } = explained({
    exchange: refused,
    credential: wsse({ secret }),
  });
  const certain = findings.filter(({ certainty }) => certainty !== "possible").map(({ id }) => id);
  expect([certain, advice.at(-1)?.slice(0, 7), diagnosisRequests]).toEqual([
    ["rejected"],
    "If the ",
    expect.any(Number),
  ]);
});

test("what to compare stands in the text whatever else is said", () => {
  const credential = wsse({ username: "me", secret: "'a $NAME'" });
  const hints = { hidden: [{ by: "REFERRAL_SECRET", place: "rc:3" }], setByFoundFile: ["digest at rc:2"] };
  const { findings, advice } = explained({ exchange: refused, credential, hints });
  expect(findings).toHaveLength(6);
  expect(advice).toEqual([
    expect.any(String),
    expect.any(String),
    expect.stringMatching(/ compare .*account's/),
  ]);
});

const around = characters(`${printable.replace(/[\da-f"%&<\\]/gi, "")} `, 1, 12);
const escapeAll = (text: string, write: (hexadecimal: string) => string): string =>
  [...text].map((one) => write(Buffer.from(one).toString("hex"))).join("");
/** How a token may be written, the place where it begins once it is decoded, and what is said of that. */
const wrapped: Readonly<
  Record<string, (value: string, before: string, behind: string) => readonly [string, number, string]>
> = {
  "as it is": (value, before, behind) => [`${before}${value}${behind}`, before.length + 1, ""],
  base64: (value, before) => [
    Buffer.from(before + value).toString("base64"),
    before.length + 1,
    " of its text decoded from base64",
  ],
  base64url: (value) => [
    Buffer.from(`${value}\n`).toString("base64url"),
    1,
    " of its text decoded from base64",
  ],
  percent: (value) => [`%22${value}%22`, 2, " of its text decoded from percent-encoding"],
  HTML: (value) => [escapeAll(value, (hex) => `&#x${hex};`), 1, " of its text decoded from HTML"],
  JSON: (value) => [escapeAll(value, (hex) => `\\u00${hex}`), 1, " of its text decoded from JSON escapes"],
};

test.each(Object.entries(wrapped))("a token inside a text is found at its places: %s", (_, wrap) => {
  fc.assert(
    fc.property(hex40, around, around, (value, before, behind) => {
      const [text, from, decoded] = wrap(value, before, behind);
      const reading = readingOf.token(text);
      expect(reading?.text).toBe(value);
      expect(reading?.found.endsWith(` at places ${from} to ${from + 39}${decoded}`)).toBe(true);
      const [first] = findingsIn({ exchange: refused, credential: token(text) });
      expect(first).toMatchObject({ id: "token-inside", certainty: "measured" });
      expect(JSON.stringify(first)).not.toContain(value.slice(0, 8));
      expect(secretsOf(token(text))).toContain(value);
    }),
  );
});

test("a token is measured by its length and its first character that does not belong", () => {
  fc.assert(
    fc.property(hexadecimal(12), characters("ghijkl-._", 1), fc.string(), (before, odd, behind) => {
      const length = [...(before + odd + behind)].length;
      expect(measuredForm(before + odd + behind)).toBe(
        `${length} characters, the first that is no hexadecimal digit at place 13`,
      );
    }),
  );
  expect(measuredForm("0a")).toBe("2 characters, all hexadecimal digits");
  expect(readingOf.token("0".repeat(41))).toBe(null);
});

const anyText = fc
  .string({ unit: "grapheme", minLength: 9, maxLength: 40 })
  .filter((text) => /^\P{C}+$/u.test(text));
test.each<[string, (text: string) => string, string]>([
  ["in quotation marks", (text) => `"${text}"`, "has the same quotation marks at both ends"],
  ["in curly ones", (text) => `“${text}”`, "has the same quotation marks at both ends"],
  ["in base64", (text) => Buffer.from(text).toString("base64"), "is base64 of printable text"],
  [
    "percent-encoded",
    (text) =>
      encodeURIComponent(`@${text}`).replace(/[!'()*]/g, (sign) => `%${Buffer.from(sign).toString("hex")}`),
    "is percent-encoding of printable text",
  ],
])("a secret %s is read, and all that is said is possible", (name, write, found) => {
  fc.assert(
    fc.property(anyText, (text) => {
      const secret = write(text);
      const meant = name === "percent-encoded" ? `@${text}` : text;
      expect(readingOf.secret(secret)).toMatchObject({ found, text: meant });
      expect(secretsOf(wsse({ secret }))).toContain(meant);
      const { findings } = explained({ exchange: refused, credential: wsse({ secret }) });
      expect(findings.map(({ certainty, id }) => `${certainty} ${id}`)).toContain("possible credential-form");
      expect(findings.at(-1)?.id).toBe("rejected");
    }),
  );
});

// A server may send a part back alone: no output may hold what stands behind a name, in quotation marks or in a URL.
const plain = characters(alphanumeric, 4, 40);
const wrappers = fc.tuple(
  fc.constantFrom("V", "Bearer V", '-H "V"'),
  fc.array(
    fc.constantFrom(
      ...["“V”", '"V"', "'V'", "TOKEN=V", "export A_TOKEN=V", "token: V", "X-Auth-Token: V"],
      ...['{"token":"V"}', "me@example.com:V", '\\"V\\"', '"V",'],
    ),
    { maxLength: 4 },
  ),
);

test("whatever is written around a value, the value is masked", () => {
  fc.assert(
    fc.property(plain, wrappers, fc.boolean(), (text, [first, others], isToken) => {
      const secret = [first, ...others].reduce((inner, form) => form.replace("V", () => inner), text);
      expect(secretsOf(isToken ? token(secret) : wsse({ secret }))).toContain(text);
    }),
  );
});

test.each<[string, ...parts: string[]]>([
  ["https://api.example.com/v1/check?token=hunterhunter&page=1", "hunterhunter"],
  ["/run/secrets/s3cret-of-mine", "s3cret-of-mine"],
  ["https://user:pass%40word@api.example.com", "pass%40word", "pass@word"],
  ["https://hooks.example.com/services/T0000001/exceedingly", "T0000001"],
  ['{"user":"me","password":"hunterhunter"}', "hunterhunter"],
  ["error: token s3cret-of-mine was refused", "s3cret-of-mine"],
  // Reports name the API's own host.
  ["https://api.example.com/v1/test-authentication"],
  ["https://api2.example.com:8443/v1"],
  ["correct horse battery staple 2026-11-26"],
])("of %s no output may hold this part: %s", (text, ...parts) => {
  const found = secretsOf(token(text));
  expect(found).toEqual(parts.length === 0 ? [text] : expect.arrayContaining([text, ...parts]));
});

test("of a swapped pair, no output may hold either", () => {
  expect(secretsOf(wsse({ username: "s3cret-of-me", secret: "me@example.com" }))).toContain("s3cret-of-me");
  expect(secretsOf(wsse({ username: "you@example.com", secret: "me@example.com" }))).not.toContain(
    "you@example.com",
  );
});

test.each(['"', "Bearer ", "a=", "x: ", "\\", "%41", "&#x41;", "a "])(
  "a text of thousands of %j is read at once",
  (part) => {
    const text = part.repeat(10_000);
    expect(secretsOf(token(text)).length).toBeLessThan(100);
    expect(readingOf.token(text)).toBe(null);
  },
);
