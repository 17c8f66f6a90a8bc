import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { pastedParts, secretsOf } from "../../src/check/credential.ts";
import { pasteMistakes } from "../../src/check/paste-mistakes.ts";
import { replied } from "../support/exchanges.ts";
import { findingsIn, token, wsse } from "./causes/found.ts";

const value = "Zq8XvK2m";

/** A generated secret, always the same one. */
const randomSecret = (encoding: BufferEncoding, size: number): string =>
  createHash("sha512").update(encoding).digest().subarray(0, size).toString(encoding);

test.each([
  [`"${value}"`, ["credential-quoted"]],
  [`"${value}",`, ["credential-quoted"]],
  [`“${value}”`, ["credential-quoted"]],
  [`\\"${value}\\"`, ["credential-quoted"]],
  [`TOKEN=${value}`, ["credential-assignment"]],
  [`export REFERRAL_TOKEN="${value}"`, ["credential-assignment", "credential-quoted"]],
  [`token: ${value}`, ["credential-assignment"]],
  [`"token": "${value}"`, ["credential-assignment", "credential-quoted"]],
  [`Bearer ${value}`, ["credential-prefix"]],
  [`X-Auth-Token: ${value}`, ["credential-prefix"]],
  [`Authorization: Bearer ${value}`, ["credential-prefix", "credential-prefix"]],
  [`-H "X-Auth-Token: ${value}"`, ["credential-prefix", "credential-quoted", "credential-prefix"]],
  [`="${value}"`, ["credential-quoted"]],
])("%s holds the value and %j", (text, ids) => {
  const mistakes = pasteMistakes(text);
  expect(mistakes.map(({ id }) => id)).toEqual(ids);
  const [part] = pastedParts(token(text));
  const kinds = [...new Set(mistakes.map(({ kind }) => kind))];
  expect([part?.mistakes.map(({ kind }) => kind), part?.cleaned?.reveal()]).toEqual([kinds, value]);
});

const hex40 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

// A store, a shell or a template wrote the value in another way. It is sure where a documented token or an e-mail address comes out.
test.each([
  [base64(hex40), hex40, "base64", true],
  [base64(`${hex40}\n`), hex40, "base64", true],
  [base64("s3cret-of-mine"), "s3cret-of-mine", "base64", false],
  ["me%40example.com", "me@example.com", "percent", true],
  ["p%40ssw%21rd", "p@ssw!rd", "percent", false],
  ["s3cret-of-mine%0A", "s3cret-of-mine", "percent", false],
  ["p&amp;ss&quot;w&#39;rd", `p&ss"w'rd`, "html", false],
  ["a&lt;b&gt;c&apos;d&#34;e", `a<b>c'd"e`, "html", false],
  ["p\\u0026ss", "p&ss", "escaped", false],
  ["Passw0rd\\!", "Passw0rd!", "escaped", false],
  [hex40.replace(/.{8}(?=.)/g, "$&-"), hex40, "grouped", true],
  [`(${hex40})`, hex40, "within", false],
  [`prod:${hex40}`, hex40, "within", false],
  [`0x${hex40}`, hex40, "within", false],
  [`${hex40},`, hex40, "within", false],
  [`'${hex40}`, hex40, "within", false],
  ["Me Myself <me@example.com>", "me@example.com", "address", true],
  ["mailto:me@example.com", "me@example.com", "prefix", true],
  [`${hex40} # of production`, hex40, "within", false],
])("%s stands for %s (%s)", (text, cleaned, kind, isSure) => {
  expect(pasteMistakes(text)).toMatchObject([{ kind, cleaned, isSure }]);
  expect(secretsOf(token(text))).toEqual([text, cleaned]);
});

test.each([
  [hex40, 0],
  [randomSecret("base64", 32), 0],
  [randomSecret("base64url", 24), 0],
  [randomSecret("hex", 32), 0],
  ["correcthorse", 0],
  ["caf\u00e9-s3cret", 0],
  ["Ärger-Ã", 0],
  ["--a-secret--", 0],
  ["REFERRAL_THING", 0],
  ["=a(b)", 0],
  ["50%off", 0],
  ["R&D-secret", 0],
  ["a$b", 0],
  ["C\\d", 0],
])("%s is written as it is", (text, mistakes) => {
  expect(pasteMistakes(text)).toHaveLength(mistakes);
});

// What stands in the place of a value, and values that only look a little like it.
test.each<[kind: string, texts: readonly string[], isSure?: boolean]>([
  [
    "masked",
    [
      ...["***", "****4f1b", "9f86****", "[MASKED]", "[secret]", "<redacted>", "(sensitive value)", "•••"],
      ...["x".repeat(40), "9f86...4f1b", "m***@example.com"],
    ],
  ],
  ["empty", ["undefined", "null", "None", "nil", "NaN", "[object Object]", "TRUE"]],
  [
    "reference",
    [
      "op://a/b/c",
      "https://api.example.com/v1",
      "file:///t",
      "arn:aws:ssm:x",
      "./t.txt",
      "~/token",
      "/run/secrets/t",
    ],
  ],
  [
    "encrypted",
    [
      ...[
        "$ANSIBLE_VAULT;1.1;AES256",
        "ENC[AES256_GCM,data:x]",
        "ENC(q8z7)",
        "{cipher}a1",
        "vault:v1:8SDd3W",
      ],
      ...[
        "-----BEGIN OPENSSH PRIVATE KEY-----",
        "$2y$10$BWKz2wI45JQOS6NBXNXY2.",
        "$argon2id$v=19$m=1",
        "{SSHA}x9",
      ],
    ],
    false,
  ],
  ["variable", ["__TOKEN__", "@TOKEN@", "#{TOKEN}#".slice(0, -1), "{token}", "((token))", "%env.TOKEN%"]],
  ["part", ["x-$NAME", "x%NAME%y"], false],
])("in the place of a value: %s", (kind, texts, isSure = true) => {
  for (const text of texts)
    expect.soft(pasteMistakes(text), text).toMatchObject([{ kind, cleaned: null, isSure }]);
});

test.each([
  ...[
    "nonetheless",
    "undefined1",
    "/aB3/cD4eF",
    "a/b.c",
    "x*y",
    "**",
    "Test***@123",
    "xxx",
    "token",
    "secret",
  ],
  ...[
    "my-secret-9",
    "$2 each",
    `ghp_${hex40}`,
    `${hex40}0`,
    "ENCODE",
    "https",
    "key.of.mine",
    "!Passw0rd!",
    "__init",
  ],
  ...["9f86d081-884c-7d65-9a2f-eaa0c55ad015", "errors-of-mine", "environment.x", "[x]"],
  // Another kind of text than a credential, which its length and alphabet show.
  ...["changeme", "process.env.TOKEN", "token.txt", "Error: secret not found", "System.Object[]"],
])("%s may be a value", (text) => {
  expect(pasteMistakes(text)).toEqual([]);
});

test.each([
  ...["$TOKEN", `\${TOKEN}`, `\${{ secrets.TOKEN }}`, "%TOKEN%", "$(cat token.txt)", "{{ token }}"],
  ...["<API_KEY>", "$env:TOKEN"],
])("%s is a placeholder, and leaves nothing to try", (text) => {
  expect(pasteMistakes(text)).toEqual([
    { kind: "variable", id: "credential-placeholder", cleaned: null, isSure: true },
  ]);
  expect(pastedParts(token(text))).toMatchObject([{ mistakes: [{ kind: "variable" }], cleaned: null }]);
});

test.each([
  ...["QUJDRA==", "QUJDR=", "correct-horse", "correct horse", "a$b", "100%", "'", '""', "=x", "a@b.example"],
])("%s has no paste mistake", (text) => {
  expect(pasteMistakes(text)).toEqual([]);
});

const plain = fc.stringMatching(/^[A-Za-z0-9]{4,40}$/);
const wrappers = fc.array(
  fc.constantFrom(
    (text: string) => `"${text}"`,
    (text: string) => `'${text}'`,
    (text: string) => `TOKEN=${text}`,
    (text: string) => `Bearer ${text}`,
    (text: string) => `X-Auth-Token: ${text}`,
  ),
  { minLength: 1, maxLength: 8 },
);

test("whatever is pasted around a value is removed, masked and never shown", () => {
  fc.assert(
    fc.property(plain, wrappers, fc.boolean(), (text, around, isToken) => {
      const pasted = around.reduce((inner, wrap) => wrap(inner), text);
      const credential = isToken ? token(pasted) : wsse({ secret: pasted });

      expect(secretsOf(credential)).toContain(text);
      expect(pastedParts(credential).at(-1)?.cleaned?.reveal()).toBe(text);
      const findings = findingsIn({ exchange: replied({ status: 401 }), credential });
      expect(findings[0]).toMatchObject({ certainty: "measured", id: expect.stringMatching(/^credential-/) });
      const shown = findings.filter(({ id }) => id.startsWith("credential-"));
      if (!shown.some(({ message, fix }) => /^[a-z]{4,}$/i.test(text) && (message + fix).includes(text)))
        expect(JSON.stringify(shown)).not.toContain(text);
    }),
  );
});

test("a text of thousands of quotation marks has its result at once", () => {
  for (const text of [
    '"'.repeat(20_001),
    `x${" ".repeat(20_000)}y`,
    "Bearer ".repeat(5_000),
    "a=".repeat(10_000),
  ]) {
    expect(pasteMistakes(text).length).toBeLessThan(10);
    expect(secretsOf(token(text))).toContain(text);
  }
});

// A server may send a part back alone: no output may hold the secret behind the username, nor one that was given as the username.
test.each<[username: string, secret: string, parts: readonly string[]]>([
  ["me", "s3cret-of-me", []],
  ["me", "me:s3cret-of-me", ["s3cret-of-me"]],
  ["me", "s3cret-of-me:me:", []],
  ["me", "you:s3cret-of-me", []],
  ["s3cret-of-me", "me@example.com", ["s3cret-of-me"]],
  ["you@example.com", "me@example.com", []],
])(
  "of the username %s and the secret %s, no output may hold the secret and %j",
  (username, secret, parts) => {
    expect(secretsOf(wsse({ username, secret }))).toEqual([secret, ...parts]);
  },
);

test.each<[string, readonly string[]]>([
  ["https://api.example.com/v1/check?token=hunterhunter&page=1", ["hunterhunter"]],
  ["/run/secrets/s3cret-of-mine", ["s3cret-of-mine"]],
  ["https://user:pass%40word@api.example.com", ["pass%40word", "pass@word"]],
  ["https://hooks.example.com/services/T0000001/exceedingly", ["T0000001"]],
  ['{"user":"me","password":"hunterhunter"}', ["hunterhunter"]],
  ["error: token s3cret-of-mine was refused", ["s3cret-of-mine"]],
  ["https://api.example.com/v1/test-authentication", []],
  ["https://api2.example.com:8443/v1", []],
  ["http://127.0.0.1:8080", []],
  [
    "https://9f86d081884c7d659a2feaa0c55ad015a3bf4f1b.example.com",
    ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b.example.com"],
  ],
  ["correct horse battery staple 2026-11-26", []],
])("what may be a secret inside %s is one: %j", (text, parts) => {
  expect(new Set(secretsOf(token(text)))).toEqual(new Set([text, ...parts]));
});

test.each([
  ["token=abc", true],
  ["API_KEY=abc", true],
  ["x-auth-token=abc", true],
  ["mytoken=abc", false],
  ["tokens=abc", false],
  ["export x=abc", false],
  ["REFERRAL_TOKEN: abc", true],
  ["k9x=Tq7hPz", false],
  ["k9x: Tq7hPz", false],
  ["Ab=cd", false],
])("%s is a name before the value for sure: %s", (text, isSure) => {
  expect(pasteMistakes(text)).toMatchObject([{ id: "credential-assignment", isSure }]);
});
