import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Variant } from "../../../src/check/request.ts";
import type { DigestAlgorithm } from "../../../src/wsse/digest.ts";
import { numRuns } from "../../properties/runs.ts";
import type { AnswerParts } from "../../support/exchanges.ts";
import { diagnosis, type Mind, minds, pasted, type Situation } from "./means.ts";

/** What a request authenticates with, in the words of a proof, one for each change. */
function traitsOf({ credential, shiftSeconds }: Variant): readonly string[] {
  if (credential?.method !== "wsse") return ["no credentials"];
  const { secret, digest, hash, authorization } = credential;
  return [
    ...(secret.reveal() === "correct-horse" ? ["the secret without quotation marks around it"] : []),
    ...(secret.reveal() === "a-token" ? ["the token as the secret"] : []),
    ...(digest === "text-nonce" ? [] : [`\`digest: ${digest}\``]),
    ...(hash === "sha1" ? [] : [`\`hash: ${hash}\``]),
    ...(authorization === "none" ? [] : ["`authorization: wsse`"]),
    ...(shiftSeconds === 0 ? [] : [`Created ${-shiftSeconds} s earlier`]),
  ];
}

/** The traits that a proof names. */
const traitsIn = (finding: string): readonly string[] =>
  /accepted with(?:out credentials()| (.*?))(?::|;)/
    .exec(finding.replace(/`(\w+): /g, "`$1=").replace(/^.*?: /, ""))
    ?.slice(1)
    .flatMap((words) => (words === undefined ? [] : words === "" ? ["no credentials"] : words.split(" and ")))
    .map((words) => words.replace("=", ": ")) ?? [];

test.each([
  [["`digest: base64-nonce`"]],
  [["`hash: sha512`"]],
  [["`digest: hex-digest`", "`hash: sha256`"]],
  [["`authorization: wsse`", "Created 3 s earlier"]],
  [["`digest: base64-nonce`", "`hash: sha256`", "`authorization: wsse`", "Created 3 s earlier"]],
])("of a server that needs %j just that is proved, and it is asked for no other set twice", async (words) => {
  const { found, variants } = await diagnosis({
    ...pasted,
    answer: (_, variant) => (words.every((word) => traitsOf(variant).includes(word)) ? "accept" : "refuse"),
  });
  expect(found[0]).toMatch(/^proved /);
  expect(traitsIn(found[0] ?? "")).toEqual(words);
  // The accepted set is made twice more, and the needed one at the end if a refusal came before.
  const asked = variants.map((variant) => traitsOf(variant).join()).filter((set) => set !== "");
  const repeated = asked.filter((set, index) => asked.indexOf(set) !== index);
  expect(repeated.length).toBeLessThanOrEqual(3);
  expect(repeated.slice(2).join()).toBe(
    repeated.length > 2 ? traitsOf(variants.at(-1) as Variant).join() : "",
  );
});

test("at a server that does not change its mind, a proof is accepted, and refused without any of its changes", async () => {
  const proofs = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.func(fc.nat(255)), fc.integer({ min: 5, max: 120 }), async (chance, often) => {
      const accepts = (traits: readonly string[]): boolean =>
        traits.length > 0 && chance(traits.join()) < often;
      const { found, variants } = await diagnosis({
        ...pasted,
        answer: (_, variant) => (accepts(traitsOf(variant)) ? "accept" : "refuse"),
      });
      expect(variants.length).toBeLessThanOrEqual(24);
      const [first = ""] = found;
      if (!first.startsWith("proved ")) return;
      const traits = traitsIn(first);
      proofs.add(traits.join().replace(/: [^`]*/g, ""));
      expect(traits).not.toEqual([]);
      expect(accepts(traits)).toBe(true);
      if (first.includes("do not show whether")) return;
      for (const left of traits) expect(accepts(traits.filter((one) => one !== left))).toBe(false);
    }),
    { numRuns },
  );
  expect(proofs.size).toBeGreaterThan(3);
});

test("at a server that answers at random, nothing is proved unless all four repeated requests fit", async () => {
  const isRefused = (mind: Mind): boolean => [401, 403].includes((minds[mind] as AnswerParts).status ?? 0);
  // Half of the answers refuse, so that some of the first requests do.
  const mind = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<Mind>("refuse", "accept") },
    fc.constantFrom(...(Object.keys(minds) as Mind[])),
  );
  let proofs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(mind, { minLength: 24, maxLength: 24 }), async (answers) => {
      const { found, announced } = await diagnosis({
        ...pasted,
        answer: (number) => answers[number - 1] ?? "refuse",
      });
      expect(announced.length).toBeLessThanOrEqual(24);
      if (!found[0]?.startsWith("proved ")) return;
      proofs += 1;
      const repeated = (name: string) =>
        answers.filter((_, index) => announced[index]?.includes(`: ${name} request again, `));
      expect(repeated("the accepted")).toEqual(["accept", "accept"]);
      expect(repeated("the first").map(isRefused)).toEqual([true, true]);
    }),
    { numRuns },
  );
  expect(proofs).toBeGreaterThan(0);
});

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
