import { expect } from "vitest";
import { explain } from "../../src/check/explanation/explain.ts";
import type { Outcome } from "../../src/check/outcome.ts";

/** The sentence of an outcome, and the beginning of what to do. */
export type Words = readonly [headline: string, next: string];

/** Checks that an outcome is explained by these words. */
export function expectWords(outcome: Outcome, [headline, next]: Words): void {
  const explanation = explain(outcome);
  expect(explanation.headline).toBe(headline);
  expect(explanation.next.slice(0, next.length)).toBe(next);
  expect(next === "").toBe(explanation.next === "");
}
