import { describe, expect, test } from "vitest";
import type { Variant } from "../../../src/check/check-context.ts";
import type { DigestAlgorithm } from "../../../src/wsse/digest.ts";
import { numRuns } from "../../properties/runs.ts";
import { diagnosis, type Mind, pasted, type Situation } from "./means.ts";
import { traitsIn, traitsOf } from "./traits.ts";

/** What a server wants of a request; null if it does not know the account. */
type Wish = Partial<DigestAlgorithm & { authorization: "wsse"; clock: true; secret: string }> | null;

const meets = (wish: Wish, { credential, shiftSeconds }: Variant): boolean => {
  if (wish === null || credential?.method !== "wsse") return false;
  const { digest = "text-nonce", hash = "sha1", authorization, clock, secret } = wish;
  return (
    credential.digest === digest &&
    credential.hash === hash &&
    (authorization === undefined || credential.authorization === "wsse") &&
    (clock === undefined || shiftSeconds !== 0) &&
    (secret === undefined || credential.secret.reveal() === secret)
  );
};

const first: Variant = { credential: pasted.credential, shiftSeconds: 0 };

/** What a proof must name for a server with this wish, in the order of the words. */
const wordsOf = ({ secret, digest, hash, authorization, clock }: NonNullable<Wish>): readonly string[] => [
  ...(secret === "correct-horse" ? ["the secret without quotation marks around it"] : []),
  ...(secret === "a-token" ? ["the token as the secret"] : []),
  ...(digest === undefined ? [] : [`\`digest: ${digest}\``]),
  ...(hash === undefined ? [] : [`\`hash: ${hash}\``]),
  ...(authorization === undefined ? [] : ["`authorization: wsse`"]),
  ...(clock === undefined ? [] : ["Created earlier"]),
];

/** Whether a proof names just what is wished; more only if it says that not all of it may be needed. */
function isTrue(proof: string, wish: Wish): boolean {
  if (wish === null) return false;
  const named = traitsIn(proof).map((words) => words.replace(/^Created .*/, "Created earlier"));
  const wanted = wordsOf(wish);
  const isWhole = /which of these are needed is not known|do not show whether/.test(proof);
  return wanted.every((words) => named.includes(words)) && (isWhole || named.length === wanted.length);
}

const secrets = [undefined, "correct-horse", "a-token"];
const wishes: readonly NonNullable<Wish>[] = [
  ...secrets.slice(1).map((secret) => ({ secret: secret as string })),
  ...[undefined, true as const].flatMap((clock) =>
    [undefined, "wsse" as const].flatMap((authorization) =>
      [undefined, "base64-nonce" as const, "decoded-nonce" as const, "hex-digest" as const].flatMap(
        (digest) =>
          [undefined, "sha256" as const, "sha512" as const].map((hash) =>
            Object.fromEntries(
              Object.entries({ clock, authorization, digest, hash }).filter(
                ([, value]) => value !== undefined,
              ),
            ),
          ),
      ),
    ),
  ),
].filter((wish) => !meets(wish, first));

/** The proof of a diagnosis, if it is one. */
async function proofIn(situation: Situation): Promise<string | null> {
  const { found, variants } = await diagnosis({ ...pasted, ...situation });
  expect(variants.length).toBeLessThanOrEqual(24);
  // The accepted set is made twice more, and the needed one at the end if a refusal came before.
  const asked = variants.map((variant) => traitsOf(variant).join()).filter((set) => set !== "");
  const repeated = asked.filter((set, index) => asked.indexOf(set) !== index);
  expect(repeated.length).toBeLessThanOrEqual(3);
  if (repeated.length > 2) expect(repeated[2]).toBe(asked.at(-1));
  return found[0]?.startsWith("proved ") ? found[0] : null;
}

const answerOf = (wish: Wish, variant: Variant): Mind => (meets(wish, variant) ? "accept" : "refuse");

/** Random numbers from 0 up to 1, the same in each run, so that no test fails by chance (Numerical Recipes, 7.1). */
function generator(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** About as many of the cases as a property tries. */
function some<Case>(cases: readonly Case[]): readonly Case[] {
  const random = generator();
  return cases.filter(() => random() < numRuns / cases.length);
}

describe("in all the ways in which servers can mislead it", () => {
  test("what an honest server needs is proved", async () => {
    for (const wish of wishes)
      for (const date of [undefined, "Sat, 21 Nov 2026 11:53:50 GMT"]) {
        const proof = await proofIn({
          answer: (_, variant) => answerOf(wish, variant),
          ...(date && { date }),
        });
        expect(isTrue(proof ?? "", wish), `${JSON.stringify(wish)}: ${proof}`).toBe(true);
      }
  });

  test("of two to four servers that take turns, none makes a false proof", async () => {
    const kinds: readonly Wish[] = [null, {}, ...wishes.filter((_, index) => index % 7 === 3)];
    const orders = (length: number): readonly (readonly Wish[])[] =>
      length === 0 ? [[]] : orders(length - 1).flatMap((order) => kinds.map((kind) => [...order, kind]));
    const all = [2, 3, 4].flatMap(orders).filter(([server = null]) => !meets(server, first));
    for (const servers of some(all)) {
      const turn = (number: number): Wish => servers[number % servers.length] ?? null;
      const proof = await proofIn({ answer: (number, variant) => answerOf(turn(number), variant) });
      const isFalse = proof !== null && !servers.some((wish) => isTrue(proof, wish));
      expect(isFalse, `${JSON.stringify(servers)}: ${proof}`).toBe(false);
    }
  });

  test("a server that locks or fails at any step makes no false proof", async () => {
    const minds = ["locked", "paused", "423", "429", "400", "500", "503", "fail", "interrupt"] as const;
    const faults: ReadonlyArray<{ readonly mind: Mind; readonly isOnce: boolean }> = [
      // A refusal like any other is no fault, but all of them are a lock that the server does not speak of.
      { mind: "refuse", isOnce: false },
      ...minds.flatMap((mind) => [true, false].map((isOnce) => ({ mind, isOnce }))),
    ];
    const all = wishes.flatMap((wish) =>
      faults.flatMap((fault) =>
        Array.from({ length: 24 }, (_, index) => ({ wish, ...fault, step: index + 1 })),
      ),
    );
    for (const { wish, mind, isOnce, step } of some(all)) {
      const isFaulty = (number: number): boolean => (isOnce ? number === step : number >= step);
      const proof = await proofIn({
        answer: (number, variant) => (isFaulty(number) ? mind : answerOf(wish, variant)),
      });
      const isFalse = proof !== null && !isTrue(proof, wish);
      expect(isFalse, `${JSON.stringify([wish, mind, isOnce, step])}: ${proof}`).toBe(false);
    }
  });

  // How many servers there are, and how many of them know the account.
  test.each([
    [2, 1],
    [3, 1],
    [3, 2],
    [4, 1],
    [4, 2],
    [4, 3],
  ])(
    "of %i servers by random choice, of which %i know the account, at most one run in twenty proves anything",
    async (all, knowing) => {
      const random = generator();
      const answer = (_: number, variant: Variant): Mind =>
        answerOf(random() < knowing / all ? {} : null, variant);
      let proofs = 0;
      for (let run = 0; run < numRuns; run += 1) {
        // A run whose first request is accepted diagnoses nothing.
        if (answer(0, first) === "accept") continue;
        if ((await proofIn({ answer })) !== null) proofs += 1;
      }
      expect(proofs / numRuns).toBeLessThanOrEqual(0.05);
    },
  );
});
