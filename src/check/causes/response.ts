// Why the API gave no verdict (408, 429 and 5xx), how long to wait, and what a web server wants of the connection.

import { type Fix, fix, flag, nowSet, theBaseUrl } from "../../settings/fix.ts";
import { durationInWords } from "../../words.ts";
import { type Outcome, pauseAskedBy } from "../outcome.ts";
import type { Gateway } from "../read/gateway.ts";
import { measured } from "../result.ts";
import type { Cause, Evidence, Rule } from "./evidence.ts";

/** The advice to wait as long as the server asks, and what would have let `--retry` wait: the library has no option for it. */
function tryAgain({ outcome, notRetried, hints }: Evidence): Fix {
  const seconds = pauseAskedBy(outcome);
  const wait = fix`Try again ${seconds === null ? "later" : `in ${durationInWords(seconds)}`}`;
  return notRetried === null || !hints.isCommandLine
    ? wait
    : fix`${wait}, or raise ${flag("maxWaitSeconds")} ${nowSet("maxWaitSeconds")}`;
}

/** Whom to ask where a gateway, a filter of this network or a platform marks the response as its own. */
export const markedBy = ({ name, mark, about, whose }: Gateway, status: number): Cause => ({
  headline: `${name} answered (${status}), not the API: this proves nothing about the credential`,
  id: "gateway",
  message: `${name} made this response itself: it has ${mark}`,
  fix: {
    api: fix`Check ${theBaseUrl}, and ask the API's operator about ${about} of ${name}`,
    network: fix`Ask the operator of this network to let the host of ${theBaseUrl} through`,
    host: fix`Check the host of ${theBaseUrl}: it may be misspelt, or the application was renamed, moved or stopped; else ask its operator`,
  }[whose],
});

const said: Readonly<Record<number, string>> = {
  408: "the server did not get the whole request in time",
  429: "too many requests",
};

/** Why the API gave no verdict, and how long to wait. It may have checked the credential: a limit can be an account's own. */
export function unavailableCause(
  { response }: Extract<Outcome, { kind: "unavailable" }>,
  evidence: Evidence,
): Cause {
  if (response === null) return { headline: "not sent: the server limits requests", fix: tryAgain(evidence) };
  const { status, retryAfterSeconds } = response;
  const what = said[status] ?? "the server failed";
  const read = evidence.exchange.response;
  const headline = `${what} (${status}): this proves nothing about the credential`;
  const isUnreadable = read?.hasUnreadablePause;
  const message = isUnreadable ? { message: "its Retry-After cannot be read" } : {};
  if (status === 429 || retryAfterSeconds !== null || isUnreadable)
    return { headline, id: "rate-limit", ...message, fix: tryAgain(evidence) };
  // What stands in front of the API may say that the API fails.
  const gateway = read?.gateway ?? null;
  if (gateway !== null && gateway.whose !== "api") return markedBy(gateway, status);
  const again = fix`Try again later, or raise ${flag("retries")} ${nowSet("retries")}; if it keeps happening, report it to the API's operator`;
  return {
    headline,
    fix: read?.content === "web-page" ? fix`${again}, or to whoever the page names` : again,
  };
}

// A further attempt was allowed, and sender.ts made none.
const notRetried: Rule = (evidence) =>
  evidence.notRetried !== null && measured("rate-limit", evidence.notRetried, tryAgain(evidence));

// A cache may answer with a failure that is over.
const cachedFailure: Rule = ({ outcome, exchange: { response } }) =>
  outcome.kind === "unavailable" &&
  response !== null &&
  response.cacheMark !== null &&
  measured(
    "cached",
    `a cache answered (${response.cacheMark}): the failure may be over`,
    fix`Ask the operator of the cache not to keep failures`,
  );

/** Further findings about failures and waiting. */
export const unavailableRules: readonly Rule[] = [notRetried, cachedFailure];

/** What to do if a port expects TLS. */
export const writeHttps = fix`Write https:// in ${theBaseUrl}`;
