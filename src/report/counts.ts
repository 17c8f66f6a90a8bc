import type { RunEnd } from "./report-writer.ts";

/**
 * How many checks there are of each outcome, the accepted ones first: `998 accepted, 2 rejected`. An interrupted run says
 * so: `interrupted: 4 accepted, 16 not checked`, and how much of a stream it read.
 */
export function countOutcomes({ counts, interrupted, left, linesRead }: RunEnd): string {
  const kinds = new Map([["accepted", 0], ...counts]);
  const counted = [...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ");
  if (!interrupted) return counted;
  const lines = linesRead === null ? "" : `; ${linesRead} ${linesRead === 1 ? "line" : "lines"} read`;
  return `interrupted: ${counted}, ${left.length} not checked${lines}`;
}
