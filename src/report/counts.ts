import type { CheckResult } from "../check/outcome.ts";

/** What a run came to. */
export interface RunResult {
  /** The checks that were made, in the order of their accounts. */
  readonly results: readonly CheckResult[];
  /** Whether a signal ended the run. */
  readonly interrupted: boolean;
  /** The accounts that the interruption left, by their profiles; those that were under way are among them. */
  readonly left: readonly (string | null)[];
}

/**
 * How many checks there are of each outcome, the accepted ones first: `998 accepted, 2 rejected`. An interrupted run says
 * so: `interrupted: 4 accepted, 16 not checked`.
 */
export function countOutcomes({ results, interrupted, left }: RunResult): string {
  const counts = new Map<string, number>([["accepted", 0]]);
  for (const { outcome } of results) counts.set(outcome.kind, (counts.get(outcome.kind) ?? 0) + 1);
  const counted = [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ");
  return interrupted ? `interrupted: ${counted}, ${left.length} not checked` : counted;
}
