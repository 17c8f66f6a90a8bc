import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formsOf } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { plainText } from "./arbitraries.ts";
import { manyRuns, numRuns } from "./runs.ts";

const now = Date.parse("2026-11-21T12:00:00.500Z");
const date = { date: new Date(now).toUTCString() };
const accept = (response: ServerResponse) => json(response, 200, success, date);
const refuse = (response: ServerResponse) => json(response, 401, { code: 401, message: "No" }, date);

/** A number from 0 to 255 that depends on these texts alone. */
const chance = (...texts: readonly string[]): number =>
  createHash("sha1").update(texts.join()).digest().readUInt8(0);

const seeds = fc.integer().map(String);

/** Tries a property whose cases make up to 25 requests each. */
const holds = <Given extends unknown[]>(property: fc.IAsyncPropertyWithHooks<Given>) =>
  fc.assert(property, { numRuns: Math.ceil(numRuns / 6) });

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
      const account = { REFERRAL_USERNAME: username.given, REFERRAL_SECRET: secret.given };
      const environment = { ...account, REFERRAL_TOKEN: token.given, REFERRAL_BASE_URL: api.url };
      expect((await runInProcess(["test", "--wsse", "--diagnose"], { environment })).exitCode).toBe(4);
      const known = [secret, token].flatMap(({ text, given }) => [text, given]).flatMap(formsOf);
      for (const form of known.filter((text) => !sent[0]?.includes(text)))
        for (const request of sent) expect(request).not.toContain(form);
    }),
  );
});
