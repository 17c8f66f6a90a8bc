import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import fc from "fast-check";
import { expect, test } from "vitest";
import { conventionNames, hashNames, passwordDigest } from "../../src/wsse/digest.ts";
import { diagnose } from "../e2e/diagnose.ts";
import { formsOf, planted } from "../support/planted.ts";
import { json, serve, success } from "../support/serve.ts";
import { plainText } from "./arbitraries.ts";
import { manyRuns, numRuns } from "./runs.ts";

const now = Date.parse("2026-11-21T12:00:00.500Z");
const date = { date: new Date(now).toUTCString() };
const accept = (response: ServerResponse) => json(response, 200, success, date);
const refuse = (response: ServerResponse) => json(response, 401, { code: 401, message: "No" }, date);

/** What a request authenticates with, in the words of a proof. */
type Traits = Readonly<Record<"secret" | "digest" | "hash" | "authorization" | "clock", string>>;

const quoted = `"${planted.secret}"`;
const secrets: Readonly<Record<string, string>> = {
  "": quoted,
  "the secret without quotation marks around it": planted.secret,
  "the token as the secret": planted.token,
};
const original: Traits = { secret: "", digest: "text-nonce", hash: "sha1", authorization: "", clock: "" };

/** The traits of a request with a header X-WSSE; null without one. */
function traitsOf({ headers }: IncomingMessage): Traits | null {
  const [, sent, nonce = "", created = ""] =
    /PasswordDigest="(.*)", Nonce="(.*)", Created="(.*)"$/.exec(String(headers["x-wsse"])) ?? [];
  const conventions = nonce.endsWith("=") ? ["base64-nonce" as const] : conventionNames.toReversed();
  const ways = Object.keys(secrets).flatMap((secret) =>
    conventions.flatMap((digest) => hashNames.map((hash) => ({ secret, digest, hash }))),
  );
  const way = ways.find(
    ({ secret, ...how }) =>
      passwordDigest({ ...how, nonce, created, secret: secrets[secret] ?? "" }) === sent,
  );
  if (way === undefined) return null;
  const earlier = Math.floor(now / 1000) - Date.parse(created) / 1000;
  const clock = earlier === 0 ? "" : `Created ${earlier} s earlier`;
  return { ...way, authorization: headers.authorization ? "`authorization: wsse`" : "", clock };
}

/** The traits that a proof names. */
function traitsIn(message: string): Traits {
  const words =
    /^accepted with (.*?)(?:: only the time was wrong)?; the first/.exec(message)?.[1]?.split(" and ") ?? [];
  const named = (pattern: RegExp) =>
    words.map((word) => pattern.exec(word)?.[1]).find((found) => found !== undefined);
  return {
    secret: named(/^(the .*)$/) ?? "",
    digest: named(/^`digest: (.*)`$/) ?? "text-nonce",
    hash: named(/^`hash: (.*)`$/) ?? "sha1",
    authorization: named(/^(`auth.*)$/) ?? "",
    clock: named(/^(Created .*)$/) ?? "",
  };
}

/** A number from 0 to 255 that depends on these texts alone. */
const chance = (...texts: readonly string[]): number =>
  createHash("sha1").update(texts.join()).digest().readUInt8(0);

const environment = { REFERRAL_SECRET: quoted, REFERRAL_TOKEN: planted.token };
const seeds = fc.integer().map(String);

/** Tries a property whose cases make up to 25 requests each. */
const holds = <Given extends unknown[]>(property: fc.IAsyncPropertyWithHooks<Given>) =>
  fc.assert(property, { numRuns: Math.ceil(numRuns / 6) });

test(
  "at a server that does not change its mind, a proof is accepted, and refused without any of its changes",
  manyRuns,
  async () => {
    const proofs = new Set<string>();
    await holds(
      fc.asyncProperty(seeds, fc.integer({ min: 5, max: 120 }), async (seed, often) => {
        const accepts = (traits: Traits): boolean =>
          JSON.stringify(traits) !== JSON.stringify(original) && chance(seed, JSON.stringify(traits)) < often;
        const api = await serve((request, response) => {
          const traits = traitsOf(request);
          if (traits !== null && accepts(traits)) accept(response);
          else refuse(response);
        });
        const { proved } = await diagnose(api.url, environment, { now });
        expect(api.requests.length).toBeLessThanOrEqual(25);
        for (const { message } of proved) {
          const traits = traitsIn(message);
          const names = Object.keys(original) as (keyof Traits)[];
          const changed = names.filter((key) => traits[key] !== original[key]);
          proofs.add(changed.join());
          expect(changed).not.toEqual([]);
          expect(accepts(traits)).toBe(true);
          if (message.includes("do not show whether")) continue;
          for (const key of changed) expect(accepts({ ...traits, [key]: original[key] })).toBe(false);
        }
      }),
    );
    expect(proofs.size).toBeGreaterThan(3);
  },
);

test(
  "at a server that answers at random, nothing is proved unless the control was refused",
  manyRuns,
  async () => {
    const others = [
      accept,
      ...[429, 503, 404].map((status) => (response: ServerResponse) => json(response, status, {})),
      (response: ServerResponse) => void response.socket?.resetAndDestroy(),
    ];
    // Half of the answers refuse, so that some controls do.
    const minds = fc.oneof(fc.constant(refuse), fc.constantFrom(refuse, refuse, ...others));
    let proofs = 0;
    await holds(
      fc.asyncProperty(fc.array(minds, { minLength: 24, maxLength: 24 }), async (further) => {
        const answers = [refuse, ...further];
        let count = 0;
        const api = await serve((_, response) => answers[count++]?.(response));
        const { run, proved } = await diagnose(api.url, environment, { now });
        proofs += proved.length;
        const controls = [...run.stderr.matchAll(/request (\d+) of at most \d+: control/g)];
        if (proved.length > 0)
          expect(controls.map(([, at]) => answers[Number(at)])).toEqual([refuse, refuse]);
      }),
    );
    expect(proofs).toBeGreaterThan(0);
  },
);

test("no request holds a secret that the first did not hold, plain or encoded", manyRuns, async () => {
  const long = plainText.filter((text) => text.length >= 8 && !/["\\]/.test(text));
  const pasted = fc.constantFrom("*", "'*'", "NAME=*", "Bearer *");
  const value = fc.oneof(
    fc.tuple(long, pasted).map(([text, paste]) => ({ text, given: paste.replace("*", () => text) })),
    fc.constantFrom("me@example.com", "P@ssw0rd!2026").map((text) => ({ text, given: text })),
  );
  await holds(
    fc.asyncProperty(value, value, value, seeds, async (username, secret, token, seed) => {
      const sent: string[] = [];
      const api = await serve(({ headers, url }, response) => {
        sent.push(JSON.stringify([url, headers]).replaceAll('\\"', '"'));
        if (sent.length > 1 && chance(seed, String(sent.length)) < 30) accept(response);
        else refuse(response);
      });
      await diagnose(api.url, {
        REFERRAL_USERNAME: username.given,
        REFERRAL_SECRET: secret.given,
        REFERRAL_TOKEN: token.given,
      });
      const known = [secret, token].flatMap(({ text, given }) => [text, given]).flatMap(formsOf);
      for (const form of known.filter((text) => !sent[0]?.includes(text)))
        for (const request of sent) expect(request).not.toContain(form);
    }),
  );
});
