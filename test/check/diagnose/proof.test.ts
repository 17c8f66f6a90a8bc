import fc from "fast-check";
import { expect, test } from "vitest";
import type { Variant } from "../../../src/check/check-context.ts";
import { numRuns } from "../../properties/runs.ts";
import type { AnswerParts } from "../../support/exchanges.ts";
import { diagnosis, type Mind, minds, needing, pasted } from "./diagnosis.ts";

/** What a request authenticates with, in the words of a proof, one for each change. */
function traitsOf({ credential, shiftSeconds }: Variant): readonly string[] {
  if (credential?.method !== "wsse") return ["no credentials"];
  const { secret, digest, hash, authorization } = credential;
  return [
    ...(secret.reveal() === "correct-horse"
      ? ["the secret set to its text between the quotation marks"]
      : []),
    ...(secret.reveal() === "a-token" ? ["the token as the secret"] : []),
    ...(digest === "text-nonce" ? [] : [`\`digest: ${digest}\``]),
    ...(hash === "sha1" ? [] : [`\`hash: ${hash}\``]),
    ...(authorization === "none" ? [] : ["`authorization: wsse`"]),
    ...(shiftSeconds === 0 ? [] : [`Created ${-shiftSeconds} s earlier`]),
  ];
}

/** The traits that a proof names. */
function traitsIn(finding: string): readonly string[] {
  const [, words = ""] = /: a request with (.*?) was accepted/.exec(finding) ?? [];
  return words.split(" and ");
}

const step = fc.integer({ min: 1, max: 24 });
const failing = fc.constantFrom<Mind>(
  ...(["locked", "paused", "423", "429", "400", "500", "503", "fail", "interrupt"] as const),
);
/** A server that fails or locks at one request, or from there on. A lock that it does not speak of refuses like any other answer. */
const faults = fc.oneof(
  { weight: 3, arbitrary: fc.record({ step, mind: failing, isOnce: fc.boolean() }) },
  fc.record({ step, mind: fc.constant<Mind>("refuse"), isOnce: fc.constant(false) }),
);

test("a proof is accepted, and refused without any of its changes, also if the server fails or locks meanwhile", async () => {
  const proofs = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.func(fc.nat(255)),
      fc.integer({ min: 5, max: 120 }),
      fc.option(faults),
      async (chance, often, fault) => {
        const accepts = (traits: readonly string[]): boolean =>
          traits.length > 0 && chance(traits.join()) < often;
        const isFaulty = (number: number): boolean =>
          fault !== null && (fault.isOnce ? number === fault.step : number >= fault.step);
        const { found, variants, answered } = await diagnosis({
          ...pasted,
          answer: (number, variant) =>
            fault !== null && isFaulty(number)
              ? fault.mind
              : accepts(traitsOf(variant))
                ? "accept"
                : "refuse",
        });
        expect(variants.length).toBeLessThanOrEqual(24);
        const [first = ""] = found;
        if (fault === null && answered.includes("accept")) expect(first).toMatch(/^proved /);
        if (!first.startsWith("proved ")) return;
        const traits = traitsIn(first);
        proofs.add(traits.join().replace(/: [^`]*/g, ""));
        expect(accepts(traits), first).toBe(true);
        if (/do not show whether|is not known/.test(first)) return;
        for (const left of traits) expect(accepts(traits.filter((one) => one !== left)), first).toBe(false);
      },
    ),
    { numRuns: 3 * numRuns },
  );
  expect(proofs.size).toBeGreaterThan(3);
});

test("servers that take turns prove nothing in any of the orders, or in one of four", async () => {
  const provedBy = async (servers: string): Promise<number> => {
    let proofs = 0;
    for (const drawn of [0, 0.25, 0.5, 0.75]) {
      const answer = (number: number) => (servers[number % servers.length] === "A" ? "accept" : "refuse");
      const { ids } = await diagnosis({ ...pasted, answer, drawn });
      if (ids.startsWith("proved")) proofs += 1;
    }
    return proofs;
  };
  for (const servers of ["RA", "AR"]) expect(await provedBy(servers), servers).toBe(0);
  for (const servers of ["RRAAA", "RRA", "RAA", "RRRA", "RRAA", "RRRAAA", "RRARA", "RRRRAAAA"])
    expect(await provedBy(servers), servers).toBeLessThanOrEqual(1);
});

test.each([
  [0, "aaff"],
  [0.3, "ffaa"],
  [0.6, "affa"],
  [0.99, "faaf"],
])("the number %d draws an order of the accepted and the first request: %s", async (drawn, order) => {
  const { ids, announced } = await diagnosis({ ...pasted, answer: needing(), drawn });
  expect(ids).toMatch(/^proved /);
  const repeated = announced.flatMap((line) => /the (\w)\w+ request again/.exec(line)?.[1] ?? []);
  expect(repeated.join("")).toBe(order);
});

test("at a server that answers at random, nothing is proved unless all four repeated requests fit", async () => {
  const isRefused = (mind: Mind): boolean => [401, 403].includes((minds[mind] as AnswerParts).status ?? 0);
  // Half of the answers refuse, so that some of the first requests do.
  const mind = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<Mind>("refuse", "accept") },
    fc.constantFrom(...(Object.keys(minds) as Mind[])),
  );
  // One that is proved: few random ones are.
  const proved = Array<Mind>(24).fill("refuse").fill("accept", 2, 5);
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
        answers.filter((_, index) => announced[index]?.match(`: ${name} request again, \\d of 2`));
      expect(repeated("the accepted")).toEqual(["accept", "accept"]);
      expect(repeated("the first").map(isRefused)).toEqual([true, true]);
    }),
    { numRuns, examples: [[proved]] },
  );
  expect(proofs).toBeGreaterThan(0);
});
