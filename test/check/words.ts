import { expect } from "vitest";
import type { Outcome } from "../../src/check/outcome.ts";
import { failed } from "../support/exchanges.ts";
import { explained } from "./found.ts";

/** The sentence of an outcome, and the beginning of what to do. */
export type Words = readonly [headline: string, next: string];

/** Checks that an outcome is explained by these words. */
export function expectWords(outcome: Outcome, [headline, next]: Words): void {
  // An exchange that gives no evidence of its own.
  const exchange = failed({ kind: "lookup", host: "x.invalid", code: "ENOTFOUND" });
  const explanation = explained({ exchange, outcome });
  const fixes = explanation.findings.map(({ fix }) => fix.slice(0, next.length));
  expect([explanation.headline, ...fixes]).toEqual([headline, ...(next === "" ? [] : [next])]);
}
