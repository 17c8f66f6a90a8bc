// The turns of a run: when an origin may be asked, and how many checks run at once. A 429 holds back its origin alone, and the
// accounts of that origin are asked again later: a rate limit costs time, and no verdicts.

import { durationInWords } from "../words.ts";
import { type Outcome, responseOf } from "./outcome.ts";

/** Why a request is not sent, and what to do. */
export type NotSent = Readonly<Record<"message" | "hint", string>>;

/** A limited number of places. The first that waits gets the next one. */
export class Places {
  readonly count: number;
  #free: number;
  readonly #waiting: Array<() => void> = [];

  constructor(count: number) {
    this.count = count;
    this.#free = count;
  }

  /** Resolves when the caller has a place. */
  async enter(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((enter) => this.#waiting.push(enter));
  }

  /** Resolves when nobody else has a place. To enter one after another would take 2 MB and a collection of garbage in each run. */
  async enterAll(): Promise<void> {
    let others = this.count - this.#free;
    this.#free = 0;
    for (; others > 0; others -= 1) await this.enter();
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  /** Gives the place back until this promise is settled. */
  async aside(over: Promise<unknown>): Promise<void> {
    this.leave();
    await Promise.allSettled([over]);
    await this.enter();
  }
}

/** A request that is made until its answer is no 429. Times are in milliseconds since the epoch. */
export class Asking {
  /** When it got its first 429; null before. */
  limitedAt: number | null = null;
  /** Its place in the line of its origin; 0 before it has one. */
  place = 0;
  /** Why it is not made again. */
  end: NotSent | null = null;
}

/** What is known of an origin. */
class Origin {
  /** Until when it is held back. */
  next = 0;
  isHeld = false;
  /** The only request that may be made after a pause, until it is answered. */
  tried: Asking | null = null;
  /** What waits, by place. */
  readonly line: Array<{ readonly asking: Asking; readonly go: () => void }> = [];
  /** What waits for something else, as for a retry of its own. */
  readonly resting = new Set<() => void>();
  /** Since when it has answered nothing but 429; null after another answer. */
  since: number | null = null;
  /** The last pause that the server did not name, in seconds; 0 after another answer. */
  backOff = 0;
  /** Why nothing more is sent to it in this run; null while something may be. */
  refusal: NotSent | null = null;

  /** Whether this request may be made now. */
  isFree(asking: Asking): boolean {
    return this.tried === asking || !(this.isHeld || this.tried !== null);
  }

  /** Lets all go on that wait for their turn. */
  open(): void {
    this.tried = null;
    for (const { go } of this.line.splice(0)) go();
  }
}

// Each line of a stream can have an origin of its own, and memory must not grow with their number. To forget one that nobody waits for
// costs a request that is answered with 429 again.
const mostOrigins = 10_000;

/**
 * Makes the turns of a run. A check gives its place back while it waits for its origin. After a pause the first of the line is asked alone,
 * and the others follow its answer. An account that got a 429 among others keeps its place in the line; one that got it alone goes to the
 * end. When `stop` is aborted, `wait` rejects and all waits end.
 */
export function turnsOf(
  places: Places,
  { now, wait }: { now(): number; wait(milliseconds: number): Promise<void> },
  maxWaitSeconds: number,
  stop: AbortSignal,
) {
  const origins = new Map<string, Origin>();
  const longest = durationInWords(maxWaitSeconds);
  let lastPlace = 0;

  function originOf(name: string): Origin {
    const known = origins.get(name);
    if (known !== undefined) return known;
    if (origins.size >= mostOrigins)
      for (const [one, { isHeld, tried }] of origins) if (!isHeld && tried === null) origins.delete(one);
    const origin = new Origin();
    origins.set(name, origin);
    return origin;
  }

  /** Holds an origin back until its pause is over. A further 429 can prolong the pause; a clock that is set back cannot. */
  async function hold(origin: Origin): Promise<void> {
    origin.isHeld = true;
    origin.tried = null;
    for (let time = now(); time < origin.next && !stop.aborted; ) {
      const rest = origin.next - time;
      time = origin.next;
      await wait(rest).catch(() => {});
    }
    // If the run ends early, the origin stays held back.
    origin.isHeld = stop.aborted;
    const first = stop.aborted ? undefined : origin.line.shift();
    if (first === undefined) return origin.open();
    origin.tried = first.asking;
    first.go();
  }

  /** Gives an origin up, and returns the words for it. */
  function refuse(origin: Origin, message: string, hint: string): string {
    origin.refusal = { message, hint };
    origin.open();
    for (const go of origin.resting) go();
    return `gets no further request: ${message}`;
  }

  /** Takes note of a 429 that asks for a pause of so many seconds, 0 for none. Returns what to announce; null for nothing new. */
  function limited(origin: Origin, asking: Asking, asked: number): string | null {
    if (origin.refusal !== null) return null;
    const time = now();
    origin.since ??= time;
    asking.limitedAt ??= time;
    const pause = durationInWords(asked);
    if (asked > maxWaitSeconds)
      return refuse(
        origin,
        `the server asked for a pause of ${pause}, and --max-wait allows ${longest}`,
        `Check these accounts again in ${pause}, or raise --max-wait`,
      );
    const isLong = (since: number): boolean => time - since >= maxWaitSeconds * 1000;
    // An account that was asked alone met its own limit, or that of the whole origin. Among others, it may have met theirs.
    if (origin.tried === asking) {
      asking.place = 0;
      if (isLong(asking.limitedAt))
        asking.end = {
          message: `the account got nothing but 429 (too many requests) for as long as --max-wait allows (${longest})`,
          hint: "Check it again later, or raise --max-wait",
        };
    }
    // That one account is refused again and again says nothing of the others.
    const isShared = asking.end === null || origin.line.some((other) => other.asking.limitedAt !== null);
    if (isLong(origin.since) && isShared)
      return refuse(
        origin,
        `the server answered nothing but 429 (too many requests) for as long as --max-wait allows (${longest})`,
        "Check these accounts again later; a lower --concurrency asks less of the server",
      );
    const isFirst = origin.next === 0;
    // A request that was sent before the pause says nothing new, unless it asks for a longer one.
    if (asked > 0 || !origin.isHeld) {
      if (asked === 0) origin.backOff = Math.min(8, origin.backOff * 2 || 1);
      origin.next = Math.max(origin.next, time + (asked || origin.backOff) * 1000);
      if (!origin.isHeld) void hold(origin);
    }
    if (!isFirst) return null;
    const asks = asked > 0 ? `asks for a pause of ${pause} (429 with Retry-After)` : "limits requests (429)";
    return `${asks}: its accounts wait and are asked again, each for at most ${longest} (--max-wait)`;
  }

  return {
    /** Whether nothing more is sent to the origin. */
    isRefused: (name: string): boolean => origins.get(name)?.refusal != null,

    /** Waits until a request may be sent to the origin, or resolves with why it may not. `answered` must follow the request. */
    async turn(name: string, asking: Asking): Promise<NotSent | null> {
      const origin = originOf(name);
      const { line } = origin;
      if (asking.place === 0) {
        lastPlace += 1;
        asking.place = lastPlace;
      }
      while (!(origin.refusal ?? asking.end ?? origin.isFree(asking))) {
        stop.throwIfAborted();
        const before = line.findLastIndex((other) => other.asking.place < asking.place);
        await places.aside(new Promise<void>((go) => line.splice(before + 1, 0, { asking, go })));
        if (stop.aborted) origin.open();
        stop.throwIfAborted();
      }
      return origin.refusal ?? asking.end;
    },

    /** Takes note of how a request ended; null after a bug. Returns what to announce of its origin; null for nothing. */
    answered(name: string, asking: Asking, outcome: Outcome | null): string | null {
      const origin = originOf(name);
      const response = outcome && responseOf(outcome);
      if (response?.status === 429) return limited(origin, asking, response.retryAfterSeconds ?? 0);
      if (response !== null) {
        Object.assign(origin, { since: null, backOff: 0 });
        asking.limitedAt = null;
      }
      if (origin.tried === asking) origin.open();
      return null;
    },

    /** Gives the place back until a promise is settled, and no longer than until the origin is given up. */
    async until(over: Promise<unknown>, name: string): Promise<void> {
      const { resting } = originOf(name);
      await places.aside(
        new Promise<void>((go) => {
          resting.add(go);
          void Promise.allSettled([over]).then(() => {
            resting.delete(go);
            go();
          });
        }),
      );
      stop.throwIfAborted();
    },
  };
}
