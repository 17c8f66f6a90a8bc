import fc from "fast-check";
import { expect, test } from "vitest";
import { knownAccounts } from "../../src/emulator/accounts.ts";
import { answerTo, reasonText } from "../../src/emulator/answer.ts";
import { logEntry, recordOfRequest } from "../../src/emulator/log.ts";
import { conventionNames } from "../../src/wsse/digest.ts";
import { credentials, headerWith, judgementOf, known, now, withWsse, wsse } from "../emulator/support.ts";
import { costsMore } from "../support/growth.ts";
import { numRuns } from "./runs.ts";

const created = "2026-11-21T03:31:00+00:00";
const accounts = knownAccounts([known]);

/** All that the emulator says of a request with these fields. */
function saidOf(fields: Readonly<Record<string, string>>, rules = {}): string {
  const headers = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]]));
  const judgement = judgementOf({ headers }, rules);
  const answer = answerTo(judgement, { explain: true });
  const received = recordOfRequest(
    { path: "/test-authentication", headers },
    judgement,
    answer,
    accounts,
    now,
  );
  return `${logEntry(received, accounts.all)}\n${JSON.stringify(received)}\n${answer.body}`;
}

/** A right header in four pieces, and its digest. */
const pieces = (value: string): readonly string[] =>
  /^UsernameToken (U.*?"), (P.*?"), (N.*), (C[^,]*)$/.exec(value)?.slice(1) ?? [];

test("a right header is accepted, whatever its Nonce holds, in any order and with any white space", () => {
  const nonce = fc.stringMatching(/^[ !#-~]{1,256}$/);
  const space = fc.stringMatching(/^[ \t]{0,3}$/);
  const order = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
  const odd = "ab=>|&quot;|$nonce|{0}|Created=|, Nonce=x|%41%42|\\n|a;|'a'|null".split("|");
  const ours = fc.constantFrom(...conventionNames);
  fc.assert(
    fc.property(
      fc.oneof(nonce, fc.constantFrom(...odd)),
      order,
      space,
      space,
      ours,
      (wire, places, a, b, digest) => {
        const [value = ""] = headerWith(wire, created, { digest })["x-wsse"] ?? [];
        const parts = pieces(value);
        const sent = `UsernameToken ${places.map((place) => parts[place]).join(`${a},${b}`)}`;
        expect(judgementOf({ headers: withWsse(sent) }, { digest }).reasons).toMatchObject([
          { rule: "accepted" },
        ]);
      },
    ),
    { numRuns: 2 * numRuns },
  );
});

/** All parts of a text that have seven characters. */
const partsOf = (text: string): readonly string[] =>
  Array.from({ length: text.length - 6 }, (_, index) => text.slice(index, index + 7));

test("of a header that is changed anywhere, no part of the digest or the secret is shown", () => {
  const signs = [
    ..."\"'`\\,;:=<>&{}()[]%$#@!|/+ \t_-aZ0\x80\xe2\u00e9",
    "=>",
    '""',
    '", ',
    "Nonce",
    "Username=",
  ];
  const change = fc.record({
    at: fc.nat(300),
    cut: fc.nat(3),
    with: fc.array(fc.constantFrom(...signs), { maxLength: 3 }).map((all) => all.join("")),
  });
  const all = fc.array(change, { minLength: 1, maxLength: 4 });
  const field = fc.oneof(
    { weight: 4, arbitrary: fc.constant("x-wsse") },
    fc.constantFrom("x_wsse", "x-note"),
  );
  fc.assert(
    fc.property(all, fc.boolean(), field, (changes, isSecret, name) => {
      const value = isSecret
        ? wsse().replace(/PasswordDigest="[^"]*"/, `Password="${credentials.secret}"`)
        : wsse();
      const [, digest = credentials.secret] = /PasswordDigest="([^"]*)"/.exec(value) ?? [];
      const sent = changes.reduce((text, { at, cut, with: sign }) => {
        const place = at % text.length;
        return text.slice(0, place) + sign + text.slice(place + cut);
      }, value);
      const said = saidOf({ [name]: sent, "user-agent": "x" });
      expect(
        [...partsOf(digest), ...partsOf(credentials.secret)].filter((part) => said.includes(part)),
      ).toEqual([]);
    }),
    {
      numRuns: 20 * numRuns,
      examples: [
        [
          [
            { at: 229, cut: 0, with: "Username=" },
            { at: 193, cut: 3, with: "" },
          ],
          false,
          "x-wsse",
        ],
        // The words of X-WSSE are broken, all but Username and Created; and so is the secret.
        [
          [
            { at: 8, cut: 1, with: "" },
            { at: 41, cut: 1, with: "" },
            { at: 60, cut: 0, with: "Username=" },
            { at: 101, cut: 1, with: "" },
          ],
          true,
          "x-note",
        ],
      ],
    },
  );
});

test("a digest or secret in the place of another value, or in another field, is not shown", () => {
  const field = fc.constantFrom("x-wsse", "x_wsse", "wsse", "x-note", "authorization", "cookie");
  const place = fc.constantFrom("Username", "Nonce", "Created");
  const change = fc.tuple(fc.nat(40), fc.constantFrom("", "%", " ", "="));
  fc.assert(
    fc.property(field, place, fc.boolean(), change, (name, where, isSecret, [at, sign]) => {
      const value = wsse();
      const [, digest = ""] = /PasswordDigest="([^"]*)"/.exec(value) ?? [];
      const text = isSecret && where === "Created" ? credentials.secret : digest;
      const held = text.slice(0, at) + sign + text.slice(at);
      const sent = value.replace(new RegExp(`${where}="[^"]*"`), `${where}="${held}"`);
      const said = saidOf({ [name]: sent });
      expect(partsOf(text).filter((part) => said.includes(part))).toEqual([]);
    }),
  );
});

test.each([
  "WSSE Tr0ub4dor,horse=1",
  "WSSE Tr0ub4dor=horse,1",
  'WSSE profile="UsernameToken",Tr0ub4dor="horse"',
])("of a secret in Authorization, which is cut at its signs, no part is shown: %s", (authorization) => {
  const rules = { authorization: "wsse", secret: "Tr0ub4dor,horse=1" } as const;
  expect(saidOf({ "x-wsse": wsse(), authorization }, rules)).not.toMatch(/Tr0ub|horse/);
});

test.each(["Password", "passwd", "wsse:Password"])(
  "a secret as the value of %s is said to travel in clear",
  (name) => {
    const sent = wsse().replace(/PasswordDigest="[^"]*"/, `${name}="${credentials.secret}"`);
    const { reasons } = judgementOf({ headers: withWsse(sent) });
    expect(reasonText(reasons)).toMatch(/clear/);
  },
);

const kinds: Readonly<Record<string, (size: number) => string>> = {
  attributes: (size) => `UsernameToken ${'a="b",'.repeat(size / 6)}`,
  "our names": (size) => `UsernameToken ${'User="b",'.repeat(size / 9)}`,
  quotes: (size) => `UsernameToken ${'"'.repeat(size)}`,
  "curly quotes": (size) => `UsernameToken Nonce=${"\xe2\x80\x9c".repeat(size / 3)}`,
  spaces: (size) => `UsernameToken Nonce${" ".repeat(size)}="x"`,
  "base64 text": (size) =>
    Buffer.from(wsse())
      .toString("base64")
      .repeat(size / 320),
  "URL-encoded": (size) => encodeURIComponent(`UsernameToken ${'Nonce="b",'.repeat(size / 16)}`),
  backslashes: (size) => `UsernameToken ${'Nonce=\\"b\\",'.repeat(size / 12)}`,
};

test.each(Object.entries(kinds))(
  "the cost of a request grows no faster than its header: %s",
  (_kind, make) => {
    const said = (size: number) => {
      const value = make(size);
      return () => void saidOf({ "x-wsse": value });
    };
    // What is proportional costs 8 times as much, and the square of the length 64 times.
    expect(costsMore(24, said(16_000), said(2_000))).toBe(false);
  },
);

test("what is said of a wrong path fits the path of the base URL, whichever it is", () => {
  const basePath = fc.stringMatching(/^(?:\/[a-z\d.-]{1,8}){0,3}$/);
  const slip = fc.constantFrom("/", "/x", "/test-authentication");
  fc.assert(
    fc.property(basePath, slip, (base, more) => {
      const { reasons } = judgementOf({ path: `${base}${more}/test-authentication` }, { basePath: base });
      const said = reasonText(reasons);
      expect(said).toContain(`path: only ${base}/test-authentication exists`);
      expect(said).toContain(base === "" ? "needs no path here" : `ends in ${base} here`);
    }),
    { numRuns },
  );
});
