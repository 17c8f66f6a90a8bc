import fc from "fast-check";
import { expect, test } from "vitest";
import { pastedParts, secretsOf } from "../../src/check/credential.ts";
import { cleanedText, pasteMistakes } from "../../src/check/paste-mistakes.ts";
import { replied } from "../support/exchanges.ts";
import { findingsIn, token, wsse } from "./causes/found.ts";

const value = "Zq8XvK2m";

test.each([
  [`"${value}"`, ["quotes"]],
  [`'${value}'`, ["quotes"]],
  [`"${value}",`, ["quotes"]],
  [`“${value}”`, ["quotes"]],
  [`\\"${value}\\"`, ["quotes"]],
  [`TOKEN=${value}`, ["assignment"]],
  [`export REFERRAL_TOKEN="${value}"`, ["assignment", "quotes"]],
  [`token: ${value}`, ["assignment"]],
  [`"token": "${value}"`, ["assignment", "quotes"]],
  [`Bearer ${value}`, ["prefix"]],
  [`Token ${value}`, ["prefix"]],
  [`X-Auth-Token: ${value}`, ["prefix"]],
  [`x-auth-token:${value}`, ["prefix"]],
  [`Authorization: Bearer ${value}`, ["prefix", "prefix"]],
])("%s holds the value and %j", (text, kinds) => {
  expect(pasteMistakes(text).map(({ kind }) => kind)).toEqual(kinds);
  expect(cleanedText(text)).toBe(value);
  expect(pastedParts(token(text))[0]?.mistakes).toEqual([...new Set(kinds)]);
});

test.each([
  ...`$TOKEN|\${TOKEN}|\${{ secrets.TOKEN }}|%TOKEN%|$(cat token.txt)|{{ token }}|<API_KEY>|$env:TOKEN`.split(
    "|",
  ),
])("%s is a placeholder, and leaves nothing to try", (text) => {
  expect(pasteMistakes(text)).toEqual([{ kind: "placeholder", cleaned: null, isSure: true }]);
  expect(cleanedText(text)).toBe(text);
  expect(pastedParts(token(text))).toMatchObject([{ mistakes: ["placeholder"], cleaned: null }]);
});

test.each([
  "QUJDRA==",
  "QUJDR=",
  "correct-horse",
  "correct horse",
  "a$b",
  "100%",
  "'",
  '""',
  "=x",
  "a@b.example",
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

      expect(cleanedText(pasted)).toBe(text);
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

test.each([
  ["token=abc", true],
  ["API_KEY=abc", true],
  ["export x=abc", false],
  ["REFERRAL_TOKEN: abc", true],
  ["k9x=Tq7hPz", false],
  ["k9x: Tq7hPz", false],
  ["Ab=cd", false],
])("%s is a name before the value for sure: %s", (text, isSure) => {
  expect(pasteMistakes(text)).toMatchObject([{ kind: "assignment", isSure }]);
});
