import type { CheckResult } from "../check/outcome.ts";

/** How many checks there are of each outcome, the accepted ones first: `998 accepted, 2 rejected`. */
export function countOutcomes(results: readonly CheckResult[]): string {
  const counts = new Map<string, number>([["accepted", 0]]);
  for (const { outcome } of results) counts.set(outcome.kind, (counts.get(outcome.kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ");
}
