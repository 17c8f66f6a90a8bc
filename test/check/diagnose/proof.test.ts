import fc from "fast-check";
import { expect, test } from "vitest";
import type { Variant } from "../../../src/check/request.ts";
import { numRuns } from "../../properties/runs.ts";
import { diagnosis, type Mind, minds, pasted } from "./means.ts";

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
])("of a server that needs %j just that is proved, and it is asked for no set twice", async (words) => {
  const { found, variants } = await diagnosis({
    ...pasted,
    answer: (_, variant) => (words.every((word) => traitsOf(variant).includes(word)) ? "accept" : "refuse"),
  });
  expect(found[0]).toMatch(/^proved /);
  expect(traitsIn(found[0] ?? "")).toEqual(words);
  const asked = variants.map((variant) => traitsOf(variant).join()).filter((set) => set !== "");
  expect(new Set(asked).size).toBe(asked.length);
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

test("at a server that answers at random, nothing is proved unless the control was refused", async () => {
  // Half of the answers refuse, so that some controls do.
  const mind = fc.oneof(
    fc.constant<Mind>("refuse"),
    fc.constantFrom<Mind>("refuse", "refuse", "accept", "accept", ...(Object.keys(minds) as Mind[])),
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
      const isControl = (_: Mind, index: number): boolean =>
        announced[index]?.includes(": control ") ?? false;
      const controls = answers.filter(isControl);
      expect(controls).toHaveLength(2);
      for (const control of controls)
        expect(minds[control]).toMatchObject({
          status: expect.toSatisfy((status) => [401, 403].includes(status)),
        });
    }),
    { numRuns },
  );
  expect(proofs).toBeGreaterThan(0);
});
