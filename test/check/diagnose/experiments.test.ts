import { expect, test } from "vitest";
import { type Experiment, experimentsFor, requestsOf, variantOf } from "../../../src/check/changes.ts";
import type { Credential } from "../../../src/check/credential.ts";
import { requestLimit } from "../../../src/check/result.ts";
import { Secret } from "../../../src/settings/secret.ts";
import { conventionNames, hashNames } from "../../../src/wsse/digest.ts";
import { textOf } from "../../support/pages.ts";
import { token, wsse } from "../causes/found.ts";

const spare = new Secret("a-token");

/** The experiments for an account whose clock is so many seconds ahead. */
const experiments = (
  skewSeconds: number,
  credential: Credential = wsse(),
  spareToken: Secret | null = null,
): readonly Experiment[] => experimentsFor(credential, spareToken, { skewSeconds, uncertaintySeconds: 1 });

const pasted = wsse({ username: '"me@example.com"', secret: 'TOKEN="correct-horse"' });

test("README promises the limit", () => {
  expect(textOf("README.md")).toContain(`at most ${requestLimit} further requests`);
});

test("the order is that of the contract; the correction of the clock and the Authorization field are kept", () => {
  const account = { ...pasted, digest: "base64-nonce", hash: "sha256" } as const;
  const all = experiments(-400, account, spare);
  const shown = all.map((experiment) => {
    const { credential, shiftSeconds } = variantOf(account, experiment.changes);
    const authorization = credential?.method === "wsse" ? credential.authorization : null;
    return [experiment.tried.map(({ accepted }) => accepted).join(", "), shiftSeconds, authorization];
  });
  const others = conventionNames
    .filter((name) => name !== "base64-nonce")
    .map((name) => `\`digest: ${name}\``);
  expect(shown).toEqual([
    ["no credentials", 0, null],
    ["Created 6 minutes 40 seconds later", 400, "none"],
    ["Created 6 minutes 37 seconds later", 397, "none"],
    [
      "the username without quotation marks around it, the secret without a name and an equals sign or colon before it and quotation marks around it",
      397,
      "none",
    ],
    ["the token as the secret", 397, "none"],
    ["`authorization: wsse`", 397, "wsse"],
    ...others.map((digest) => [digest, 397, "wsse"]),
    ...["`hash: sha1`", "`hash: sha512`"].flatMap((hash) => [
      [hash, 397, "wsse"],
      ...others.map((digest) => [`${digest}, ${hash}`, 397, "wsse"]),
    ]),
  ]);
  expect([...new Set(all.flatMap(({ tried }) => tried.map(({ excluded }) => excluded)))]).toEqual([
    "a header lost on the way",
    "the clock",
    "paste mistakes in the username",
    "paste mistakes in the secret",
    "the token as the secret",
    "a missing Authorization field",
    "digest text-nonce",
    "digest decoded-nonce",
    "digest hex-digest",
    "hash sha1",
    "hash sha512",
  ]);
});

test("each experiment changes what it says, and nothing else", () => {
  const [bare, earlier, cleaned, tried, field, ...conventions] = experiments(0, pasted, spare);
  const made = (experiment: Experiment | undefined) =>
    experiment && variantOf(pasted, experiment.changes).credential;
  const { username, secret } = made(cleaned) as Extract<Credential, { method: "wsse" }>;
  expect(made(bare)).toBeNull();
  expect(made(earlier)).toEqual(pasted);
  expect([username, secret.reveal()]).toEqual(["me@example.com", "correct-horse"]);
  expect(made(tried)).toEqual({ ...pasted, secret: spare });
  expect(made(field)).toEqual({ ...pasted, authorization: "wsse" });
  const algorithms = conventions.map((one) => {
    const { digest, hash, ...rest } = made(one) as Extract<Credential, { method: "wsse" }>;
    expect({ ...rest, digest: "text-nonce", hash: "sha1", authorization: "none" }).toEqual(pasted);
    return `${digest} ${hash}`;
  });
  const all = conventionNames.flatMap((digest) => hashNames.map((hash) => `${digest} ${hash}`));
  expect([...algorithms, "text-nonce sha1"].toSorted()).toEqual(all.toSorted());
});

test("the changes of a request can be made in any order", () => {
  for (const { changes } of experiments(400, pasted, spare).slice(1))
    expect(JSON.stringify(variantOf(pasted, changes.toReversed()))).toBe(
      JSON.stringify(variantOf(pasted, changes)),
    );
});

test("a field that is sent already is no experiment, and is never left out", () => {
  const all = experiments(0, { ...wsse(), authorization: "wsse" } as Credential);
  const ids = all.flatMap(({ changes }) => changes.map(({ id }) => id));
  expect(ids).not.toContain("authorization");
});

test("a swapped pair is not tried, since a secret must not go out as a username", () => {
  const swapped = wsse({ username: "correct-horse", secret: "me@example.com" });
  for (const experiment of experiments(0, swapped)) {
    const { credential } = variantOf(swapped, experiment.changes);
    if (credential?.method === "wsse") expect(credential.username).toBe("correct-horse");
  }
});

test("neither is a cleaned value that no header can carry", () => {
  const ids = (credential: Credential) =>
    experiments(0, credential).flatMap(({ tried }) => tried.map(({ accepted }) => accepted));
  expect(ids(token('" a-token"'))).toEqual(["no credentials"]);
  expect(ids(wsse({ username: '" me@example.com"' })).join()).not.toContain("without");
});

test("the number of requests is within the limit whatever there is to try, with four for the proof", () => {
  for (const skew of [0, 2, 3, -400, 48 * 3600, 50 * 3600]) {
    for (const credential of [wsse(), pasted, token("a"), token('"a"')]) {
      const all = experiments(skew, credential, spare);
      const { tries, more } = requestsOf(all);
      expect(tries).toBe(all.length);
      expect(more).toBeGreaterThanOrEqual(4);
      expect(tries + more).toBeLessThanOrEqual(requestLimit);
    }
  }
});
