import { methodParts } from "../../settings/definition.ts";
import { type Fix, fix, flag, nowSet } from "../../settings/fix.ts";
import { Secret } from "../../settings/secret.ts";
import { durationInWords } from "../../words.ts";
import { accountLocked, experimentsFor, requestsInWords, requestsOf } from "../changes.ts";
import { isRefusal, meanings, responseOf } from "../outcome.ts";
import { possible } from "../result.ts";
import { type Cause, type Evidence, isLocked, type Rule } from "./evidence.ts";

// Only the number of experiments counts, and the token itself is read once a diagnosis has begun.
const unreadToken = new Secret("");

/** The advice to diagnose, with the number of requests for this credential. */
export function diagnoseAdvice({ credential, hints, clock }: Evidence): Fix {
  const experiments = experimentsFor(credential, hints.hasSpareToken ? unreadToken : null, clock);
  return fix`${flag("diagnose")} can prove more, with ${requestsInWords(requestsOf(experiments))}; each may count as a failed login`;
}

const partsInWords = { token: "the token", wsse: "username and secret" } as const;

/** A refusal that nothing else explains: what to compare and where it is set. */
export function refusalCause(evidence: Evidence): Cause {
  const { method } = evidence.credential;
  return {
    headline: meanings.rejected,
    fix: fix`Compare ${partsInWords[method]} ${nowSet(...methodParts[method].required)} with the account's, and check that the account is active`,
  };
}

/** After a lock the only advice is to wait: each attempt may lengthen it. */
export function lockAdvice({ outcome }: Evidence): Fix {
  const seconds = responseOf(outcome)?.retryAfterSeconds ?? null;
  const wait = seconds === null ? "Wait" : `Wait ${durationInWords(seconds)}`;
  return fix`${wait}, then try once: each attempt may lengthen the lock; or ask the API's operator to unlock the account`;
}

const locked: Rule = (evidence) =>
  isLocked(evidence) && !evidence.diagnosed.includes(accountLocked) && accountLocked;

// Servers that tell an unknown credential from one without a permission answer 401 and 403 (RFC 9110, section 15.5.4).
const notAllowed: Rule = ({ outcome, exchange }) => {
  if (outcome.kind !== "rejected" || exchange.kind !== "response") return null;
  const { status, content } = exchange.response;
  if (status !== 403 || content !== "json-object") return null;
  return possible(
    "not-allowed",
    "the API may know this credential and not allow it to do this: a 403 can mean that",
    fix`Ask the API's operator whether this account may use the API`,
  );
};

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
