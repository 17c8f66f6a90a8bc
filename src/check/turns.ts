// The turns of a run: when an origin may be asked, and how many checks run at once. A 429 holds back its origin alone, and the
// accounts of that origin are asked again later: a rate limit costs time, and no verdicts.

import { durationInWords } from "../words.ts";
import { type Outcome, responseOf } from "./outcome.ts";

/** Why a request is not sent, and what to do. */
export type NotSent = Readonly<Record<"message" | "hint", string>>;

/** A limited number of places. When one is left, the first caller that waits and is ready gets it. */
export class Places {
  readonly count: number;
  #free: number;
  readonly #waiting: Array<{ readonly isReady: () => boolean; readonly enter: () => void }> = [];

  constructor(count: number) {
    this.count = count;
    this.#free = count;
  }

  /** Resolves when the caller has a place: at once if one is free and `isReady()`. `goesFirst` puts it before those that wait. */
  async enter(isReady = (): boolean => true, goesFirst = false): Promise<void> {
    if (this.#free > 0 && isReady()) this.#free -= 1;
    else
      await new Promise<void>((enter) => this.#waiting[goesFirst ? "unshift" : "push"]({ isReady, enter }));
  }

  leave(): void {
    this.#free += 1;
    this.fill();
  }

  /** Gives the free places to callers that are ready. Call it when one that waits may have become ready. */
  fill(): void {
    while (this.#free > 0) {
      const index = this.#waiting.findIndex(({ isReady }) => isReady());
      if (index === -1) return;
      this.#free -= 1;
      this.#waiting.splice(index, 1)[0]?.enter();
    }
  }
}

/** An origin that has answered 429. Times are in milliseconds since the epoch. */
interface Limit {
  /** When it may be asked next. */
  next: number;
  /** Whether its accounts wait until then. */
  isHeld: boolean;
  /** Since when it has answered nothing but 429; null after another answer. */
  since: number | null;
  /** The last pause that the server did not name, in seconds; 0 after another answer. */
  backOff: number;
  /** Why nothing more is sent to it in this run; null while something may be. */
  refusal: NotSent | null;
}

// Each line of a stream can have an origin of its own, and memory must not grow with their number. A forgotten limit costs one request
// that is answered with 429 again.
const mostOrigins = 10_000;

/**
 * Makes the turns of a run. A check holds one of the places, and gives it back while it waits for its origin. When `stop` is aborted,
 * all waits end: `wait` then rejects.
 */
export function turnsOf(
  places: Places,
  { now, wait }: { now(): number; wait(milliseconds: number): Promise<void> },
  maxWaitSeconds: number,
  stop: AbortSignal,
) {
  const limits = new Map<string, Limit>();
  const requestsUnderWay = new Map<string, number>();
  const longest = durationInWords(maxWaitSeconds);
  stop.addEventListener("abort", () => places.fill(), { once: true });

  const refusal = (origin: string): NotSent | null => limits.get(origin)?.refusal ?? null;

  /** Gives the place back until the check is ready. */
  async function aside(isReady: () => boolean, goesFirst = false): Promise<void> {
    places.leave();
    await places.enter(() => isReady() || stop.aborted, goesFirst);
    stop.throwIfAborted();
  }

  /** Holds an origin back until its pause is over. Another 429 may make the pause longer meanwhile; a clock that is set back does not. */
  async function hold(limit: Limit): Promise<void> {
    limit.isHeld = true;
    for (let time = now(); time < limit.next && !stop.aborted; ) {
      const rest = limit.next - time;
      time = limit.next;
      await wait(rest).catch(() => {});
    }
    // When the run ends early, it stays held back.
    limit.isHeld = stop.aborted;
    places.fill();
  }

  /** Gives an origin up, and returns the words for it. */
  function refuse(limit: Limit, message: string, hint: string): string {
    limit.refusal = { message, hint };
    limit.isHeld = false;
    places.fill();
    return `gets no further request: ${message}`;
  }

  /** Takes note of a 429 that asks for a pause of so many seconds, 0 for none. Returns what to announce; null for nothing new. */
  function limited(origin: string, asked: number): string | null {
    const time = now();
    const known = limits.get(origin);
    const limit: Limit = known ?? { next: 0, isHeld: false, since: null, backOff: 0, refusal: null };
    if (known === undefined && limits.size === mostOrigins) limits.clear();
    limits.set(origin, limit);
    if (limit.refusal !== null) return null;
    limit.since ??= time;
    const pause = durationInWords(asked);
    if (asked > maxWaitSeconds)
      return refuse(
        limit,
        `the server asked for a pause of ${pause}, and --max-wait allows ${longest}`,
        `Check these accounts again in ${pause}, or raise --max-wait`,
      );
    // What is under way may be answered otherwise: an account can have a limit of its own.
    if (time - limit.since >= maxWaitSeconds * 1000 && !requestsUnderWay.has(origin))
      return refuse(
        limit,
        `the server answered nothing but 429 (too many requests) for as long as --max-wait allows (${longest})`,
        "Check these accounts again later; a lower --concurrency asks less of the server",
      );
    // A request that was sent before the pause says nothing new, unless it asks for a longer one.
    if (asked > 0 || !limit.isHeld) {
      if (asked === 0) limit.backOff = Math.min(8, limit.backOff * 2 || 1);
      limit.next = Math.max(limit.next, time + (asked || limit.backOff) * 1000);
      if (!limit.isHeld) void hold(limit);
    }
    if (known !== undefined) return null;
    const asks = asked > 0 ? `asks for a pause of ${pause} (429 with Retry-After)` : "limits requests (429)";
    return `${asks}: its accounts wait and are asked again, each for at most ${longest} (--max-wait)`;
  }

  return {
    refusal,

    /** When the last origin that is held back may be asked again, in milliseconds since the epoch; null if none is. */
    heldUntil(): number | null {
      let until: number | null = null;
      for (const { isHeld, next } of limits.values()) if (isHeld) until = Math.max(until ?? 0, next);
      return until;
    },

    /**
     * Waits until a check may send a request to the origin, or resolves with why it may not. `answered` must follow the request. `own`
     * has the times of the account's own 429. After the first one it goes before the others, which can be many.
     */
    async turn(origin: string, own: readonly number[]): Promise<NotSent | null> {
      const limit = limits.get(origin);
      while (limit?.isHeld) {
        // Requests under way lengthen a pause a little, so each account is asked again once, unless nothing is to be waited for.
        if (own.length > Math.min(1, maxWaitSeconds) && limit.next > (own[0] ?? 0) + maxWaitSeconds * 1000)
          return {
            message: `the account got nothing but 429 (too many requests) for as long as --max-wait allows (${longest})`,
            hint: "Check it again later, or raise --max-wait",
          };
        await aside(() => !limit.isHeld, own.length === 1);
      }
      if (limit?.refusal) return limit.refusal;
      requestsUnderWay.set(origin, (requestsUnderWay.get(origin) ?? 0) + 1);
      return null;
    },

    /** Takes note of how a request ended; null after a bug. Returns what to announce of its origin; null for nothing. */
    answered(origin: string, outcome: Outcome | null): string | null {
      const left = (requestsUnderWay.get(origin) ?? 1) - 1;
      if (left > 0) requestsUnderWay.set(origin, left);
      else requestsUnderWay.delete(origin);
      const response = outcome && responseOf(outcome);
      if (response?.status === 429) return limited(origin, response.retryAfterSeconds ?? 0);
      const limit = limits.get(origin);
      if (limit !== undefined && response !== null) Object.assign(limit, { since: null, backOff: 0 });
      return null;
    },

    /** Gives the place back until a promise is settled; with an origin, also no longer than until that is given up. */
    async until(over: Promise<unknown>, origin: string | null): Promise<void> {
      let isOver = false;
      void Promise.allSettled([over]).then(() => {
        isOver = true;
        places.fill();
      });
      await aside(() => isOver || (origin !== null && refusal(origin) !== null));
    },
  };
}
