import fc from "fast-check";
import { expect, test } from "vitest";
import { conventionNames, passwordDigest } from "../../src/wsse/digest.ts";
import { runInProcess } from "../support/run.ts";
import { serveAlways } from "../support/serve.ts";
import { character, foreignText, plainText } from "./arbitraries.ts";
import { manyRuns, numRuns } from "./runs.ts";

const texts = fc.oneof(
  plainText,
  foreignText,
  fc.string({ unit: character, maxLength: 30 }),
  fc.emailAddress(),
  fc.constant("a".repeat(4_000)),
  // One troublesome character somewhere in text that is fine.
  fc.tuple(plainText, foreignText, plainText).map(([a, b, c]) => a + b + c),
);

/** Printable ASCII that every header can carry. */
const isPlain = (text: string): boolean =>
  /^[ -~]+$/.test(text) && !/["\\]/.test(text) && text === text.trim();

const credentials: fc.Arbitrary<{ token?: string; username?: string; secret?: string }> = fc.oneof(
  fc.record({ token: texts }),
  fc.record({ username: fc.oneof(plainText, texts), secret: texts }),
);

test(
  "a credential exits 3 and sends nothing, or arrives as one header line that holds it; plain text is sent",
  manyRuns,
  async () => {
    const api = await serveAlways();
    const seen = new Set<string>();
    const convention = fc.constantFrom(...conventionNames);
    const property = fc.asyncProperty(
      credentials,
      convention,
      fc.boolean(),
      async (given, digest, byFlag) => {
        const { token, username, secret = "" } = given;
        const before = api.requests.length;
        const more = ["--base-url", api.url, ...(token === undefined ? ["--wsse"] : [])];
        const values = Object.entries({ ...given, digest });
        const flags = byFlag ? values.map(([name, text]) => `--${name}=${text}`) : [];
        const variables = byFlag
          ? []
          : values.map(([name, text]) => [`REFERRAL_${name.toUpperCase()}`, text]);
        const environment = Object.fromEntries(variables);
        const { exitCode } = await runInProcess(["test", ...flags, ...more], { environment });
        const requests = api.requests.slice(before);
        const isUsable =
          Object.values(given).every(isPlain) && (username === undefined || username.length <= 1_000);
        const isEmpty = byFlag && Object.values(given).includes("");
        expect(isEmpty ? [2] : isUsable ? [0] : [0, 3]).toContain(exitCode);
        expect(requests).toHaveLength(exitCode === 0 ? 1 : 0);
        for (const { headers, headerNames } of requests) {
          const own = headerNames.filter((name) => /^x-/i.test(name));
          seen.add(own.join());
          expect(own).toEqual([token === undefined ? "X-WSSE" : "X-Auth-Token"]);
          expect(headers["x-auth-token"]).toBe(token);
          const [, decoded, sent, nonce = "", created = ""] =
            /^UsernameToken Username="([^"]*)", PasswordDigest="([^"]*)", Nonce="([^"]*)", Created="([^"]*)"$/.exec(
              String(headers["x-wsse"]),
            ) ?? [];
          expect(decoded).toBe(username);
          if (token === undefined)
            expect(sent).toBe(passwordDigest({ digest, hash: "sha1", nonce, created, secret }));
        }
      },
    );
    await fc.assert(property, { numRuns });
    expect(seen.size).toBe(2);
  },
);
