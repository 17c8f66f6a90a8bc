import { describe, expect, test } from "vitest";
import {
  type Change,
  conventionChange,
  fieldChange,
  repairChange,
  tokenChange,
} from "../../src/check/changes.ts";
import type { Credential } from "../../src/check/credential.ts";
import { adviceFor } from "../../src/settings/advice.ts";
import { levelOf } from "../../src/settings/levels.ts";
import { Secret } from "../../src/settings/secret.ts";
import { settingsOf } from "../settings/settings-of.ts";
import { token, wsse } from "./found.ts";

const advice = adviceFor(
  settingsOf([
    levelOf([
      { setting: "username", text: "u", source: { kind: "environment", variable: "REFERRAL_USERNAME" } },
      { setting: "secret", text: "s", source: { kind: "flag", flag: "--secret" } },
      { setting: "token", text: "t", source: { kind: "flag", flag: "--token" } },
    ]),
  ]),
);

type Wsse = Extract<Credential, { method: "wsse" }>;
const account = wsse() as Wsse;

/** The words of a change. */
function wordsOf(change: Change | null) {
  if (change === null) return null;
  const { id, announcement, excluded, accepted, fix } = change;
  return { id, announcement, excluded, accepted, fix };
}

/** The username and the secret that a credential holds. */
function partsOf(credential: Credential | undefined) {
  return credential?.method === "wsse" ? [credential.username, credential.secret.reveal()] : null;
}

test("a credential without visible mistakes is not repaired", () => {
  expect(repairChange(account, advice)).toBeNull();
});

describe("a repair", () => {
  test("of a username and a secret names both, their mistakes and the places where they are set", () => {
    const both = wsse({ username: '"me@example.com"', secret: 'TOKEN="correct-horse"' });
    const change = repairChange(both, advice);
    const without =
      "the username without quotation marks around it and the secret without " +
      "a name and an equals sign or colon before it and quotation marks around it";
    expect(partsOf(change?.apply(both))).toEqual(["me@example.com", "correct-horse"]);
    expect(wordsOf(change)).toEqual({
      id: "credential-cleaned",
      announcement: without,
      excluded: "paste mistakes in the username and the secret",
      accepted: without,
      fix: `Set ${without} (now set by REFERRAL_USERNAME and --secret)`,
    });
  });

  const exchanged =
    "Exchange the username (now set by REFERRAL_USERNAME) and the secret (now set by --secret)";

  test("of a swapped username and secret says so", () => {
    const swapped = wsse({ username: "correct-horse", secret: "me@example.com" });
    const change = repairChange(swapped, advice);
    expect(partsOf(change?.apply(swapped))).toEqual(["me@example.com", "correct-horse"]);
    expect(wordsOf(change)).toEqual({
      id: "username-secret-swapped",
      announcement: "username and secret swapped",
      excluded: "swapped username and secret",
      accepted: "username and secret swapped",
      fix: exchanged,
    });
  });

  test("of both mistakes says both", () => {
    const swapped = wsse({ username: '"correct-horse"', secret: "me@example.com" });
    const change = repairChange(swapped, advice);
    expect(partsOf(change?.apply(swapped))).toEqual(["me@example.com", "correct-horse"]);
    expect(change?.announcement).toMatch(/^username and secret swapped, and the \w+ cleaned$/);
    expect(change?.accepted).toBe(change?.announcement);
  });
});

test("the token as the secret changes only that", () => {
  const change = tokenChange(account, new Secret("a-token"), advice);
  expect(partsOf(change.apply(account))).toEqual([account.username, "a-token"]);
  expect(change.apply(token("t"))).toEqual(token("t"));
  expect(wordsOf(change)).toEqual({
    id: "token-is-secret",
    announcement: "the token in place of the secret",
    excluded: "the token as the secret",
    accepted: "the token as the secret",
    fix: "Set the secret (now set by --secret) to the token (now set by --token)",
  });
});

test("the Authorization field changes only that", () => {
  const change = fieldChange(account, advice);
  expect(change.apply(account)).toEqual({ ...account, authorization: "wsse" });
  expect(change.apply(token("t"))).toEqual(token("t"));
  expect(wordsOf(change)).toEqual({
    id: "authorization",
    announcement: 'with the field Authorization: WSSE profile="UsernameToken"',
    excluded: "a missing Authorization field",
    accepted: "`authorization: wsse`",
    fix: "Use --authorization wsse, or set REFERRAL_AUTHORIZATION=wsse (not set now)",
  });
});

test.each([
  ["hex-digest", "sha1", "`digest: hex-digest`", ["--digest hex-digest"]],
  ["text-nonce", "sha512", "`hash: sha512`", ["--hash sha512"]],
  [
    "hex-digest",
    "sha512",
    "`digest: hex-digest` and `hash: sha512`",
    ["--digest hex-digest", "--hash sha512"],
  ],
] as const)("the convention %s with %s names what differs: %s", (digest, hash, accepted, flags) => {
  const change = conventionChange(account, { digest, hash }, advice);
  expect(change.apply(account)).toEqual({ ...account, digest, hash });
  expect(change.apply(token("t"))).toEqual(token("t"));
  expect(wordsOf(change)).toMatchObject({
    id: "digest-convention",
    announcement: `digest ${digest} with ${hash}`,
    excluded: "the other digest conventions and hashes",
    accepted,
  });
  expect(change.fix.match(/--\w+ [\w-]+/g)).toEqual(flags);
});
