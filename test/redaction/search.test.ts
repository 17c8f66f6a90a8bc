import fc from "fast-check";
import { expect, test } from "vitest";
import { searchFor } from "../../src/redaction/search.ts";
import { isOutOfProportion, processorTime } from "../support/processor-time.ts";

const inOrder = (spans: readonly (readonly number[])[] | null): readonly string[] =>
  [...new Set(spans?.map(String))].toSorted();

test("every place of every secret is found, also where they overlap or one holds another", () => {
  const secret = fc.string({ unit: fc.constantFrom("a", "b", "ä"), minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(fc.array(secret), fc.array(secret), (secrets, others) => {
      const text = [...others, ...secrets].toReversed().join("b").slice(0, 300);
      const places = secrets.flatMap((one) =>
        Array.from(text, (_, at) => [at, at + one.length]).filter(([at]) => text.startsWith(one, at)),
      );
      const found = searchFor(secrets)(text);
      if (found === null) expect(places.length).toBeGreaterThan(1_000);
      else expect(inOrder(found)).toEqual(inOrder(places));
    }),
  );
});

test("a secret at too many places, and a text that only seems to hold many, give null", () => {
  expect(searchFor(["aaaa"])("a".repeat(1_003))).toHaveLength(1_000);
  expect(searchFor(["aaaa"])("a".repeat(1_004))).toBeNull();
  expect(searchFor([`${"a".repeat(1_000)}b`])("a".repeat(10_000))).toBeNull();
  expect(searchFor([])("text")).toEqual([]);
});

const alike = Array.from({ length: 5_000 }, (_, index) => `${"a".repeat(index)}b`);

test.each([
  ["the beginning of a long secret", [`${"a".repeat(30_000)}b`], "a"],
  ["the beginning of secrets of all lengths", alike, "a"],
  ["the beginning of short secrets", ["aaaab", "aaab"], "a"],
  ["other words", alike, "The quick brown fox. "],
])("a text of %s takes time in proportion to its length", async (_, secrets, text) => {
  const search = searchFor(secrets);
  const timeOf = async (length: number): Promise<number> => {
    const all = text.repeat(length / text.length);
    search(all);
    return (await processorTime(() => search(all))).milliseconds;
  };
  expect(await isOutOfProportion(timeOf, 20_000)).toBe(false);
});
