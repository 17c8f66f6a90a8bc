import { bySeverity } from "../exit-codes.ts";
import type { AccountResult, RunEnd } from "./report.ts";

/** Whether accounts were left or not read, or there was none: then the counts of the checks do not tell the whole. */
export function isPartial({ interrupted, left, allRead, emptyShard }: RunEnd): boolean {
  return interrupted || left.length > 0 || !allRead || emptyShard !== null;
}

/**
 * Counts the checks of each outcome, accepted ones first, then the worst: `998 accepted, 2 rejected`; and says what was not
 * checked and why: `interrupted: 4 accepted, 16 not checked; 20 lines read, the rest was not read`.
 */
export function countOutcomes(end: RunEnd): string {
  const { counts, interrupted, left, linesRead, allRead, notSent, emptyShard } = end;
  const failed = bySeverity(counts.keys()).filter((kind) => kind !== "accepted");
  const unsent = notSent === 0 ? "" : ` (${notSent} not sent: the server asked for a pause)`;
  const counted = (["accepted", ...failed] as const)
    .map((kind) => `${counts.get(kind) ?? 0} ${kind}${kind === "unavailable" ? unsent : ""}`)
    .join(", ");
  if (!isPartial(end)) return counted;
  if (emptyShard !== null) return `${counted}; --shard ${emptyShard} holds no account`;
  const rest = allRead ? "" : `${linesRead === null ? "; the accounts were" : ", the rest was"} not read`;
  const lines = linesRead === null ? "" : `; ${linesRead} ${linesRead === 1 ? "line" : "lines"} read`;
  const why = interrupted ? "interrupted" : "ended early";
  return `${why}: ${counted}, ${left.length} not checked${lines}${rest}`;
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
