import { expect, test } from "vitest";
import { judged } from "../../support/exchanges.ts";
import { caseOf, collected } from "./collected.ts";
import { explained, unredacted } from "./found.ts";

test("there are more than a hundred, and each shape stands once", () => {
  expect(collected.length).toBeGreaterThan(100);
  expect(
    new Set(collected.map(({ status, body, headers }) => JSON.stringify([status, body, headers]))).size,
  ).toBe(collected.length);
});

test.each(collected.map((row) => [row.from, row] as const))("%s", (_, row) => {
  const one = caseOf(row);
  expect(judged(one.exchange, 10, unredacted).kind).toBe(row.is);
  const { findings } = explained(one);
  const said = findings.map(({ message }) => message);
  expect(said).toEqual([...new Set(said)]);
});
