import type { RunEnd } from "./report-writer.ts";

/**
 * Counts the checks of each outcome, accepted ones first: `998 accepted, 2 rejected`. For an interrupted run:
 * `interrupted: 4 accepted, 16 not checked`, and the number of lines that it read from a stream.
 */
export function countOutcomes({ counts, interrupted, left, linesRead }: RunEnd): string {
  const kinds = new Map([["accepted", 0], ...counts]);
  const counted = [...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ");
  if (!interrupted) return counted;
  const lines = linesRead === null ? "" : `; ${linesRead} ${linesRead === 1 ? "line" : "lines"} read`;
  return `interrupted: ${counted}, ${left.length} not checked${lines}`;
}
