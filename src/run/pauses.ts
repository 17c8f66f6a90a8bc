import type { Admission, Attempt, NotSent } from "../check/check-context.ts";
import { responseOf } from "../check/outcome.ts";
import type { Context } from "../system/context.ts";
import { durationInWords } from "../words.ts";
import type { Aside } from "./at-once.ts";

interface Pause {
  /** The check whose response asked for it first. It waits anyway, so it is told nothing. */
  readonly by: Admission;
  /** In milliseconds since the epoch. Another response may ask for a later end. */
  end: number;
  /** The check that goes first after the pause, until its requests are used up; null before. */
  first: Admission | null;
  /** Resolves when the others may follow, or when nothing more is sent. */
  readonly decided: Promise<void>;
  readonly decide: () => void;
  /** Why nothing more is sent to the origin; null unless it is so. */
  refusal: NotSent | null;
  /** What is announced when this holds another check back for the first time; null after that. */
  news: string | null;
}

function newPause(by: Admission, news: string): Pause {
  let decide = (): void => {};
  const decided = new Promise<void>((resolve) => {
    decide = resolve;
  });
  return { by, end: 0, first: null, decided, decide, refusal: null, news };
}

// Each line of a stream can have an origin of its own, and memory must not grow with their number. What is forgotten costs a request.
const mostOrigins = 10_000;

/**
 * The pauses that servers asked for (429 with Retry-After). While one lasts, no request goes to its origin. Then one check goes
 * first, with all its retries. If its last request gets 429 too, or if a pause is longer than `maxWaitSeconds`, nothing more is
 * sent to the origin.
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
    const own: Admission = {
      aside,
      refusal: (origin) => this.#pauses.get(origin)?.refusal ?? null,
      admitted: async (origin, make, isLast) => {
        for (;;) {
          const pause = this.#pauses.get(origin);
          if (pause === undefined) return this.#made(own, origin, make);
          const { news, first } = pause;
          if (news !== null && first !== own && pause.by !== own) {
            pause.news = null;
            await announce(news);
          }
          if (pause.refusal !== null) return pause.refusal;
          if (first !== null && first !== own) {
            await aside(() => pause.decided);
            continue;
          }
          await aside(() => this.#waitFor(pause));
          if ((pause.first !== null && pause.first !== own) || pause.refusal !== null) continue;
          pause.first = own;
          return this.#madeFirst(origin, make, pause, isLast);
        }
      },
    };
    return own;
  }

  /** Waits until the end of a pause, also if it becomes later meanwhile. A clock that is set back makes it no longer. */
  async #waitFor(pause: Pause): Promise<void> {
    for (let time = this.#context.now(); time < pause.end; ) {
      const rest = pause.end - time;
      time = pause.end;
      await this.#context.wait(rest);
    }
  }

  /** Makes a request that no pause holds back. Its response may ask for one. */
  async #made(by: Admission, origin: string, make: () => Promise<Attempt>): Promise<Attempt> {
    const attempt = await make();
    const seconds = pauseAskedBy(attempt);
    const known = this.#pauses.get(origin);
    // The check that goes first decides, not one that was sent before the pause.
    if (!seconds || (known !== undefined && (known.first ?? known.refusal) !== null)) return attempt;
    const news = `asks for a pause of ${durationInWords(seconds)} (429 with Retry-After): its accounts wait`;
    const pause = known ?? newPause(by, news);
    if (this.#pauses.size === mostOrigins) this.#pauses.clear();
    this.#pauses.set(origin, pause);
    this.#lengthen(pause, seconds);
    return attempt;
  }

  /** Makes a request of the check that goes first after the pause. */
  async #madeFirst(
    origin: string,
    make: () => Promise<Attempt>,
    pause: Pause,
    isLast: boolean,
  ): Promise<Attempt> {
    let seconds: number | null = null;
    try {
      const attempt = await make();
      seconds = pauseAskedBy(attempt);
      return attempt;
    } finally {
      if (seconds === null) {
        this.#pauses.delete(origin);
        pause.decide();
      } else if (isLast)
        refuse(
          pause,
          "the server answered 429 again after the pause that it had asked for",
          "Check these accounts again later; a lower --concurrency, or --shard, asks less of the server",
        );
      else this.#lengthen(pause, seconds);
    }
  }

  #lengthen(pause: Pause, seconds: number): void {
    pause.end = Math.max(pause.end, this.#context.now() + seconds * 1000);
    const wait = durationInWords(seconds);
    if (seconds > this.#maxWaitSeconds)
      refuse(
        pause,
        `the server asked for a pause of ${wait}, and --max-wait allows ${durationInWords(this.#maxWaitSeconds)}`,
        `Check these accounts again in ${wait}, or raise --max-wait`,
      );
  }
}

/** The pause that a response asks for, in seconds: 0 for a 429 that names none, null for any other response. */
function pauseAskedBy({ outcome }: Attempt): number | null {
  const response = responseOf(outcome);
  return response?.status === 429 ? (response.retryAfterSeconds ?? 0) : null;
}

/** Ends a pause so that nothing more is sent. */
function refuse(pause: Pause, message: string, hint: string): void {
  pause.refusal = { message, hint };
  pause.news = `gets no further request: ${message}`;
  pause.decide();
}
