import fc from "fast-check";
import { expect, test } from "vitest";
import { pastedParts, secretsOf } from "../../src/check/credential.ts";
import { pasteMistakes } from "../../src/check/paste-mistakes.ts";
import { replied } from "../support/exchanges.ts";
import { findingsIn, token, wsse } from "./causes/found.ts";

const value = "Zq8XvK2m";

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
])("%s holds the value and %j", (text, kinds) => {
  expect(pasteMistakes(text).map(({ id }) => id)).toEqual(kinds);
  const [part] = pastedParts(token(text));
  expect([part?.mistakes, part?.cleaned?.reveal()]).toEqual([[...new Set(kinds)], value]);
});

test.each([
  ...["$TOKEN", `\${TOKEN}`, `\${{ secrets.TOKEN }}`, "%TOKEN%", "$(cat token.txt)", "{{ token }}"],
  ...["<API_KEY>", "$env:TOKEN"],
])("%s is a placeholder, and leaves nothing to try", (text) => {
  expect(pasteMistakes(text)).toEqual([{ id: "credential-placeholder", cleaned: null, isSure: true }]);
  expect(pastedParts(token(text))).toMatchObject([{ mistakes: ["credential-placeholder"], cleaned: null }]);
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
