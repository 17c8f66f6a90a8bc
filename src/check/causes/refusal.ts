import { headerValue } from "../../http/exchange.ts";
import { type Fix, fix, flag, nowSet } from "../../settings/fix.ts";
import { methodParts } from "../../settings/method-parts.ts";
import { experimentsFor, requestsInWords, requestsOf } from "../diagnose/changes.ts";
import { durationInWords } from "../duration.ts";
import { contentOf, isJsonObject } from "../judge/body.ts";
import { isRefusal, responseOf } from "../outcome.ts";
import { type Cause, type Evidence, possible, type Rule } from "./evidence.ts";

// Only the number of experiments counts, and the token itself is read once a diagnosis has begun.
const unreadToken = { reveal: () => "" };

/** The advice to diagnose, with the number of requests for this credential. */
export function diagnoseAdvice({ credential, hints, clock }: Evidence): Fix {
  const experiments = experimentsFor(credential, hints.hasSpareToken ? unreadToken : null, clock);
  return fix`${flag("diagnose")} finds out more with ${requestsInWords(requestsOf(experiments))}, each of which may count as a failed login`;
}

/** A refusal that nothing else explains. */
export function refusalCause(evidence: Evidence): Cause {
  const { method } = evidence.credential;
  return {
    headline: "the API refused this credential",
    fix: fix`Compare the credential ${nowSet(...methodParts[method].required)} with the one in the account, and check that the account is active; ${diagnoseAdvice(evidence)}`,
  };
}

/** The words of a server that refuses every credential of an account for a while. */
export const lockWords = /\block(?:ed|out|-out)\b|\btoo many\b/i;

// After some failed logins, a right credential is refused as well.
const locked: Rule = ({ outcome }) => {
  if (outcome.kind !== "rejected") return null;
  const { message, retryAfterSeconds: seconds } = outcome.response;
  if (!lockWords.test(message ?? "")) return null;
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

const guardFields = ["cf-ray", "x-amzn-waf-action", "x-sucuri-id", "x-iinfo", "x-akamai-request-id"];
const guardServers = /^(?:cloudflare|akamaighost|awselb|sucuri|imperva|big-?ip)/i;

// A 403 that may come from a firewall in front of the API.
const blocked: Rule = ({ outcome, exchange }) => {
  if (!isRefusal(outcome) || exchange.kind !== "response" || exchange.response.status !== 403) return null;
  const { response } = exchange;
  const guarded =
    guardFields.some((name) => headerValue(response, name) !== null) ||
    guardServers.test(headerValue(response, "server") ?? "");
  const words =
    /\b(?:block(?:ed)?|waf|firewall|denied by|ip address|not allowed from|administrative rules)\b/i.test(
      responseOf(outcome)?.message ?? "",
    );
  if (!guarded && !words) return null;
  return possible(
    "blocked",
    "a firewall or an address list in front of the API may have blocked the request",
    fix`Ask the API's operator whether this machine's address is allowed`,
  );
};

/** Possible causes of a refusal that the response shows. */
export const refusalRules: readonly Rule[] = [locked, blocked, notAllowed];
