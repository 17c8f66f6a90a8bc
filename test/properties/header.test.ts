import fc from "fast-check";
import { expect, test } from "vitest";
import { type ConventionName, conventionNames, passwordDigest } from "../../src/wsse/digest.ts";
import { folderWith } from "../support/folder.ts";
import { json, type Served, serve, success } from "../support/serve.ts";
import { foreignText, plainText } from "./arbitraries.ts";
import { manyRuns, numRuns } from "./runs.ts";
import { sources, testWith, type Values } from "./secrets.ts";

const texts = fc.oneof(
  plainText,
  foreignText,
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.emailAddress(),
  fc.constant("a".repeat(4_000)),
  // One troublesome character somewhere in text that is fine.
  fc.tuple(plainText, foreignText, plainText).map(([a, b, c]) => a + b + c),
);

/** Printable ASCII that every header can carry. */
const isPlain = (text: string): boolean =>
  /^[ -~]+$/.test(text) && !/["\\]/.test(text) && text === text.trim();

/** Runs many cases. Each exits 3 and sends nothing, or sends one request that `arrived` looks at; plain text is sent. */
async function eachSent<Case extends Values>(
  cases: fc.Arbitrary<Case>,
  arrived: (headers: Served["requests"][number], given: Case, digest: ConventionName) => void,
): Promise<void> {
  const api = await serve((_request, response) => json(response, 200, success));
  const folder = folderWith();
  const source = fc.constantFrom(...sources.slice(0, 3));
  await fc.assert(
    fc.asyncProperty(cases, fc.constantFrom(...conventionNames), source, async (given, digest, source) => {
      const before = api.requests.length;
      const more = ["--base-url", api.url, ...("token" in given ? [] : ["--wsse"])];
      const { exitCode } = await testWith({ ...given, digest }, source, folder, more);
      const requests = api.requests.slice(before);
      expect(Object.values(given).every(isPlain) ? [0] : [0, 3]).toContain(exitCode);
      expect(requests).toHaveLength(exitCode === 0 ? 1 : 0);
      for (const request of requests) arrived(request, given, digest);
    }),
    { numRuns },
  );
  expect(api.requests.length).toBeGreaterThan(numRuns / 10);
}

const ownFields = (names: readonly string[]) => names.filter((name) => /^x-/i.test(name));

test("a token exits 3, or arrives as exactly one header line that holds it", manyRuns, () =>
  eachSent(fc.record({ token: texts }), ({ headerNames, headers }, { token }) => {
    expect(ownFields(headerNames)).toEqual(["X-Auth-Token"]);
    expect(headers["x-auth-token"]).toBe(token);
  }),
);

const accounts = fc.record({ username: fc.oneof(plainText, texts), secret: texts });
test("username and secret exit 3, or arrive as one X-WSSE line that decodes to both", manyRuns, () =>
  eachSent(accounts, ({ headerNames, headers }, { username, secret }, digest) => {
    expect(ownFields(headerNames)).toEqual(["X-WSSE"]);
    const [, decoded, sent, nonce = "", created = ""] =
      /^UsernameToken Username="([^"]*)", PasswordDigest="([^"]*)", Nonce="([^"]*)", Created="([^"]*)"$/.exec(
        String(headers["x-wsse"]),
      ) ?? [];
    expect(decoded).toBe(username);
    expect(sent).toBe(passwordDigest({ digest, hash: "sha1", nonce, created, secret }));
  }),
);
