import { expect } from "vitest";
import { type Case, explained } from "./found.ts";

/** The end of a headline, and the beginning of the advice beside it. */
export type Words = readonly [headline: string, fix: string];

/** Checks that a case has such a headline, and a first finding with this advice. */
export function expectWords(wanted: Case, [headline, fix]: Words): void {
  const explanation = explained(wanted);
  expect(explanation.headline.slice(-headline.length)).toBe(headline);
  expect(explanation.findings[0]?.fix.slice(0, fix.length)).toBe(fix);
}
