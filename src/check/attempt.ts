import { type Route, send } from "../http/send.ts";
import type { Redactor } from "../redaction/redact.ts";
import type { Secret } from "../settings/secret.ts";
import { endpointPath } from "../settings/urls.ts";
import { durationInWords } from "../words.ts";
import { type Attempt, type CheckContext, randomFraction, type Variant } from "./check-context.ts";
import { credentialFields, type SentField, secretsOf } from "./credential.ts";
import type { Means } from "./diagnose/diagnose.ts";
import { judge } from "./judge.ts";
import { recordOf } from "./observer.ts";
import { type Outcome, outcomes } from "./outcome.ts";
import { clockSkew, readExchange } from "./read/response.ts";

/** The limit of every text of a response that is shown. A server's sentence is shorter. */
const longestText = 500;

// Reading a body of this many bytes can take a millisecond, and the longest one five or ten.
const longBody = 16 * 1024;
let lastTurn = Promise.resolve();

/**
 * Resolves in a turn of the event loop of its own. Many long bodies can arrive in one turn, and SIGTERM would wait until all of
 * them are read, which with 96 of them takes most of a second: then the run is over, and its code is not that of the signal.
 */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastTurn;
}

/**
 * Sends one request as the specification shows it (section 4): without body and query. It asks for an uncompressed
 * response. Without a credential, the authentication fields are left out. `known` removes the known secrets, and the digests of
 * earlier requests, which the server may answer with.
 */
export async function makeAttempt(
  target: Route,
  { credential, shiftSeconds }: Variant,
  known: Redactor,
  context: CheckContext,
): Promise<Attempt> {
  const { now, randomBytes } = context;
  const shifted = { now: () => now() + shiftSeconds * 1000, randomBytes };
  // The HTTP client would add the host and `connection: close` itself, and nobody would see them.
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
  const exchange = readExchange(raw, redact);
  return {
    exchange,
    outcome: judge(exchange, target.timeoutSeconds, redact),
    clock: clockSkew(exchange),
    redact,
    record: () => recordOf({ sent, exchange: raw }, target.baseUrl, redact),
  };
}

/** What a diagnosis of this check can do. `announce` and `observed` are called before and after each of its requests. */
export function meansOf(
  check: Route & { readonly redact: Redactor; readonly spareToken: () => Promise<Secret | null> },
  context: CheckContext,
  announce: (message: string) => Promise<void>,
  observed: (made: Attempt) => Promise<void>,
): Pick<Means, "random" | "request" | "spareToken" | "once"> {
  let { redact } = check;
  const orInterrupted = <Value>(promise: Promise<Value>): Promise<Value | null> =>
    promise.catch((error: unknown) => {
      if (error === context.interrupted.reason) return null;
      throw error;
    });
  return {
    random: () => randomFraction(context),
    async request(announcement, variant) {
      const make = async (): Promise<Attempt> => {
        await announce(announcement);
        return makeAttempt(check, variant, redact, context);
      };
      const made = await orInterrupted(context.admission.admitted(check.baseUrl.origin, make, true));
      if (made === null || "hint" in made) return made;
      redact = made.redact;
      await observed(made);
      return made;
    },
    async spareToken() {
      const token = await orInterrupted(check.spareToken());
      // From here on a server can send the token back too.
      if (token !== null) redact = redact.and(secretsOf({ method: "token", token }), longestText);
      return token;
    },
    async once(ask) {
      // Requests by the same route are answered at the same place.
      const key = JSON.stringify([check.baseUrl, check.proxy, check.extraCertificates]);
      const known = context.anonymous.get(key);
      const answer = known ?? ask();
      context.anonymous.set(key, answer);
      // After a pause the check that asks may need the place of this one.
      if (known !== undefined) await orInterrupted(context.admission.aside(async () => void (await known)));
      return answer;
    },
  };
}

/** Whether to make another attempt: after which pause, or why not although one was allowed. */
export type NextAttempt =
  | { readonly kind: "after"; readonly seconds: number }
  | { readonly kind: "none"; readonly because: string | null };

const firstPauseSeconds = 0.5;
const longestPauseSeconds = 8;

/**
 * Decides about another attempt. Only temporary failures are retried. The pause doubles, with jitter (`random` gives a number
 * from 0 up to 1). It is at least Retry-After; if that exceeds `maxWaitSeconds`, there is no further attempt.
 */
export function nextAttempt(
  { made, retries, maxWaitSeconds }: Readonly<Record<"made" | "retries" | "maxWaitSeconds", number>>,
  outcome: Outcome,
  random: () => number,
): NextAttempt {
  if (made > retries || !outcomes[outcome.kind].mayChange) return { kind: "none", because: null };
  const asked = outcome.kind === "unavailable" ? (outcome.response?.retryAfterSeconds ?? 0) : 0;
  if (asked > maxWaitSeconds) {
    const because = `not retried: Retry-After is ${durationInWords(asked)}, the longest pause ${durationInWords(maxWaitSeconds)}`;
    return { kind: "none", because };
  }
  const backOff = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** (made - 1));
  return { kind: "after", seconds: Math.max(asked, backOff * (0.5 + random() / 2)) };
}
