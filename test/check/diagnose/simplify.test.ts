import fc from "fast-check";
import { expect, test } from "vitest";
import type { Change } from "../../../src/check/diagnose/changes.ts";
import { type Answer, simplified } from "../../../src/check/diagnose/simplify.ts";

const changeOf = (accepted: string): Change => ({
  id: "clock",
  apply: (variant) => variant,
  announcement: accepted,
  excluded: accepted,
  accepted,
  fix: [accepted],
});
const changes = ["digest", "hash", "field", "clock"].map(changeOf);
const named = (some: readonly Change[]): string => some.map(({ accepted }) => accepted).join(" ");

/** What remains of all four changes at a server that accepts these sets, and the sets that were asked. */
async function remaining(answer: (set: string) => Answer | null, refused: readonly string[] = [""]) {
  const asked: string[] = [];
  const known = refused.map((set) => changes.filter(({ accepted }) => set.split(" ").includes(accepted)));
  const needed = await simplified(changes, known, async (_, fewer) => {
    asked.push(named(fewer));
    return answer(named(fewer));
  });
  return { needed: named(needed.changes), open: needed.open, asked };
}
const needing =
  (...words: readonly string[]) =>
  (set: string): Answer =>
    words.every((word) => set.split(" ").includes(word)) ? "accepted" : "refused";

test.each([
  [["digest"]],
  [["hash"]],
  [["digest", "hash"]],
  [["field", "clock"]],
  [["digest", "hash", "field", "clock"]],
])("of a server that needs %j just that remains, and it is asked for no set twice", async (words) => {
  const { needed, open, asked } = await remaining(needing(...words));
  expect([needed, open]).toEqual([words.join(" "), null]);
  expect(new Set(asked).size).toBe(asked.length);
});

test("what was refused before is not asked again", async () => {
  const { asked } = await remaining(needing("digest", "hash"), [
    "",
    "hash field clock",
    "digest field clock",
  ]);
  expect(asked).toEqual(["digest hash field", "digest hash", "digest", "hash"]);
});

test.each<[string, Answer | null]>([
  ["neither accepts nor refuses", { otherwise: "429" }],
  ["cannot be asked again", null],
])("where the server %s, nothing shows that all of the rest is needed", async (_, answer) => {
  const { needed, open } = await remaining((set) => (set.includes("field") ? "accepted" : answer));
  expect([needed, open]).toEqual(["digest hash field", answer ?? "no-request-left"]);
});

test("at any server, what remains is accepted, and is refused without any one change", async () => {
  const sets = fc.array(fc.subarray([0, 1, 2, 3], { minLength: 1 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(sets, async (accepted) => {
      const known = new Set([
        "digest hash field clock",
        ...accepted.map((set) => named(set.map((at) => changes[at] as Change))),
      ]);
      const { needed } = await remaining((set) => (known.has(set) ? "accepted" : "refused"));
      expect(known).toContain(needed);
      const words = needed.split(" ");
      for (const left of words) expect(known).not.toContain(words.filter((word) => word !== left).join(" "));
    }),
  );
});
