// Why the API gave no verdict (408, 429 and 5xx), how long to wait, and what a web server wants of the connection.

import { type Fix, fix, flag, nowSet, theBaseUrl } from "../../settings/fix.ts";
import { durationInWords } from "../../words.ts";
import { type Outcome, pauseAskedBy } from "../outcome.ts";
import { type Finding, measured, possible } from "../result.ts";
import type { Cause, Evidence, Rule } from "./evidence.ts";

/** The advice to wait as long as the server asks, and what would have let `--retry` wait: the library has no option for it. */
function tryAgain({ outcome, notRetried, hints }: Evidence): Fix {
  const seconds = pauseAskedBy(outcome);
  const wait = fix`Try again ${seconds === null ? "later" : `in ${durationInWords(seconds)}`}`;
  return notRetried === null || !hints.isCommandLine
    ? wait
    : fix`${wait}, or raise ${flag("maxWait")} ${nowSet("maxWait")}`;
}

/** Whom to ask where somebody else wrote the response in the API's place; null where nothing shows that. */
export function authored(status: number, { exchange }: Evidence): Cause | null {
  switch (exchange.response?.author) {
    case "network":
      return {
        headline: `a web filter or proxy of this network answered (${status}), not the API`,
        fix: fix`Ask the operator of this network to let the host of ${theBaseUrl} through`,
      };
    case "portal":
      return {
        headline: `a login page of this network answered (${status}), not the API`,
        fix: fix`Log in to this network with a web browser, or ask its operator to let the host of ${theBaseUrl} through; then try again`,
      };
    case "host":
      return {
        headline: `the server knows no application at this host (${status})`,
        fix: fix`Check the host of ${theBaseUrl}: it may be misspelt, or the application was renamed, moved or stopped; else ask its operator`,
      };
    case "firewall":
      return {
        headline: `a firewall in front of the API answered (${status}): it stopped this request`,
        fix: fix`Ask the API's operator why the firewall stops this request, and give the id that it shows`,
      };
    case "maintenance":
      return {
        headline: `the server shows a page of maintenance (${status}): this proves nothing about the credential`,
        fix: fix`Try again later, or ask the API's operator when the maintenance ends`,
      };
    case "program":
      return {
        headline: `the server's program wrote a warning or an error of its own into the response (${status})`,
        fix: fix`Tell the API's operator: the log of the server has the error at this time`,
      };
    default:
      return null;
  }
}

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
  const headline = `${what} (${status}): this proves nothing about the credential`;
  const read = evidence.exchange.response;
  const isUnreadable = read?.hasUnreadablePause;
  const message = isUnreadable ? { message: "its Retry-After cannot be read" } : {};
  if (status === 429 || retryAfterSeconds !== null || isUnreadable)
    return { headline, id: "rate-limit", ...message, fix: tryAgain(evidence) };
  const named = authored(status, evidence);
  // A program that fails is what 5xx says anyway, and a firewall's page may say that what stands behind it fails.
  const isOrigins =
    read?.author === "firewall" &&
    (status === 502 ||
      status === 504 ||
      status >= 520 ||
      /could not be satisfied|unavailable|unable to|time-?out|error 50\d/i.test(
        response.message ?? read.title ?? "",
      ));
  if (named !== null && read?.author !== "program" && !isOrigins) return named;
  return {
    headline,
    fix: fix`Try again later, or raise ${flag("retries")} ${nowSet("retries")}; if it keeps happening, report it to the API's operator`,
  };
}

// A further attempt was allowed, and sender.ts made none.
const notRetried: Rule = (evidence) =>
  evidence.notRetried !== null && measured("not-retried", evidence.notRetried, tryAgain(evidence));

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

/** What a web server says of itself in its own page; null if it says nothing that is known here. */
export function ownWords({ outcome, exchange }: Evidence): Finding<Fix> | null {
  const demand = outcome.kind === "unexpected" ? exchange.response?.demand : null;
  if (demand === "https")
    return measured("https-expected", "the server says that this port expects https", writeHttps);
  return demand === "client-certificate"
    ? measured(
        "client-certificate",
        "the server says that it wants a client certificate, which this tool does not send",
        fix`Ask the server's operator for an address that needs no client certificate`,
      )
    : null;
}

// Many servers that speak only TLS close the connection without an answer.
const silentTls: Rule = ({ outcome, baseUrl }) =>
  baseUrl.protocol === "http:" &&
  outcome.kind === "unreachable" &&
  outcome.failure.received === "nothing" &&
  ["request", "response"].includes(outcome.failure.step) &&
  possible("https-expected", `port ${baseUrl.port || "80"} may expect https`, writeHttps);

/** What a server wants of the connection. */
export const pageRules: readonly Rule[] = [ownWords, silentTls];
