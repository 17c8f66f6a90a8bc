import fc from "fast-check";
import { expect, test } from "vitest";
import { numRuns } from "../../properties/runs.ts";
import type { AnswerParts } from "../../support/exchanges.ts";
import { diagnosis, type Mind, minds, needing, pasted } from "./means.ts";
import { traitsIn, traitsOf } from "./traits.ts";

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
  for (const servers of ["RRAAA", "RRA", "RAA", "RRRA", "RRAA", "RRRAAA", "RRARA"])
    expect(await provedBy(servers), servers).toBeLessThanOrEqual(1);
  // A server that does not change its mind.
  for (const drawn of [0, 0.3, 0.6, 0.99]) {
    const { ids, announced } = await diagnosis({ ...pasted, answer: needing(), drawn });
    expect(ids).toMatch(/^proved /);
    const repeated = announced.flatMap((line) => /the (accepted|first) request again/.exec(line)?.[1] ?? []);
    expect(repeated.map(([letter]) => letter).join("")).toBe(
      { 0: "aaff", 0.3: "ffaa", 0.6: "affa", 0.99: "faaf" }[drawn],
    );
  }
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
        answers.filter((_, index) => announced[index]?.includes(`: ${name} request again, `));
      expect(repeated("the accepted")).toEqual(["accept", "accept"]);
      expect(repeated("the first").map(isRefused)).toEqual([true, true]);
    }),
    { numRuns, examples: [[proved]] },
  );
  expect(proofs).toBeGreaterThan(0);
});
