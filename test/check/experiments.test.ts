import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Attempt } from "../../src/check/attempt.ts";
import { experimentsFor } from "../../src/check/experiments.ts";
import { judge } from "../../src/check/judge.ts";
import { Secret } from "../../src/settings/secret.ts";
import { conventionNames, hashNames, maxExperiments } from "../../src/wsse/digest.ts";
import { replied } from "../support/exchanges.ts";
import { token, wsse } from "./found.ts";

/** A refused attempt by a clock that is so many seconds ahead. */
function refused(skewSeconds: number): Attempt {
  const exchange = replied({ status: 401 });
  return {
    sent: {},
    exchange,
    outcome: judge(exchange, 10),
    clock: { skewSeconds, uncertaintySeconds: 1 },
  };
}

test("the contract, README and help promise fourteen requests: whoever adds a convention or hash changes them", () => {
  expect(maxExperiments).toBe(14);
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  expect(readme).toContain("by at most fourteen further requests");
});

test("a diagnosis with everything to try tries each convention with each hash, and is as long as promised", () => {
  const experiments = experimentsFor(wsse(), new Secret("a-token"), refused(400));

  expect(experiments).toHaveLength(maxExperiments);
  const recipes = experiments.flatMap(({ credential }) =>
    credential?.method === "wsse" ? [`${credential.digest} ${credential.hash}`] : [],
  );
  expect([...new Set(recipes)].toSorted()).toEqual(
    conventionNames.flatMap((digest) => hashNames.map((hash) => `${digest} ${hash}`)).toSorted(),
  );
});

test.each([1, -1])("a difference of more than 48 hours is not tried (%i)", (sign) => {
  const shifts = (skewSeconds: number): readonly number[] =>
    experimentsFor(wsse(), null, refused(sign * skewSeconds)).map(({ shiftSeconds }) => shiftSeconds);
  expect(new Set(shifts(48 * 3600 + 1))).toEqual(new Set([0]));
  expect(new Set(shifts(48 * 3600))).toEqual(new Set([0, -sign * 48 * 3600]));
});

test("what there is nothing to try with is left out", () => {
  expect(experimentsFor(wsse(), null, refused(1))).toHaveLength(maxExperiments - 2);
  expect(experimentsFor(token("a-token"), null, refused(400))).toHaveLength(1);
});

const shifts = (first: Attempt) =>
  experimentsFor(wsse(), null, first).map(({ shiftSeconds }) => shiftSeconds);

test("the clock is corrected where it differs by more than what Date leaves uncertain, and for all that follows", () => {
  expect(new Set(shifts(refused(2)))).toEqual(new Set([0]));
  expect(new Set(shifts(refused(-2)))).toEqual(new Set([0]));
  expect(new Set(shifts({ ...refused(400), clock: null }))).toEqual(new Set([0]));
  expect(shifts(refused(3))).toEqual([0, ...Array(maxExperiments - 2).fill(-3)]);
  expect(shifts(refused(-3))).toEqual([0, ...Array(maxExperiments - 2).fill(3)]);
});

test("the order is: without credentials, the clock, the token, this hash, the other hashes", () => {
  const account = { ...wsse({}, "base64-nonce"), hash: "sha256" } as const;
  const experiments = experimentsFor(account, new Secret("a-token"), refused(-400));
  expect(experiments.map(({ announcement }) => announcement)).toEqual([
    "without credentials, to see whether the header is looked at",
    "Created corrected by +400 s, the measured clock difference",
    "the token in place of the secret",
    ...conventionNames.filter((name) => name !== "base64-nonce").map((name) => `digest ${name} with sha256`),
    ...conventionNames.map((name) => `digest ${name} with sha1`),
    ...conventionNames.map((name) => `digest ${name} with sha512`),
  ]);
  expect(new Set(experiments.map(({ excluded }) => excluded))).toEqual(
    new Set([
      "a header that does not arrive",
      "the clock",
      "the token as the secret",
      "the digest conventions and hashes",
    ]),
  );
});

test("each experiment changes one thing of the account, and nothing else", () => {
  const account = wsse();
  const [without, clock, token, ...recipes] = experimentsFor(account, new Secret("a-token"), refused(400));
  expect(without?.credential).toBeNull();
  expect(clock?.credential).toEqual(account);
  expect(token?.credential).toEqual({ ...account, secret: new Secret("a-token") });
  expect(token?.credential?.method === "wsse" && token.credential.secret.reveal()).toBe("a-token");
  for (const { credential } of recipes) {
    expect({ ...credential, digest: "text-nonce", hash: "sha1" }).toEqual(account);
  }
});

describe("what an accepted experiment proves", () => {
  /** The proofs by announcement, of a clock that is so many seconds ahead. */
  const proofs = (skewSeconds: number) =>
    Object.fromEntries(
      experimentsFor(wsse(), new Secret("a-token"), refused(skewSeconds)).map((one) => [
        one.announcement,
        one.proof,
      ]),
    );

  test("without credentials: nothing looks at them", () => {
    expect(proofs(0)["without credentials, to see whether the header is looked at"]).toMatchObject({
      id: "no-authentication",
      message: expect.stringContaining("accepted without credentials"),
      fix: expect.stringContaining("Check the base URL"),
    });
  });

  test("with another clock: the clock alone is wrong", () => {
    expect(proofs(400)["Created corrected by −400 s, the measured clock difference"]).toMatchObject({
      id: "clock",
      message: "accepted with Created corrected by −400 s: only this clock is wrong",
      fix: expect.stringContaining("NTP"),
    });
  });

  test.each([
    [0, "", ""],
    [400, ", with Created corrected by −400 s", "; also set this machine's clock by NTP"],
  ])("with the clock %i s ahead, the clock is a part of what is proved", (skew, corrected, clockNote) => {
    const all = proofs(skew);
    expect(all["the token in place of the secret"]).toEqual({
      id: "token-is-secret",
      message: `accepted with the token as the secret${corrected}: the value set as the secret is the wrong one`,
      fix: `Set the secret to what is now set as the token${clockNote}`,
    });
    expect(all["digest base64-nonce with sha1"]).toEqual({
      id: "digest-convention",
      message: `accepted with \`digest: base64-nonce\`${corrected}`,
      fix: `Write into .referralrc: digest: base64-nonce${clockNote}`,
    });
    expect(all["digest text-nonce with sha512"]).toMatchObject({
      message: `accepted with \`hash: sha512\`${corrected}`,
      fix: `Write into .referralrc: hash: sha512${clockNote}`,
    });
    expect(all["digest hex-digest with sha256"]).toMatchObject({
      message: `accepted with \`digest: hex-digest\` and \`hash: sha256\`${corrected}`,
      fix: `Write into .referralrc: digest: hex-digest and hash: sha256${clockNote}`,
    });
  });
});
