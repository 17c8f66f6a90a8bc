import { expect } from "vitest";
import { type Case, explained } from "./found.ts";

/** The end of a headline, and the beginning of the advice beside it. */
export type Words = readonly [headline: string, fix: string];

/** Checks that a case has such a headline, and this advice in the finding that repeats it, or else in the first. */
export function expectWords(wanted: Case, [headline, fix]: Words): void {
  const explanation = explained(wanted);
  expect(explanation.headline.slice(-headline.length)).toBe(headline);
  const { findings } = explanation;
  const own = findings.find(({ message }) => message === explanation.headline) ?? findings[0];
  expect(own?.fix.slice(0, fix.length)).toBe(fix);
}
