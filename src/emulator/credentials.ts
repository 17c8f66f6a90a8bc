// Judges the credentials of a request by the specification's rules, and by our own on its window and on nonces that come twice.

import { nearest } from "../options/nearest.ts";
import { authorizationValue } from "../wsse/header.ts";
import type { EmulatorAccount, KnownAccounts } from "./accounts.ts";
import { because, type Reason } from "./answer.ts";
import { timeProblem } from "./created.ts";
import { digestMatches, digestMismatch } from "./digest-mismatch.ts";
import type { ReceivedRequest } from "./log.ts";
import type { AllOptions } from "./options.ts";
import type { PlannedAnswer } from "./planned-answers.ts";
import type { EmulatorRequest } from "./request.ts";
import {
  isWhole,
  ownText,
  type Parts,
  parseWsse,
  shownParts,
  unusualShapes,
  wsseAuthorization,
} from "./username-token.ts";
import { formsText, likenessOf, readingsOf, replacementOf } from "./values.ts";

/** A value that belongs into X-WSSE, whatever the field is called. */
const wsseValues = /^["']?UsernameToken\b|\bPasswordDigest\s*=/i;

/** What the server accepts, remembers and answers. */
export interface Service
  extends Pick<AllOptions, "answer" | "strict" | "explain" | "allowHosts" | "control" | "basePath"> {
  readonly accounts: KnownAccounts;
  /** The nonces of the last accepted requests, the oldest first. A forced status uses up none. */
  readonly nonces: Set<string>;
  /** The last requests, the oldest first. */
  readonly requests: ReceivedRequest[];
  /** The answers to the next requests, in their order. */
  answers: PlannedAnswer[];
}

const mostNonces = 100_000;

/** Remembers the nonce of an accepted request, so that a request with the same one is refused. */
export function remember(nonce: string, { nonces }: Service): void {
  nonces.add(nonce);
  const [oldest = ""] = nonces;
  if (nonces.size > mostNonces) nonces.delete(oldest);
}

/** What is found of the credentials of a request. */
export interface Sent {
  /** Every rule that they break. */
  readonly faults: readonly Reason[];
  readonly account: EmulatorAccount | null;
  readonly notes: readonly string[];
  /** Remember it when the request is accepted; null for a token. */
  readonly nonce: string | null;
}

/** Judges credentials. The specification (section 5) has no window, replay or order: they are our own. */
export function judgeCredentials(
  request: Pick<EmulatorRequest, "headers" | "sentNames" | "target">,
  service: Service,
  nowSeconds: number,
): Sent {
  const { "x-wsse": wsse = [], "x-auth-token": token = [], authorization = [] } = request.headers;
  const faults: Reason[] = [];
  const fault = (detail: string, change = onlyOne) => faults.push(because("malformed", detail, change));
  if (wsse.length > 0 && token.length > 0) fault("both X-WSSE and X-Auth-Token were sent", oneOfBoth);
  // Nobody knows which of two counts, so neither is judged.
  if (wsse.length > 1) fault("X-WSSE was sent more than once");
  if (token.length > 1) fault("X-Auth-Token was sent more than once");
  const isMissing = wsse.length === 0 && token.length === 0;
  const [missing, elsewhere] = isMissing ? missingField(request, service.accounts) : [];
  if (missing !== undefined) faults.push(missing);
  const byToken = token.length === 1 ? judgeToken(token[0] ?? "", service.accounts) : null;
  // What stands in another field is judged too; it is refused all the same.
  const value = wsse.length === 1 ? wsse[0] : elsewhere;
  const byWsse = value === undefined ? null : judgeWsse(value, authorization, service, nowSeconds);
  const all = [...faults, ...(byWsse?.faults ?? []), ...(byToken?.faults ?? [])];
  return { ...(byWsse ?? byToken ?? nobody), faults: all };
}

const nobody = { faults: [], account: null, notes: [], nonce: null } as const;
const oneOfBoth = "send one of them: a client sets both, or a proxy adds one";
const onlyOne =
  "send the field once, in one line: a client splits it, or sets it twice (add in place of set), or a proxy adds one";

/** The words of a value, those behind a name as in `token=T`, and the username and password of Basic (RFC 7617). */
const wordsOf = (value: string): readonly string[] =>
  value
    .split(/[\s"']+/)
    .flatMap((word) => [
      word,
      word.replace(/^[\w-]+[:=]/, ""),
      ...Buffer.from(word, "base64").toString().split(/:(.*)/s, 2),
    ]);

/** The fault that neither field was sent, with what looks like one elsewhere; `wsse` is a value of X-WSSE that was found there. */
function missingField(
  { headers, sentNames, target }: Pick<EmulatorRequest, "headers" | "sentNames" | "target">,
  { shownName, withToken, withUsername, isSecret }: KnownAccounts,
): readonly [missing: Reason, wsse?: string | undefined] {
  const [, query = ""] = /\?([^#]*)/.exec(target) ?? [];
  const fields = Object.entries(headers).map(([name, [value = ""] = []]) => {
    return [name, value, `the field ${shownName(sentNames.get(name) ?? name)}`] as const;
  });
  // The name of a parameter is not shown: it may hold a part of a secret that the client cut.
  const others = [...new URLSearchParams(query)].map(([, value]) => ["", value, "the query"] as const);
  // Of each field or value that looks like one: what it is, what to change and, if it holds one, the value of X-WSSE.
  const strays = [...fields, ...others].flatMap(([name, value, where]) => {
    const words = [value, ...wordsOf(value)];
    // `wordsOf` gives the secret of Basic behind its username.
    if (words.some((word, at) => withUsername(word).length > 0 && isSecret(words[at + 1] ?? "")))
      return [[`${where} holds username and secret in clear, as Basic has them`, "make X-WSSE of them"]];
    const isToken = words.some((word) => withToken(word) !== null);
    const held = wsseValues.test(value) ? "X-WSSE" : isToken ? "X-Auth-Token" : undefined;
    const instead = held ?? nearest(name, ["X-WSSE", "X-Auth-Token"]);
    if (instead === undefined) return [];
    const does = held === undefined ? "looks like" : "holds what belongs into";
    const what = instead === "X-WSSE" ? "it" : "the token alone, with no word before it,";
    const wsse = held === "X-WSSE" ? [value.replace(/^WSSE\s+(?=UsernameToken)/i, "")] : [];
    return [[`${where} ${does} ${instead}`, `send ${what} as the field ${instead}`, ...wsse]];
  });
  const isOther = headers.authorization !== undefined;
  const other = ["Authorization alone does not authenticate", "send X-WSSE, or the token in X-Auth-Token"];
  const found = strays.length > 0 ? strays.slice(0, 5) : isOther ? [other] : [];
  const detail = ["neither X-WSSE nor X-Auth-Token was sent", ...found.map(([words]) => words)].join("; ");
  const changes = [...new Set(found.map(([, change]) => change))].join("; ");
  return [because("missing", detail, changes), found.find(([, , wsse]) => wsse !== undefined)?.[2]];
}

/** What was sent in place of the Authorization field that this server requires. */
function authorizationProblem([value]: readonly string[]): string {
  if (value === undefined) return `Authorization: ${authorizationValue} was not sent beside X-WSSE`;
  const problem = /^WSSE\b/i.test(value)
    ? 'does not have profile="UsernameToken" as its only parameter'
    : "was sent with another scheme";
  return `Authorization ${problem}; this server expects Authorization: ${authorizationValue}`;
}

const newNonce = "make a new Nonce for every request, also for a retry";
const unsetToken = "set the variable that the client reads the token from, and export it in a shell";

function judgeToken(sent: string, accounts: KnownAccounts): Sent {
  const account = accounts.withToken(sent);
  const empty = because("malformed", "X-Auth-Token is empty", unsetToken);
  const faults = account !== null ? [] : [sent === "" ? empty : tokenProblem(sent, accounts)];
  return { ...nobody, account, faults };
}

function judgeWsse(
  value: string,
  authorization: readonly string[],
  { accounts, strict, nonces }: Service,
  nowSeconds: number,
): Sent {
  const { all, shown, redact, withToken, withUsername } = accounts;
  const own = ownText(value);
  const claimedBy = (name: string | undefined) => (name === undefined ? [] : withUsername(name));
  // Accounts may have the same username and different secrets.
  const matchOf = (token: Parts) =>
    isWhole(token) ? claimedBy(token.username).find((one) => digestMatches(token, one)) : undefined;
  const visibly = (text: string): string => shown(text, own);
  const read = parseWsse(value, visibly, (token) => matchOf(token) !== undefined);
  const { username, nonce = null, created } = read.parts;
  // Other characters of Created were hashed in bytes that this text does not have.
  const sent = isWhole(read.parts) && /^[ -~]*$/.test(read.parts.created) ? read.parts : null;
  const claimed = claimedBy(username);
  const matching = sent === null ? undefined : matchOf(sent);
  const account = matching ?? claimed[0] ?? null;
  // An unknown username is judged by what the only account must send.
  const rules = account ?? (all.length === 1 ? all[0] : null) ?? null;
  const shapes = rules === null ? [] : unusualShapes(value, read, rules.digest);
  const faults: Reason[] = [];
  const fault = (rule: string, detail: string, change?: string) => faults.push(because(rule, detail, change));
  if (withToken(value.trim()) !== null)
    fault("malformed", "X-WSSE holds what belongs into X-Auth-Token", "send it as the field X-Auth-Token");
  else if (read.problems.size > 0)
    fault("malformed", [...read.problems.keys()].join("; "), [...new Set(read.problems.values())].join("; "));
  const visible = shownParts(read, visibly);
  if (username !== undefined && account === null)
    faults.push(usernameProblem(username, visible.username, accounts));
  if (rules?.authorization === "wsse" && !authorization.some((one) => wsseAuthorization.test(one)))
    fault(
      "authorization",
      authorizationProblem(authorization),
      `send ${authorizationValue} in Authorization`,
    );
  // The digest first: it tells more about a client than the shapes.
  if (sent !== null && account !== null && matching === undefined)
    faults.push(digestMismatch(sent, account, redact));
  if (strict && shapes.length > 0) fault("malformed", shapes.join("; "));
  const ofTime = created === undefined ? null : timeProblem(created, visible.created, nowSeconds);
  if (ofTime !== null) faults.push(ofTime);
  if (nonce !== null && nonces.has(nonce)) fault("replayed", "the Nonce has been used before", newNonce);
  return { faults, account, notes: strict ? [] : shapes, nonce };
}

/** What a text in the place of a token or username is: the words, and what to change if it can be mended; empty if nothing shows. */
function mistaken(
  sent: string,
  ours: "token" | "username",
  { all, isSecret, withToken, withUsername }: KnownAccounts,
): readonly [words?: string, change?: string] {
  const isToken = (text: string): boolean => withToken(text) !== null;
  const isUsername = (text: string): boolean => withUsername(text).length > 0;
  const [isOurs, isOther] = ours === "token" ? [isToken, isUsername] : [isUsername, isToken];
  if (isSecret(sent)) return ["is the secret"];
  const instead = replacementOf(sent);
  if (instead !== undefined) return [instead];
  if (isOther(sent)) return [`is the ${ours === "token" ? "username" : "token"}`];
  const { written = [] } = readingsOf(sent, 2).find(({ text }) => isOurs(text)) ?? {};
  if (written.length > 0)
    return [`is written ${formsText(written)}`, written.map(({ change }) => change).join("; ")];
  if (ours === "token" && wsseValues.test(sent))
    return ["holds what belongs into X-WSSE", "send it as the field X-WSSE"];
  // To compare with those of many accounts would take long.
  const [own] = all.length === 1 ? all : [];
  return own === undefined ? [] : (likenessOf(sent, own[ours]) ?? []);
}

/** Describes a Username that no account has; `shown` is its text for a log. */
function usernameProblem(sent: string, shown: string, accounts: KnownAccounts): Reason {
  const { all } = accounts;
  const [words, change = "send the username that this server prints or was given"] = mistaken(
    sent,
    "username",
    accounts,
  );
  const what = words === undefined ? "" : `, which ${words}`;
  const known = all.length === 1 ? `"${all[0]?.username}"` : `${all.length} others`;
  const who = `Username is "${shown}"${what}; this server knows ${known}`;
  return because("unknown user", `${who}, so the digest cannot be judged`, change);
}

/** Describes an `X-Auth-Token` that no account has, without quoting it or any other. */
function tokenProblem(sent: string, accounts: KnownAccounts): Reason {
  const { all } = accounts;
  const [words, mend] = mistaken(sent, "token", accounts);
  const change = mend ?? "send the token that this server prints or was given";
  const how = mend === undefined ? "" : " alone, as it is";
  if (words !== undefined) return because("token", `${words}; this server expects the token${how}`, change);
  const unlike =
    all.length === 1
      ? `is not this server's; it has ${sent.length} characters, this server's has ${all[0]?.token.length}`
      : `is none of this server's ${all.length}`;
  return because("token", unlike, change);
}
