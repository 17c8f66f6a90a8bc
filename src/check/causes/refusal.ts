// What to say of a refused credential, and when to advise a diagnosis. After a lock, the only advice is to wait.

import { type Method, methodParts } from "../../settings/definition.ts";
import { type Fix, fix, nowSet, theBaseUrl, theToken } from "../../settings/fix.ts";
import { Secret } from "../../settings/secret.ts";
import { definitionOf, flagOf, type SettingName } from "../../settings/table.ts";
import { accountLocked, clockAdvice, costInWords, experimentsFor, requestsOf } from "../changes.ts";
import { isRefusal, leadsToLogin, meanings, pauseAskedBy, responseOf } from "../outcome.ts";
import { type FindingId, possible } from "../result.ts";
import { type Cause, type Evidence, isLocked, lockDiagnosed, mayBeRefused, type Rule } from "./evidence.ts";

// Only the number of experiments counts, and the token itself is read once a diagnosis has begun.
const unreadToken = new Secret("");

/** What a diagnosis of this refusal can cost. */
export function diagnosisCost({ credential, hints, clock, outcome }: Evidence): string {
  if (leadsToLogin(outcome)) return costInWords({ tries: 1, more: 0 });
  return costInWords(requestsOf(experimentsFor(credential, hints.hasSpareToken ? unreadToken : null, clock)));
}

/** What else can be done after a diagnosis of WSSE: test one's own client by what is proved, or read what is not tried. */
export function afterDiagnosis({ credential, diagnosed, hints }: Evidence): readonly string[] {
  if (credential.method === "token" || !hints.isCommandLine) return [];
  if (diagnosed.some(({ id }) => id === "ruled-out")) return ["conventions that are not tried: docs/wsse.md"];
  const proof = diagnosed.find(({ id, certainty }) => certainty === "proved" && id !== "no-authentication");
  if (proof === undefined) return [];
  const proved = new Map<SettingName, string>(
    proof.fix.flatMap((part) => (typeof part !== "string" && "set" in part ? [[part.set, part.to]] : [])),
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

/** A refusal that nothing else explains: what to compare and where it is set. */
export function refusalCause(evidence: Evidence): Cause {
  const { method } = evidence.credential;
  return {
    headline: isLockedAtFirst(evidence) ? refusedAndLocked : meanings.rejected,
    fix: fix`${comparison[method]}; is the account active?`,
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

const blocked: Rule = (evidence) => {
  const { outcome, exchange } = evidence;
  const response = responseOf(outcome);
  const says =
    response?.status === 403
      ? /\b(?:block(?:ed)?|waf|firewall|denied by|ip(?: address)?|not (?:allowed|permitted) from|(?:white|allow)[- ]?list(?:ed)?|administrative rules)\b/i
      : /\bip(?: address)?\b(?:[^.]|\.\d){0,40}\b(?:not|denied|blocked|forbidden)\b|\b(?:unauthori[sz]ed|unknown|blocked|forbidden) ip\b|\b(?:white|allow)[- ]?list(?:ed)?\b/i;
  const message = response?.message ?? "";
  if (!isRefusal(outcome) || (response?.status === 401 && !/ip|list/i.test(message))) return null;
  if (!says.test(message) || saidWhy(evidence)) return null;
  // If a filter of this network answered, no firewall in front of the API did.
  if (exchange.response?.author !== null) return null;
  return possible(
    "blocked",
    "a firewall or an address list in front of the API may have blocked the request",
    fix`Ask the API's operator whether this machine's address is allowed`,
  );
};

/**
 * What the server's words may mean, and whom to ask: the first that fits. Words without one of the row's stems, where `_` is a space,
 * are not tried. A function: V8 reads the patterns where it runs, and only a refusal needs them.
 */
const wordsOfRefusals = (): ReadonlyArray<
  readonly [stems: string, words: RegExp, id: FindingId, message: string, advice: Fix, method?: Method]
> => [
  [
    // Another field than ours may be missing.
    "missing no_ without absent provided found present set given required manquant falta kein",
    /^(?!.*\b(?:authorization|bearer|jwt|csrf|cookie|session|user[- ]agent|content[- ]type|accept|origin|referer|host|(?:in)?v[aá]lid[oae]?|wrong|incorrect|expired|scopes?|permissions?|roles?|privileges?|2fa|mfa|otp|xsrf|captcha|refresh|renewal|date header|no (?:such|account|user|customer|client|match|record)|(?!(?:x-)?(?:auth-token|wsse|api-key)\b)[a-z]+-[\w-]+|(?<!-)(?:token|key|credentials) (?:is |was |were )?not found(?! in\b))\b).*(?:\bkein(?:e|en)? (?:\w+ )?token\b|\b(?:jeton|token) manquant|\bfalta (?:el |la )?token\b|\b(?:missing|no|without|absent)\b.{0,30}\b(?:header|x-auth-token|x-wsse|credentials|(?:token|api key) (?:provided|found|given|in))\b|\b(?:header|x-auth-token|x-wsse|credentials|token|api key)\b.{0,20}\b(?:missing|not (?:provided|found|present|set|given)|required)\b)/is,
    "header-ignored",
    "the server's words say that the credential is missing, and it was sent: something on the way may drop its header field",
    fix`Ask the operators of the proxies and gateways on the way whether they pass X-Auth-Token and X-WSSE`,
  ],
  [
    "nonce replay",
    /\bnonces?\b.{0,40}\b(?:used(?! (?:to|for|does|is|was|has)\b)|reused?|seen|duplicate|replay)|\b(?:(?:already|previously) used|reused|duplicate|replayed)\b.{0,20}\bnonces?\b|\breplay(?:ed)?\b/i,
    "inconsistent-server",
    "the server's words say that it has seen this Nonce, and each request has a new one: something may send a request twice",
    fix`Ask the operators of the proxies and gateways on the way whether they repeat requests, and the API's operator how it keeps Nonces`,
    "wsse",
  ],
  [
    "form pars",
    /\b(?:malformed|(?:invalid|wrong|incorrect|bad)(?:ly)? format(?:ted)?|(?:cannot|could not|failed to) (?:be )?pars\w+)\b.{0,30}\b(?:x-wsse|wsse|header|username ?token)\b|\b(?:x-wsse|wsse|header|username ?token)\b.{0,30}\b(?:malformed|badly formed|(?:cannot|could not) be parsed|(?:invalid|wrong|incorrect) format)\b/i,
    "digest-convention",
    "the server's words speak of the form of the header: it may want another form of Nonce or Created, or other fields",
    fix`Ask the API's operator for an example of the header that it takes; docs/wsse.md shows the forms that are known`,
    "wsse",
  ],
  [
    "sandbox staging test live production demo environment region tenant data",
    /\b(?:sandbox|staging|test(?:ing)?|live|production|demo) (?:api )?(?:key|token|credentials?|account|mode|environment)\b|\b(?:wrong|another|different) (?:environment|region|tenant|data ?center)\b/i,
    "not-allowed",
    "the server's words speak of an environment: the credential may be of another one than the base URL",
    fix`Check whether the account is one of ${theBaseUrl}: test and production have accounts of their own`,
  ],
  [
    "service server database backend upstream ldap directory redis connection internal maintenance",
    /^(?!.*\bsession\b).*(?:\b(?:service|server|database|backend|upstream|ldap|directory|redis)\b.{0,20}\b(?:unavailable|unreachable|not (?:reachable|available|responding)|down|timed? ?out)\b(?! (?:in|for|to|with|on) (?:your|this|that)\b)|\b(?:connection|upstream) (?:failed|refused|error|lost|timed? ?out)\b|\binternal (?:server )?error\b|\b(?:under|in|for|scheduled|ongoing) maintenance\b|\bmaintenance (?:in progress|mode|window|work)\b)/is,
    "inconsistent-server",
    "the server's words speak of a failure of its own, not of a wrong credential",
    fix`Try again later; if it keeps happening, tell the API's operator: such a failure is no 401 or 403`,
  ],
  [
    "quota kontingent limit",
    /\b(?:quota|kontingent)\b|\b(?:usage|call|daily|weekly|monthly|hourly) limit\b|\blimit (?:was |has been )?(?:reached|exceeded)\b/i,
    "not-allowed",
    "the server's words speak of a quota that is used up, not of a wrong credential",
    fix`Wait until the quota is renewed, or ask the API's operator for a larger one`,
  ],
  [
    "suspen disabl activ enabled verif confirm approv terminat subscription trial paid payment plan terms 2fa mfa factor aktiv change reset blocked désactiv desactiv disattiv",
    /^(?!.*\b(?:(?:signature|digest|credentials?|token|password) (?:is |was |were )?(?:not |un)verified|(?:(?:wsse|basic|password|token) auth\w*|cookies?|javascript) (?:is |are )?(?:disabled|not enabled))\b).*(?:\b(?:suspended|disabled|deactivated|inactive|not (?:yet )?(?:active|activated|enabled|verified|confirmed|approved)|terminated|unverified|deaktiviert|gedeactiveerd|must change|reset required|subscription(?! keys?\b)|trial|unpaid|payment|plan|terms of (?:service|use)|2fa|mfa|(?:two|multi)[- ]?factor)\b|\b(?:account|user|customer|client|partner|merchant|key|token)\b.{0,20}\bblocked\b|\bdésactivé|\bdesactivad[oa]|\bsuspendu|\bsuspendid[oa]|\bdisattivat[oa])/is,
    "not-allowed",
    "the server's words speak of the state of the account, not of a wrong credential",
    fix`Look at the account where it is administered, or ask the API's operator`,
  ],
  // In WSSE the token is the header itself.
  [
    "expired",
    /^(?!.*\b(?:in(?:valid|correct)|bad|unknown|missing|not (?:found|expired))\b).*(?:\btoken\b.{0,30}\bexpired\b|\bexpired token\b)/is,
    "clock",
    "the server's words say that the token has expired: in WSSE its time is Created, which this machine's clock gives",
    clockAdvice,
    "wsse",
  ],
  [
    "expir revoked rotated abgelaufen caducad verlopen 期 истек истёк",
    /^(?!.*(?:\b(?:in(?:valid|correct|válid)|no es v[aá]lid|erron[eé]|wrong|ungültig|ongeldig|zeitstempel|horodatage|(?:bad|unknown|missing|malformed|not (?:found|been|expired)|may have|might have|make sure|ensure)\b)|无效|無効|недейств)).*(?:\b(?:token|key|credentials?|password|secret|session)\b.{0,30}\b(?:expired|revoked|rotated)\b|\b(?:expired|revoked) (?:\w+ )?(?:token|key|credentials?|password|secret|session)\b|\babgelaufen|\bexpir(?:é|ad[oa]|ato)|\bcaducad[oa]|\bverlopen\b|有効期限|期限切れ|过期|истек|истёк)/is,
    "not-allowed",
    "the server's words say that the credential has expired or was revoked",
    fix`Make a new one where the account is administered, or ask the API's operator`,
  ],
  [
    "deprecated sunset supported version",
    /\b(?:version|endpoint|api(?! (?:key|token))|v\d+)\b.{0,40}\b(?:deprecated|sunset|no longer supported)\b|\b(?:deprecated|unsupported|obsolete|old) (?:api )?version\b/i,
    "not-allowed",
    "the server's words speak of a version of the API that has ended, not of a wrong credential",
    fix`Check the version in the path of ${theBaseUrl}, and ask the API's operator for the address of the new one`,
  ],
  [
    "https ssl tls",
    /\b(?:https|ssl|tls)\b(?! (?:client )?cert|:\/\/| ?v?\d).{0,20}\b(?:required|only|must)\b|\b(?:requires?|use) (?:https|ssl|tls)\b(?!:\/\/| ?v?\d)/i,
    "https-expected",
    "the server's words ask for https",
    fix`Write https:// in ${theBaseUrl}; if it stands there, tell the API's operator: the server may not know that the request came by https`,
  ],
  [
    "jwt segment",
    /\bjwt\b|\b(?:not enough|wrong number of|too few) segments\b/i,
    "token-shape",
    "the server's words ask for a JWT, and the API's documentation shows another kind of token: another service may have answered",
    fix`Check ${theBaseUrl}, and ask the API's operator who asks for a JWT there`,
    "token",
  ],
  [
    "found exist know registered such",
    /^(?!.*\b(?:or|and) (?:\w+ )?(?:password|secret|passphrase|key|token)\b).*(?:\b(?:account|user(?:name)?|customer|client|tenant|merchant|partner)\b(?![- ](?:agent|cert|token|key|id\b)).{0,40}\b(?:not (?:be )?found|(?:does|did) not exist|unknown|not (?:known|registered))\b|\b(?:unknown|no such) (?:account|user|customer|client|tenant|merchant|partner)\b)/is,
    "not-allowed",
    "the server's words say that it does not know this account: its name may be misspelt, or it may belong to another environment",
    fix`Check whether the account is one of ${theBaseUrl}: test and production have accounts of their own`,
  ],
];

const withStems = () =>
  wordsOfRefusals().map(([stems, words, id, message, advice, method]) => ({
    stems: stems.split(" ").map((stem) => stem.replaceAll("_", " ")),
    words,
    method,
    finding: possible(id, message, advice),
  }));
// Made once: each refused account of a run asks for them.
let rows: ReturnType<typeof withStems> | undefined;

// A diagnosis shows itself whether the field arrives. A 400 or 422 can say that it is missing too.
const saidWhy: Rule = ({ outcome, credential, diagnosed, exchange: { response } }) => {
  const isRejected = outcome.kind === "rejected";
  const lacks = outcome.kind === "unexpected" && outcome.reason.kind === "status";
  if (response === null || !(isRejected || (lacks && [400, 422].includes(response.status)))) return null;
  rows ??= withStems();
  const row = rows.find(
    ({ stems, words, method, finding: { id } }) =>
      (method ?? credential.method) === credential.method &&
      (isRejected || id === "header-ignored") &&
      (id !== "header-ignored" || diagnosed.length === 0) &&
      response.says(words, stems),
  );
  return row?.finding ?? null;
};

// Servers that tell an unknown credential from one without a permission answer 401 and 403 (RFC 9110, section 15.5.4).
const notAllowed: Rule = (evidence) =>
  evidence.outcome.kind === "rejected" &&
  evidence.exchange.response?.status === 403 &&
  evidence.exchange.response.content === "json-object" &&
  !saidWhy(evidence) &&
  !ofTime(evidence) &&
  !blocked(evidence) &&
  possible(
    "not-allowed",
    "the API may know this credential and not allow it to do this: a 403 can mean that",
    fix`Ask the API's operator whether this account may use the API`,
  );

// Functions, for the same reason.
const speaksOfCredentials = (): RegExp =>
  /\bunauth|\bnot (?:be )?(?:authenticated|authori[sz]ed|logged in|signed in)\b|\b(?:invalid|wrong|bad|incorrect|expired|unknown|missing|no) (?:\w+ )?(?:key|token|credentials?|login|password|user(?:name)?|signature|digest|nonce)\b|\b(?:key|token|credentials?|signature|digest|nonce|login|authentication) (?:is |are |has |was |not |have )*(?:invalid|expired|missing|required|revoked|wrong|valid|failed|error)\b|\baccess denied\b/i;

// Words of a database, which refuses the server's own program, and of a program whose data lack a key.
const ofDatabases = (): RegExp =>
  /\bsqlstate|\b(?:database|mysql|postgres|redis|ldap)|@['"]?localhost|\busing password|\bfailed for user ['"]|\bwrongpass|\bnoauth|\bkey (?:length|size|['"])/i;

// Some servers answer 200, 400, 500 or a status of their own to a wrong credential, and some write a refusal as text or a page.
const maybeRefused: Rule = (evidence) => {
  const { outcome, credential, exchange } = evidence;
  const { response } = exchange;
  if (response === null) return null;
  const isUnproved =
    outcome.kind === "unexpected" && outcome.reason.kind === "no-evidence" && response.status === 401;
  const isOther =
    (outcome.kind === "unexpected" && ["status", "wrong-shape"].includes(outcome.reason.kind)) ||
    (outcome.kind === "unavailable" && response.status === 500 && !response.says(ofDatabases()));
  return (
    (isUnproved || isOther) &&
    response.says(speaksOfCredentials()) &&
    response.author === null &&
    !saidWhy(evidence) &&
    possible(
      "maybe-refused",
      isUnproved
        ? "the server's words speak of the credential: the API may have refused it in such a form"
        : "the server's words speak of the credential: some servers refuse one with another status than 401",
      comparison[credential.method],
    )
  );
};

// A measured difference of the clocks says more, and a diagnosis tries other times.
const ofTime: Rule = (evidence) =>
  mayBeRefused(evidence) &&
  evidence.credential.method === "wsse" &&
  evidence.exchange.response?.saysTime === true &&
  evidence.diagnosed.length === 0 &&
  !saidWhy(evidence) &&
  possible("clock", "the server's words speak of the time, Created or Nonce, not of the secret", clockAdvice);

/** Possible causes of a refusal that the response shows. */
export const refusalRules: readonly Rule[] = [locked, saidWhy, ofTime, blocked, notAllowed, maybeRefused];
