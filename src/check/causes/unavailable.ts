import { fix, flag } from "../../settings/fix.ts";
import { durationInWords } from "../duration.ts";
import { cacheMark } from "../judge/cache.ts";
import { type Outcome, responseOf } from "../outcome.ts";
import { type Cause, measured, type Rule } from "./evidence.ts";

type Unavailable = Extract<Outcome, { kind: "unavailable" }>;

/** Why the API did not check the credential, and how long to wait. */
export function unavailableCause({ response }: Unavailable): Cause {
  if (response === null)
    return { headline: "not sent: the server asked for a pause", fix: fix`Try again later` };
  const { status, retryAfterSeconds } = response;
  const isLimited = status === 429;
  const headline = isLimited
    ? "too many requests (429): the API did not check the credential"
    : `the server failed (${status}) and did not check the credential`;
  if (retryAfterSeconds !== null) {
    const wait = durationInWords(retryAfterSeconds);
    return {
      headline,
      ...measured(
        "rate-limit",
        `the API asks clients to wait ${wait} before the next request`,
        fix`Try again in ${wait}`,
      ),
    };
  }
  return isLimited
    ? {
        headline,
        ...measured("rate-limit", "the API limits the rate of requests", fix`Wait a little, then try again`),
      }
    : {
        headline,
        fix: fix`Try again later, or use ${flag("retry")}; if it keeps happening, report it to the API's operator`,
      };
}

// --retry allows further attempts, but retry.ts decided against one.
const notRetried: Rule = ({ outcome, notRetried }) => {
  const seconds = responseOf(outcome)?.retryAfterSeconds ?? null;
  if (notRetried === null) return null;
  const when = seconds === null ? "later" : `in ${durationInWords(seconds)}`;
  return measured("not-retried", notRetried, fix`Try again ${when}`);
};

// A cache may answer with a failure that is over.
const cachedFailure: Rule = ({ outcome, exchange, redact }) => {
  if (outcome.kind !== "unavailable" || exchange.kind !== "response") return null;
  const mark = cacheMark(exchange.response);
  if (mark === null) return null;
  return measured(
    "cached",
    `a cache answered (${redact(mark)}): the failure may be over`,
    fix`Ask the operator of the cache not to keep failures`,
  );
};

/** Further findings about failures and waiting. */
export const unavailableRules: readonly Rule[] = [notRetried, cachedFailure];
