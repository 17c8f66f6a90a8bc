import { type Fix, fix, flag, nowSet } from "../../settings/fix.ts";
import { methodParts } from "../../settings/method-parts.ts";
import { experimentsFor, requestsInWords, requestsOf } from "../diagnose/changes.ts";
import { durationInWords } from "../duration.ts";
import { contentOf, isJsonObject } from "../judge/body.ts";
import { wordsIn } from "../judge/shown-response.ts";
import { isRefusal, meanings, responseOf } from "../outcome.ts";
import { type Cause, type Evidence, possible, type Rule } from "./evidence.ts";

// Only the number of experiments counts, and the token itself is read once a diagnosis has begun.
const unreadToken = { reveal: () => "" };

/** The advice to diagnose, with the number of requests for this credential. */
export function diagnoseAdvice({ credential, hints, clock }: Evidence): Fix {
  const experiments = experimentsFor(credential, hints.hasSpareToken ? unreadToken : null, clock);
  return fix`${flag("diagnose")} can prove more, with ${requestsInWords(requestsOf(experiments))}; each may count as a failed login`;
}

const partsInWords = { token: "the token", wsse: "username and secret" } as const;

/** A refusal that nothing else explains: what to compare and where it is set, then what a diagnosis costs. */
export function refusalCause(evidence: Evidence): Cause {
  const { method } = evidence.credential;
  return {
    headline: meanings.rejected,
    fix: fix`Compare ${partsInWords[method]} ${nowSet(...methodParts[method].required)} with the account's, and check that the account is active. ${diagnoseAdvice(evidence)}`,
  };
}

// What speaks of a lock is short. To parse 1 MiB of brackets again for each request of a diagnosis takes 170 ms.
const longestWithWords = 64 * 1024;

/** Whether any of the server's words, or a code such as account_locked, says that an account is refused for a while. */
export function saysLocked({ exchange, redact }: Pick<Evidence, "exchange" | "redact">): boolean {
  if (exchange.kind !== "response" || exchange.response.body.length > longestWithWords) return false;
  const { response } = exchange;
  return wordsIn(response, contentOf(response, redact), redact).some((words) =>
    /\b(?:locked|lock[- ]?out|too[- ]many)\b/i.test(words.replace(/_|(?<=[a-z])(?=[A-Z])/g, " ")),
  );
}

// After some failed logins, a right credential is refused as well.
const locked: Rule = (evidence) => {
  const { outcome } = evidence;
  if (outcome.kind !== "rejected" || !saysLocked(evidence)) return null;
  const { retryAfterSeconds: seconds } = outcome.response;
  const wait = seconds === null ? "Wait" : `Wait ${durationInWords(seconds)}`;
  return possible(
    "account-locked",
    "the API may have locked this account for a while, and then refuses a right credential too",
    fix`${wait} without further attempts, which may lengthen the lock, or ask the API's operator to unlock the account`,
  );
};

// Servers that tell an unknown credential from one without a permission answer 401 and 403 (RFC 9110, section 15.5.4).
const notAllowed: Rule = ({ outcome, exchange, redact }) => {
  if (outcome.kind !== "rejected" || exchange.kind !== "response" || exchange.response.status !== 403)
    return null;
  if (!isJsonObject(contentOf(exchange.response, redact))) return null;
  return possible(
    "not-allowed",
    "the API may know this credential and not allow it to do this: a 403 can mean that",
    fix`Ask the API's operator whether this account may use the API`,
  );
};

// A 403 that may come from a firewall in front of the API.
const blocked: Rule = ({ outcome }) => {
  const response = responseOf(outcome);
  const says =
    /\b(?:block(?:ed)?|waf|firewall|denied by|ip address|not allowed from|administrative rules)\b/i;
  if (!isRefusal(outcome) || response?.status !== 403 || !says.test(response.message ?? "")) return null;
  return possible(
    "blocked",
    "a firewall or an address list in front of the API may have blocked the request",
    fix`Ask the API's operator whether this machine's address is allowed`,
  );
};

/** Possible causes of a refusal that the response shows. */
export const refusalRules: readonly Rule[] = [locked, blocked, notAllowed];
