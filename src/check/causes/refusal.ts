// What to say of a refused credential, and when to advise a diagnosis. What the response says comes first.

import { type Method, methodParts } from "../../settings/definition.ts";
import { type Fix, fix } from "../../settings/fix.ts";
import { Secret } from "../../settings/secret.ts";
import { definitionOf, flagOf, type SettingName } from "../../settings/table.ts";
import { experimentsFor, lockAdvice, requestsOf, withTheAccounts } from "../changes.ts";
import type { Evidence, Rule } from "../check-context.ts";
import { isRefusal, pauseAskedBy } from "../outcome.ts";
import { possible } from "../result.ts";

// To count the experiments, any token will do. The real one is read when a diagnosis begins.
const unreadToken = new Secret("");

/** How many further requests a diagnosis of this refusal can make at most; null where there is nothing to diagnose. */
export function diagnosisRequests(evidence: Evidence): number | null {
  const { credential, hints, clock, diagnosed, exchange, outcome } = evidence;
  const isRefused = outcome.kind === "rejected" || mayBeRefused(evidence);
  const isWithheld = pauseAskedBy(outcome) !== null || exchange.response?.withholds === true;
  if (!isRefused || diagnosed.length > 0 || isWithheld) return null;
  const { tries, more } = requestsOf(
    experimentsFor(credential, hints.hasSpareToken ? unreadToken : null, clock),
  );
  return tries + more;
}

/** What else a user can do after a diagnosis of WSSE: test a client with the settings that it proved, or read what it does not try. */
export function afterDiagnosis({ credential, diagnosed, hints }: Evidence): readonly string[] {
  if (credential.method === "token" || !hints.isCommandLine) return [];
  if (diagnosed.some(({ id }) => id === "ruled-out")) return ["conventions that are not tried: docs/wsse.md"];
  const proof = diagnosed.find(({ id, certainty }) => certainty === "proved" && id !== "no-authentication");
  if (proof === undefined) return [];
  const proved = new Map<SettingName, string>(
    proof.fix.flatMap((part) => (typeof part !== "string" && part.sets ? [part.sets] : [])),
  );
  const options = methodParts.wsse.conventions.flatMap((name) => {
    const value = proved.get(name) ?? credential[name];
    return value === definitionOf(name).fallback ? [] : ` ${flagOf(name)} ${value}`;
  });
  return [`referral-auth emulator${options.join("")}: its log says what to change in a client of your own`];
}

// The message may name a part of the request that this tool made, and its user never saw.
const ownParts = {
  token: "",
  wsse: "; a token, time or Nonce in it is this request's own: compare the clocks",
} as const satisfies Record<Method, string>;

/** What to do where the credential may be refused. A message comes first: it may say more, and this tool does not interpret it. */
export function refusalAdvice({ credential: { method }, exchange: { response } }: Evidence): Fix {
  if (response !== null && response.message !== null)
    return fix`If the message says what to do, do that; else compare ${withTheAccounts[method]}, or ask the API's operator${ownParts[method]}`;
  return response?.status === 403
    ? fix`Compare ${withTheAccounts[method]}; or ask whether this account and this machine's address may use the API`
    : fix`Compare ${withTheAccounts[method]}; is the account active?`;
}

// Words that may tell of a lock or a limit. They withhold further requests, and nothing else.
const withheld: Rule = ({ exchange: { response }, outcome }) =>
  response?.withholds === true &&
  possible(
    "account-locked",
    "the account may be locked or its requests limited: wait, then try once",
    lockAdvice(pauseAskedBy(outcome)),
  );

/** Whether this is a 401 or 403 without evidence that the API made it, and no web page. */
const isUnproved = ({ outcome, exchange: { response } }: Evidence): boolean =>
  isRefusal(outcome) && response?.content !== "web-page";

/** Whether a response that is not `rejected` may be a refusal: only an experiment shows whether it depends on the credential. */
function mayBeRefused(evidence: Evidence): boolean {
  const { exchange, outcome } = evidence;
  const { response } = exchange;
  if (outcome.kind === "rejected" || response === null) return false;
  const isPaused = outcome.kind === "unavailable" && pauseAskedBy(outcome) !== null;
  // The search for a gateway's mark is long, so it comes last.
  return (isUnproved(evidence) || (response.mayRefuse && !isPaused)) && response.gateway === null;
}

/** A response that may be a refusal and was not diagnosed: a 401 or 403 that is not in the API's form, or another status. */
const maybeRefused: Rule = (evidence) => {
  if (!mayBeRefused(evidence) || evidence.diagnosed.length > 0) return null;
  return isUnproved(evidence)
    ? possible(
        "maybe-refused",
        "the API may have refused the credential in such a form",
        fix`Compare ${withTheAccounts[evidence.credential.method]}`,
      )
    : possible(
        "maybe-refused",
        `some servers refuse a credential with ${evidence.exchange.response?.status}`,
        refusalAdvice(evidence),
      );
};

/** Possible causes of a refusal that the response shows. */
export const refusalRules: readonly Rule[] = [withheld, maybeRefused];
