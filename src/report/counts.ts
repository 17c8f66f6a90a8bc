import { bySeverity } from "../exit-codes.ts";
import type { AccountResult, RunEnd } from "./report.ts";

/**
 * Counts the checks of each outcome, accepted ones first, then the worst: `998 accepted, 2 rejected`. For an interrupted run:
 * `interrupted: 4 accepted, 16 not checked`, and how much of a stream it read.
 */
export function countOutcomes({ counts, interrupted, left, linesRead, allRead }: RunEnd): string {
  const failed = bySeverity(counts.keys()).filter((kind) => kind !== "accepted");
  const counted = (["accepted", ...failed] as const)
    .map((kind) => `${counts.get(kind) ?? 0} ${kind}`)
    .join(", ");
  if (!interrupted) return counted;
  const rest = allRead ? "" : ", the rest was not read";
  const lines = linesRead === null ? "" : `; ${linesRead} ${linesRead === 1 ? "line" : "lines"} read${rest}`;
  return `interrupted: ${counted}, ${left.length} not checked${lines}`;
}

// Each line of a stream can have an origin of its own, and memory must not grow with their number.
const mostOrigins = 10_000;

/** The origins that a run has sent requests to. */
export class Origins {
  readonly #origins = new Set<string>();

  add({ url, attempts }: AccountResult): void {
    if (url === null || attempts === 0 || this.#origins.size > mostOrigins) return;
    this.#origins.add(/^[^/]*\/\/[^/]*/.exec(url)?.[0] ?? url);
  }

  /** The end of a sentence: the origin, or how many there are. Empty if there is none. */
  text(): string {
    const [first = "", second] = this.#origins;
    if (second === undefined) return first && `; at ${first}`;
    const { size } = this.#origins;
    return size > mostOrigins ? `; at more than ${mostOrigins} origins` : `; at ${size} origins`;
  }
}
