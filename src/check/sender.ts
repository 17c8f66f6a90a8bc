// Sends the requests of one check. It alone waits for the origin, announces, sends, has the response read and judged, records for
// --verbose, keeps the redactor and counts. When an origin may be asked is decided in turns.ts.

import { setImmediate } from "node:timers";
import { type Route, send } from "../http/send.ts";
import { longestText } from "../redaction/escape.ts";
import type { Redactor } from "../redaction/redact.ts";
import type { Secret } from "../settings/secret.ts";
import { endpointPath } from "../settings/urls.ts";
import { durationInWords } from "../words.ts";
import type { Attempt, Check, CheckContext, Variant } from "./check-context.ts";
import { credentialFields, type SentField, secretsOf } from "./credential.ts";
import { judge } from "./judge.ts";
import { type CheckObserver, recordOf } from "./observer.ts";
import { type Outcome, outcomes, pauseAskedBy, responseOf } from "./outcome.ts";
import { clockSkew } from "./read/dates.ts";
import { readExchange } from "./read/response.ts";
import { Asking, type NotSent } from "./turns.ts";

/**
 * The pause before another attempt, in seconds; null if none is left or the failure is lasting; or, if Retry-After asks for too long, the
 * words for that. The pause doubles with each retry, with jitter (`random` gives a number from 0 up to 1), and is at least Retry-After.
 */
export function pauseBeforeRetry(
  { retried, retries, maxWaitSeconds }: Readonly<Record<"retried" | "retries" | "maxWaitSeconds", number>>,
  { isCommandLine }: Pick<Check["hints"], "isCommandLine">,
  outcome: Outcome,
  random: () => number,
): number | string | null {
  if (retried >= retries || !outcomes[outcome.kind].mayChange) return null;
  const asked = pauseAskedBy(outcome) ?? 0;
  if (asked > maxWaitSeconds)
    return `not retried: Retry-After is ${durationInWords(asked)}, and ${isCommandLine ? "--max-wait" : "the library"} allows ${durationInWords(maxWaitSeconds)}`;
  const backOff = Math.min(8, 0.5 * 2 ** retried);
  return Math.max(asked, backOff * (0.5 + random() / 2));
}

/** What a diagnosis is told after an interruption. */
export const interruption = {
  message: "the run was interrupted",
  hint: "Run it again to finish the diagnosis",
};

const isLimited = ({ outcome }: Attempt): boolean => responseOf(outcome)?.status === 429;

/** Sends the requests of one check. */
export class Sender {
  /** How many requests `first` has made, and when the last one began, in milliseconds since the epoch. A diagnosis changes neither. */
  attempts = 0;
  began: number;
  /** Why `first` made no further request although it was allowed to; null if it was not, or if none was needed. */
  notRetried: string | null = null;
  /** Removes the known secrets, and each digest that was sent so far, from a text that others wrote. */
  redact: Check["redact"];
  readonly #check: Check;
  readonly #context: CheckContext;
  readonly #observer: CheckObserver;
  /** Several checks write their lines at the same time, so each line names its check. */
  readonly #name: string;
  /** Says what the requests of a diagnosis can cost. */
  readonly announceCost = (cost: string) => this.#observer.announceCost(`${this.#name}: ${cost}`);
  readonly mayDiagnose = () => this.#observer.mayDiagnose();
  /** Draws a number from 0 up to 1. */
  readonly random = () => Buffer.from(this.#context.randomBytes(4)).readUInt32BE(0) / 2 ** 32;

  constructor(check: Check, context: CheckContext, observer: CheckObserver) {
    const { credential, profile, redact } = check;
    this.began = context.now();
    this.redact = redact;
    this.#check = check;
    this.#context = context;
    this.#observer = observer;
    this.#name = profile === null ? credential.method : `${credential.method} of ${profile}`;
  }

  /** Makes the request of the check, and its retries. Resolves with the last attempt, or with why nothing was sent. */
  async first(): Promise<Attempt | NotSent> {
    const { credential, retries, baseUrl, hints } = this.#check;
    const { turns, maxWaitSeconds, wait } = this.#context;
    const asking = new Asking();
    let last: Attempt | null = null;
    let retried = 0;
    for (;;) {
      const made = await this.#request({ credential, shiftSeconds: 0 }, null, asking);
      if ("hint" in made) {
        if (last === null) return made;
        this.notRetried = `not retried: ${made.message}`;
        return last;
      }
      last = made;
      this.attempts += 1;
      // A 429 is no retry: the next request waits until its origin may be asked again.
      if (turns !== null && isLimited(made)) continue;
      const limits = { retried, retries, maxWaitSeconds };
      const pause = pauseBeforeRetry(limits, hints, made.outcome, this.random);
      if (typeof pause !== "number") {
        this.notRetried = pause;
        return made;
      }
      retried += 1;
      // If its origin is given up, the next request is not sent and says so. There is nothing to wait for.
      if (turns?.isRefused(baseUrl.origin)) continue;
      const words = durationInWords(Number(pause.toFixed(1)));
      await this.#observer.retrying(
        `${this.#name}: attempt ${this.attempts} ended as ${made.outcome.kind}; trying again in ${words}`,
      );
      const over = wait(pause * 1000);
      await (turns === null ? over : turns.until(over, baseUrl.origin));
    }
  }

  /** Announces a request of a diagnosis and makes it once. */
  async send(variant: Variant, why: string): Promise<Attempt | NotSent> {
    return (await this.#orInterrupted(this.#request(variant, why, new Asking()))) ?? interruption;
  }

  /**
   * Whether the server accepts a request without credentials; false without an answer. Checks of the same URL and route share one request.
   */
  async acceptsAnybody(cost: string, why: string): Promise<boolean> {
    const { baseUrl, proxy, extraCertificates } = this.#check;
    const { turns, anonymous, tls } = this.#context;
    // Requests by the same route are answered at the same place.
    const key = JSON.stringify([baseUrl, proxy, tls.trusting(extraCertificates).id]);
    const known = anonymous.get(key);
    const answer = known ?? this.#askWithoutCredentials(cost, why);
    anonymous.set(key, answer);
    // Give the place back meanwhile: the check that asks may need it.
    if (known !== undefined && turns !== null) await this.#orInterrupted(turns.until(known, baseUrl.origin));
    return answer;
  }

  async #askWithoutCredentials(cost: string, why: string): Promise<boolean> {
    await this.announceCost(cost);
    const asking = new Asking();
    for (;;) {
      const asked = this.#request({ credential: null, shiftSeconds: 0 }, why, asking);
      const made = await this.#orInterrupted(asked);
      if (made === null || "hint" in made) return false;
      if (this.#context.turns === null || !isLimited(made)) return made.outcome.kind === "accepted";
    }
  }

  /** Reads the token that a diagnosis may try as the secret. Null if there is none, or the run is interrupted. */
  async spareToken(): Promise<Secret | null> {
    const token = await this.#orInterrupted(this.#check.spareToken());
    // From here on a server can send the token back too.
    if (token !== null) this.redact = this.redact.and(secretsOf({ method: "token", token }), longestText);
    return token;
  }

  #orInterrupted<Value>(promise: Promise<Value>): Promise<Value | null> {
    return promise.catch((error: unknown) => {
      if (error === this.#context.interrupted.reason) return null;
      throw error;
    });
  }

  /**
   * Makes a request when its turn has come. `why` announces one of a diagnosis; null is the request of the check. `asking` stays after a
   * 429.
   */
  async #request(variant: Variant, why: string | null, asking: Asking): Promise<Attempt | NotSent> {
    const { turns, now } = this.#context;
    const { origin } = this.#check.baseUrl;
    const notSent = turns && (await turns.turn(origin, asking));
    if (notSent) return notSent;
    let made: Attempt | null = null;
    let news: string | null;
    try {
      if (why === null) this.began = now();
      else if (asking.limitedAt === null) await this.#observer.announce(`${this.#name}: ${why}`);
      made = await makeAttempt(this.#check, variant, this.redact, this.#context);
    } finally {
      news = turns?.answered(origin, asking, made?.outcome ?? null) ?? null;
    }
    this.redact = made.redact;
    if (news !== null) await this.#observer.limited(news);
    await this.#observer.observed(made.record);
    return made;
  }
}

// To read a body of so many bytes can take a millisecond, and the longest one five or ten.
const longBody = 16 * 1024;
let lastTurn = Promise.resolve();

/**
 * Waits for a turn of the event loop of its own. A signal waits for the end of a turn, and to read 96 long bodies that arrived in one
 * takes most of a second. The timer is imported: fake timers of a test replace the global one, and would hold the check for ever.
 */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastTurn;
}

/**
 * Sends one request as the specification shows it (section 4). `known` masks secrets, and digests of earlier requests: a response may
 * repeat them.
 */
async function makeAttempt(
  target: Route,
  { credential, shiftSeconds }: Variant,
  known: Redactor,
  context: CheckContext,
): Promise<Attempt> {
  const { now, randomBytes } = context;
  const shifted = { now: () => now() + shiftSeconds * 1000, randomBytes };
  // undici would add the first two itself, and --verbose would not show them.
  const sent: readonly SentField[] = [
    { name: "host", value: target.baseUrl.host },
    { name: "connection", value: "close" },
    { name: "accept", value: "application/json" },
    { name: "content-type", value: "application/json" },
    { name: "accept-encoding", value: "identity" },
    { name: "user-agent", value: "referral-auth" },
    ...(credential === null ? [] : credentialFields(credential, shifted)),
  ];
  const headers = Object.fromEntries(sent.map(({ name, value }) => [name, value]));
  const raw = await send(target, { path: endpointPath, headers }, context);
  if (raw.kind === "response" && raw.response.body.length > longBody) {
    await ownTurn();
    context.interrupted.throwIfAborted();
  }
  // For this response and later ones: the digest stays valid for a while.
  const digests = credential?.method === "wsse" ? sent.flatMap(({ secret }) => secret ?? []) : [];
  const redact = known.and(digests, longestText);
  const exchange = readExchange(raw, redact, target.baseUrl);
  return {
    exchange,
    outcome: judge(exchange, target.timeoutSeconds, redact),
    clock: clockSkew(exchange),
    redact,
    record: () => recordOf({ sent, exchange: raw }, target.baseUrl, redact),
  };
}
