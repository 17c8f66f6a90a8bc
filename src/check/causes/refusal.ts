// What to say of a refused credential, and when to advise a diagnosis. After a lock, the only advice is to wait.

import { type Method, methodParts } from "../../settings/definition.ts";
import { type Fix, fix, nowSet, theToken } from "../../settings/fix.ts";
import { Secret } from "../../settings/secret.ts";
import { definitionOf, flagOf, type SettingName } from "../../settings/table.ts";
import { accountLocked, costInWords, experimentsFor, requestsOf } from "../changes.ts";
import { leadsToPage, meanings, pauseAskedBy, responseOf } from "../outcome.ts";
import { possible } from "../result.ts";
import { type Cause, type Evidence, isLocked, lockDiagnosed, type Rule } from "./evidence.ts";

// Only the number of experiments counts, and the token itself is read once a diagnosis has begun.
const unreadToken = new Secret("");

/** What a diagnosis of this refusal can cost. */
export function diagnosisCost({ credential, hints, clock, outcome }: Evidence): string {
  if (leadsToPage(outcome)) return costInWords({ tries: 1, more: 0 });
  return costInWords(requestsOf(experimentsFor(credential, hints.hasSpareToken ? unreadToken : null, clock)));
}

/** What else can be done after a diagnosis of WSSE: test one's own client by what is proved, or read what is not tried. */
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

/** What to compare where the credential may be wrong. */
export const comparison = {
  token: fix`Compare ${theToken} with the account's token`,
  wsse: fix`Compare username ${nowSet("username")} and secret ${nowSet("secret")} with the account's`,
} as const satisfies Record<Method, Fix>;

const refusedAndLocked = `${meanings.rejected}; it may have locked this account, and then refuses a right one too`;

/** The headline of a 423. */
export const maybeLocked =
  "the account may be locked (423): the API neither accepted nor refused the credential";

/** Whether the first response, and not the diagnosis, tells of a lock. */
const isLockedAtFirst = (evidence: Evidence): boolean =>
  isLocked(evidence) && lockDiagnosed(evidence) === undefined;

const unless = {
  token: ", unless the message gives another reason",
  wsse: ", unless the message gives another reason: a token, a time or a Nonce in it are those of this request's header, so compare the clocks",
} as const satisfies Record<Method, string>;

/** A refusal that nothing else explains: what to compare and where it is set. */
export function refusalCause(evidence: Evidence): Cause {
  const { method } = evidence.credential;
  return {
    headline: isLockedAtFirst(evidence) ? refusedAndLocked : meanings.rejected,
    // What the server says is shown, and never interpreted.
    fix: fix`${comparison[method]}${evidence.exchange.response?.message ? unless[method] : ""}; is the account active?`,
  };
}

// The headline says it, so no second line does.
const locked: Rule = (evidence) => {
  const { outcome } = evidence;
  if (!isLockedAtFirst(evidence)) return null;
  const found = accountLocked(pauseAskedBy(outcome));
  if (outcome.kind === "rejected") return { ...found, message: refusedAndLocked };
  return responseOf(outcome)?.status === 423 ? { ...found, message: maybeLocked } : found;
};

// Servers that tell an unknown credential from one without a permission answer 401 and 403 (RFC 9110, section 15.5.4).
const notAllowed: Rule = ({ outcome, exchange: { response } }) =>
  outcome.kind === "rejected" &&
  response?.status === 403 &&
  response.content === "json-object" &&
  possible(
    "not-allowed",
    "a 403 can mean that the API knows this credential and does not allow it this, or that an address list or a firewall stopped this machine",
    fix`Ask the API's operator whether this account and this machine's address may use the API`,
  );

// Some servers answer 400 or 422 to a wrong credential, or write a refusal as text: an experiment shows whether it depends on it.
const maybeRefused: Rule = ({ outcome, credential, diagnosed, exchange: { response } }) => {
  if (outcome.kind !== "unexpected" || response === null || diagnosed.length > 0) return null;
  const { kind } = outcome.reason;
  const isUnproved = kind === "no-evidence" && response.status === 401 && response.content !== "web-page";
  const isOther =
    kind === "status" && [400, 422].includes(response.status) && response.content === "json-object";
  return (
    (isUnproved || isOther) &&
    response.gateway === null &&
    possible(
      "maybe-refused",
      isUnproved
        ? "the API may have refused the credential in such a form"
        : `some servers refuse a credential with ${response.status}`,
      comparison[credential.method],
    )
  );
};

/** Possible causes of a refusal that the response shows. */
export const refusalRules: readonly Rule[] = [locked, notAllowed, maybeRefused];
