import { describe, expect, test } from "vitest";
import type { Credential, WrappedSecret } from "../../src/check/credential.ts";
import { maxExperiments } from "../../src/check/experiment-limit.ts";
import { type Experiment, experimentsFor, requestsOf } from "../../src/check/experiments.ts";
import { Secret } from "../../src/settings/secret.ts";
import { conventionNames, hashNames } from "../../src/wsse/digest.ts";
import { textOf } from "../recipes/pages.ts";
import { noAdvice, token, wsse } from "./found.ts";

const spare = new Secret("a-token");
const ntp = "Also set this machine's clock by NTP";

/** The experiments for an account whose clock is so many seconds ahead. */
const experiments = (
  skewSeconds: number,
  credential: Credential = wsse(),
  spareToken: WrappedSecret | null = null,
): readonly Experiment[] =>
  experimentsFor({
    credential,
    spareToken,
    clock: { skewSeconds, uncertaintySeconds: 1 },
    advice: noAdvice,
  });

const pasted = wsse({ secret: '"correct-horse"' });
const swapped = wsse({ username: "correct-horse", secret: "me@example.com" });

test("the contract, README and help promise 18 requests: whoever adds an experiment changes them", () => {
  expect(maxExperiments).toBe(18);
  expect(textOf("README.md")).toContain(`at most ${maxExperiments} further requests`);
});

test("a diagnosis with everything to try is as long as promised, and none is longer", () => {
  const lengths = [0, 2, 3, -400, 48 * 3600, 50 * 3600].flatMap((skew) =>
    [wsse(), pasted, swapped, token("a"), token('"a"')].flatMap((credential) =>
      [null, spare].map((spareToken) => requestsOf(experiments(skew, credential, spareToken))),
    ),
  );
  expect(Math.max(...lengths)).toBe(maxExperiments);
  expect(requestsOf(experiments(400, pasted, spare))).toBe(maxExperiments);
  expect(requestsOf(experiments(0, pasted, spare))).toBe(maxExperiments);
});

test("each convention is tried with each hash, once", () => {
  const algorithms = experiments(0)
    .filter(({ proof }) => proof.id === "digest-convention")
    .map(({ credential }) =>
      credential?.method === "wsse" ? `${credential.digest} ${credential.hash}` : "",
    );
  const all = conventionNames.flatMap((digest) => hashNames.map((hash) => `${digest} ${hash}`));
  expect([...algorithms, "text-nonce sha1"].toSorted()).toEqual(all.toSorted());
});

test.each([1, -1])("a difference of more than 48 hours is not tried (%i)", (sign) => {
  const shifts = (skewSeconds: number): readonly number[] =>
    experiments(sign * skewSeconds).map(({ shiftSeconds }) => Math.abs(shiftSeconds));
  expect(Math.max(...shifts(48 * 3600 + 1))).toBe(0);
  expect(Math.max(...shifts(48 * 3600))).toBe(48 * 3600);
});

test("a token is tried without, and cleaned", () => {
  expect(experiments(400, token("a-token"))).toHaveLength(1);
  const [, cleaned] = experiments(400, token('"a-token"'));
  expect(cleaned?.credential?.method === "token" && cleaned.credential.token.reveal()).toBe("a-token");
  expect(cleaned).toMatchObject({ shiftSeconds: 0, proof: { id: "credential-cleaned" }, simpler: [] });
});

test("the order is that of the contract; the correction of the clock and the Authorization field are kept", () => {
  const account = { ...pasted, digest: "base64-nonce", hash: "sha256" } as const;
  const all = experiments(-400, account, spare);
  const shown = all.map(({ announcement, shiftSeconds, credential }) => [
    announcement,
    shiftSeconds,
    credential?.method === "wsse" ? credential.authorization : null,
  ]);
  expect(shown).toEqual([
    ["without credentials, to see whether the header is looked at", 0, null],
    ["Created 6 minutes 40 seconds later", 400, "none"],
    ["Created 6 minutes 37 seconds later", 397, "none"],
    ["the secret without quotation marks around it", 397, "none"],
    ["the token in place of the secret", 397, "none"],
    ['with the field Authorization: WSSE profile="UsernameToken"', 397, "wsse"],
    ...conventionNames
      .filter((name) => name !== "base64-nonce")
      .map((name) => [`digest ${name} with sha256`, 397, "wsse"]),
    ...["sha1", "sha512"].flatMap((hash) =>
      conventionNames.map((name) => [`digest ${name} with ${hash}`, 397, "wsse"]),
    ),
  ]);
  expect([...new Set(all.map(({ excluded }) => excluded))]).toEqual([
    "a missing header",
    "the clock",
    "paste mistakes in the secret",
    "the token as the secret",
    "a missing Authorization field",
    "the other digest conventions and hashes",
  ]);
});

test("a field that is sent already is no experiment, and is never left out", () => {
  const account = { ...wsse(), authorization: "wsse" } as const;
  const all = experiments(0, account);
  expect(all.map(({ proof }) => proof.id)).not.toContain("authorization");
  for (const { simpler } of all) expect(simpler.map(({ shiftSeconds }) => shiftSeconds)).not.toContain(-3);
});

test("each experiment changes one thing of the account, besides what is kept", () => {
  const account = wsse();
  const [without, earlier, tried, field, ...conventions] = experiments(0, account, spare);
  expect(without?.credential).toBeNull();
  expect(earlier?.credential).toEqual(account);
  expect(tried?.credential).toEqual({ ...account, secret: spare });
  expect(field?.credential).toEqual({ ...account, authorization: "wsse" });
  for (const { credential } of conventions) {
    expect({ ...credential, digest: "text-nonce", hash: "sha1", authorization: "none" }).toEqual(account);
  }
});

test("nothing is simpler than no credential or another time, and without a token it is not tried", () => {
  const [without, earlier, field] = experiments(0);
  expect([without, earlier].map((one) => one?.simpler)).toEqual([[], []]);
  expect(field?.proof.id).toBe("authorization");
});

describe("what an accepted experiment proves", () => {
  const proofOf = (announcement: string, all: readonly Experiment[]) =>
    all.find((one) => one.announcement === announcement)?.proof;

  test("without credentials: nobody checks them", () => {
    expect(experiments(0)[0]?.proof).toMatchObject({
      id: "no-authentication",
      message: expect.stringContaining("accepted without credentials"),
      fix: expect.stringContaining("Check the base URL"),
    });
  });

  test("with another time: only the time was wrong", () => {
    expect(proofOf("Created 6 minutes 40 seconds earlier", experiments(400))).toMatchObject({
      id: "clock",
      message: "accepted with Created 6 minutes 40 seconds earlier: only the time was wrong",
      fix: expect.stringContaining("NTP"),
    });
  });

  test("with a repaired credential: what to remove, and where it is set", () => {
    expect(proofOf("the secret without quotation marks around it", experiments(400, pasted))).toEqual({
      id: "credential-cleaned",
      message:
        "accepted with the secret without quotation marks around it and Created 6 minutes 43 seconds earlier",
      fix: `Set the secret without quotation marks around it (now set by the default). ${ntp}`,
    });
    const [, , both] = experiments(0, swapped);
    expect(both).toMatchObject({
      credential: { username: "me@example.com" },
      proof: {
        id: "username-secret-swapped",
        fix: `Exchange the username (now set by the default) and the secret (now set by the default). ${ntp}`,
      },
    });
    // The fix of a proof is the only one that is shown, so it names all that has to be done.
    const [, , all] = experiments(0, wsse({ username: "correct-horse", secret: '"me@example.com"' }));
    expect(all?.proof.fix).toMatch(
      /^Set the secret without quotation marks around it, then exchange the username \(/,
    );
  });

  test("with a convention: each setting to change, and nothing that simpler requests show not to be needed", () => {
    const [all] = experiments(0).slice(-1);
    const last = conventionNames.at(-1);
    const message = `accepted with \`digest: ${last}\` and \`hash: sha512\``;
    expect(all?.proof.message).toBe(`${message} and \`authorization: wsse\` and Created 3 s earlier`);
    const digest = `Use --digest ${last}, or set REFERRAL_DIGEST=${last} (not set now)`;
    const hash = "Use --hash sha512, or set REFERRAL_HASH=sha512 (not set now)";
    const field = "Use --authorization wsse, or set REFERRAL_AUTHORIZATION=wsse (not set now)";
    expect(all?.proof.fix).toBe(`${digest}. ${hash}. ${field}. ${ntp}`);
    const [withoutField, withoutClock] = all?.simpler ?? [];
    expect(all?.simpler.map(({ announcement }) => announcement)).toEqual([
      "the same without the Authorization field",
      "the same with this clock's time",
    ]);
    expect(withoutClock?.simpler).toEqual([]);
    expect(withoutField?.proof).toMatchObject({
      message: `${message} and Created 3 s earlier`,
      fix: `${digest}. ${hash}. ${ntp}`,
    });
    expect(withoutClock?.proof.message).toBe(`${message} and \`authorization: wsse\``);
    expect(withoutField?.simpler.map(({ proof }) => proof)).toEqual([
      { id: "digest-convention", message, fix: `${digest}. ${hash}` },
    ]);
  });

  test("a measured clock difference is a part of every proof", () => {
    const [last] = experiments(400).slice(-1);
    expect(last?.simpler).toHaveLength(1);
    expect(last?.simpler[0]?.proof.message).toMatch(/ and Created 6 minutes 43 seconds earlier$/);
    expect(last?.simpler[0]?.simpler).toEqual([]);
  });
});
