import type { Admission, NotSent } from "../check/check-context.ts";
import { durationInWords } from "../check/duration.ts";
import { responseOf } from "../check/outcome.ts";
import type { Attempt } from "../check/request.ts";
import type { Context } from "../system/context.ts";
import type { Aside } from "./at-once.ts";

/** The pause of an origin. */
interface Pause {
  /** In milliseconds since the epoch. Another response may ask for a later end. */
  end: number;
  /** Resolves at its end; null until somebody waits. */
  over: Promise<void> | null;
  /** The request that goes first after the pause; null before. */
  first: Promise<void> | null;
  /** Why nothing more is sent to the origin; null unless it is so. */
  refusal: NotSent | null;
  /** What is announced when this holds a request back for the first time; null after that. */
  news: string | null;
}

// Each line of a stream can have an origin of its own, and memory must not grow with their number. What is forgotten costs a request.
const mostOrigins = 10_000;

/**
 * The pauses that servers asked for (429 with Retry-After). While one lasts, no request goes to its origin. Then one goes
 * first. If that gets 429 too, or if the pause is longer than `maxWaitSeconds`, nothing more is sent to the origin.
 */
export class Pauses {
  readonly #context: Pick<Context, "now" | "wait">;
  readonly #maxWaitSeconds: number;
  readonly #pauses = new Map<string, Pause>();

  constructor(context: Pick<Context, "now" | "wait">, maxWaitSeconds: number) {
    this.#context = context;
    this.#maxWaitSeconds = maxWaitSeconds;
  }

  /** The admission of one check. A request that is held back waits `aside`, and `announce` says why. */
  admission(aside: Aside, announce: (news: string) => Promise<void>): Admission {
    const admitted: Admission["admitted"] = async (origin, make) => {
      for (;;) {
        const pause = this.#pauses.get(origin);
        if (pause === undefined) return this.#made(origin, make, null);
        const { news } = pause;
        pause.news = null;
        if (news !== null) await announce(news);
        if (pause.refusal !== null) return pause.refusal;
        const { first } = pause;
        if (first !== null) {
          await aside(() => first);
          continue;
        }
        pause.over ??= this.#waitFor(pause);
        const { over } = pause;
        await aside(() => over);
        if (pause.first !== null || pause.refusal !== null) continue;
        const made = this.#made(origin, make, pause);
        const ended = (): void => {};
        pause.first = made.then(ended, ended);
        return made;
      }
    };
    return { admitted, refusal: (origin) => this.#pauses.get(origin)?.refusal ?? null };
  }

  /** Waits until the end of a pause, also if it becomes later meanwhile. A clock that is set back makes it no longer. */
  async #waitFor(pause: Pause): Promise<void> {
    for (let time = this.#context.now(); time < pause.end; ) {
      const rest = pause.end - time;
      time = pause.end;
      await this.#context.wait(rest);
    }
  }

  /** Makes a request and heeds its response; `ended` is the pause after which it goes first, or null. */
  async #made(origin: string, make: () => Promise<Attempt>, ended: Pause | null): Promise<Attempt> {
    let isLimited = false;
    try {
      const attempt = await make();
      const response = responseOf(attempt.outcome);
      isLimited = response?.status === 429;
      if (ended === null && isLimited) this.#begin(origin, response?.retryAfterSeconds ?? null);
      return attempt;
    } finally {
      if (isLimited && ended !== null)
        refuse(
          ended,
          "the server answered 429 again after the pause that it had asked for",
          "Check these accounts again later; a lower --concurrency, or --shard, asks less of the server",
        );
      else if (ended !== null) this.#pauses.delete(origin);
    }
  }

  #begin(origin: string, seconds: number | null): void {
    const known = this.#pauses.get(origin);
    // The request that goes first decides, not one that was sent before the pause.
    if (seconds === null || (known !== undefined && known.first !== null)) return;
    // A server may round down to 0.
    const asked = Math.max(1, seconds);
    const wait = durationInWords(asked);
    const pause = known ?? {
      end: 0,
      over: null,
      first: null,
      refusal: null,
      news: `asks for a pause of ${wait} (429 with Retry-After): its accounts wait`,
    };
    pause.end = Math.max(pause.end, this.#context.now() + asked * 1000);
    if (this.#pauses.size === mostOrigins) this.#pauses.clear();
    this.#pauses.set(origin, pause);
    const longest = durationInWords(this.#maxWaitSeconds);
    if (asked > this.#maxWaitSeconds)
      refuse(
        pause,
        `the server asked for a pause of ${wait}, and --max-wait allows ${longest}`,
        `Check these accounts again in ${wait}, or raise --max-wait`,
      );
  }
}

/** Ends a pause so that nothing more is sent. */
function refuse(pause: Pause, message: string, hint: string): void {
  pause.refusal = { message, hint };
  pause.news = `gets no further request: ${message}`;
}
