import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ConventionName, conventionNames } from "../../src/wsse/digest.ts";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";
import { json, type Served, serve, success } from "../support/serve.ts";
import { foreignText, plainText } from "./arbitraries.ts";
import { manyRuns, numRuns } from "./runs.ts";

const texts = fc.oneof(
  plainText,
  foreignText,
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.emailAddress(),
  // One troublesome character somewhere in text that is fine.
  fc.tuple(plainText, foreignText, plainText).map(([a, b, c]) => a + b + c),
);
const sources = fc.constantFrom("environment", "flag", "rc file");
type Named = "token" | "username" | "secret";

/** Runs `test` with these values, set in one of the ways. The server decodes what arrives. */
async function sent(
  values: Partial<Record<Named, string>>,
  source: string,
  digest: string,
  folder: string,
  url: string,
) {
  const file = join(folder, ".referralrc.json");
  const given = Object.entries({ ...values, digest });
  const empty = '{"digest":"text-nonce"}';
  writeFileSync(file, source === "rc file" ? JSON.stringify(Object.fromEntries(given)) : empty, {
    mode: 0o600,
  });
  return runInProcess(
    [
      "test",
      ...["--config", file, "--base-url", url],
      ...("token" in values ? [] : ["--wsse"]),
      ...(source === "flag" ? given.map(([name, value]) => `--${name}=${value}`) : []),
    ],
    {
      environment:
        source === "environment"
          ? Object.fromEntries(given.map(([name, value]) => [`REFERRAL_${name.toUpperCase()}`, value]))
          : {},
    },
  );
}

const sha1 = (...parts: readonly (string | Buffer)[]): Buffer => {
  const hash = createHash("sha1");
  for (const part of parts) hash.update(part);
  return hash.digest();
};
/** The conventions of the contract's table, written a second time. */
const digests: Readonly<Record<ConventionName, (nonce: string, created: string, secret: string) => string>> =
  {
    "text-nonce": (nonce, created, secret) => sha1(nonce, created, secret).toString("base64"),
    "base64-nonce": (nonce, created, secret) =>
      sha1(Buffer.from(nonce, "base64"), created, secret).toString("base64"),
    "decoded-nonce": (nonce, created, secret) =>
      sha1(Buffer.from(nonce, "base64"), created, secret).toString("base64"),
    "hex-digest": (nonce, created, secret) =>
      Buffer.from(sha1(nonce, created, secret).toString("hex")).toString("base64"),
  };

/** Runs many cases. Each exits 3 and sends nothing, or sends one request that `arrived` looks at. */
async function eachSent<Case extends Partial<Record<Named, string>>>(
  cases: fc.Arbitrary<Case>,
  arrived: (headers: Served["requests"][number], given: Case, digest: ConventionName) => void,
): Promise<void> {
  const api = await serve((_request, response) => json(response, 200, success));
  const place = folderWith();
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(cases, fc.constantFrom(...conventionNames), sources, async (given, digest, source) => {
      const before = api.requests.length;
      const { exitCode } = await sent(given, source, digest, place, api.url);
      const requests = api.requests.slice(before);
      expect([0, 3]).toContain(exitCode);
      expect(requests).toHaveLength(exitCode === 0 ? 1 : 0);
      for (const request of requests) arrived(request, given, digest);
      accepted += requests.length;
    }),
    { numRuns },
  );
  expect(accepted).toBeGreaterThan(numRuns / 10);
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
    const [, decoded, passwordDigest, nonce = "", created = ""] =
      /^UsernameToken Username="([^"]*)", PasswordDigest="([^"]*)", Nonce="([^"]*)", Created="([^"]*)"$/.exec(
        String(headers["x-wsse"]),
      ) ?? [];
    expect(decoded).toBe(username);
    expect(passwordDigest).toBe(digests[digest](nonce, created, secret));
  }),
);

test.each([
  ["with a space inside", "with inner space"],
  ["of punctuation", "!:;,=\"'\\~"],
  ["that looks percent-encoded", "%41%0d%0a"],
  ["of 4,000 characters", "a".repeat(4_000)],
])("a token %s is sent as it is", async (_, token) => {
  const api = await serve((_request, response) => json(response, 200, success));
  expect(await sent({ token }, "environment", "text-nonce", folderWith(), api.url)).toMatchObject({
    exitCode: 0,
  });
  expect(api.requests[0]?.headers["x-auth-token"]).toBe(token);
});

test("a secret with half a surrogate pair exits 3: no server could compute the same digest", async () => {
  const api = await serve((_request, response) => json(response, 200, success));
  const values = { username: "a@example.com", secret: "half \ud83d pair" };
  expect(await sent(values, "rc file", "text-nonce", folderWith(), api.url)).toMatchObject({ exitCode: 3 });
  expect(api.requests).toHaveLength(0);
});
