// Judges the credentials of a request by the specification's rules, and by our own on its window and on nonces that come twice.

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
  unusualShapes,
  wsseAuthorization,
  wsseName,
} from "./username-token.ts";
import { formsText, likenessOf, readingsOf, replacementOf, sharesPart } from "./values.ts";

/** A value that belongs into X-WSSE, whatever the field is called. */
const wsseValues = /^["']?UsernameToken\b|\bPasswordDigest\s*=/i;
/** The names of fields that look like ours, and ours. */
const nearNames: ReadonlyArray<readonly [name: RegExp, ours: string]> = [
  [wsseName, "X-WSSE"],
  [
    /^(?:http[-_])?(?:x[-_]?)?(?:(?:auth|authorization|api|access)[-_]?(?:tokens?|key)|token)$|^x[-_]?auth$/i,
    "X-Auth-Token",
  ],
];

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

interface Sent {
  /** Every rule that the credentials break. */
  readonly faults: readonly Reason[];
  readonly account: EmulatorAccount | null;
  readonly notes: readonly string[];
  /** Remember it when the request is accepted; null for a token. */
  readonly nonce: string | null;
  /** The header that is accepted, and the words of the specification for it. */
  readonly greeting: readonly [header: string, message: string];
}

/** Judges credentials. The specification (section 5) has no window, replay or order: they are our own. */
export function judgeCredentials(
  { headers, sentNames, target }: Pick<EmulatorRequest, "headers" | "sentNames" | "target">,
  service: Service,
  nowSeconds: number,
): Sent {
  const { "x-wsse": wsse = [], "x-auth-token": token = [], authorization = [] } = headers;
  const faults: Reason[] = [];
  const malformed = (detail: string, change = onlyOne) => faults.push(because("malformed", detail, change));
  if (wsse.length > 0 && token.length > 0)
    malformed(
      "both X-WSSE and X-Auth-Token were sent",
      "send one of them: a client sets both, or a proxy adds one",
    );
  // Nobody knows which of two counts, so neither is judged.
  if (wsse.length > 1) malformed("X-WSSE was sent more than once");
  if (token.length > 1) malformed("X-Auth-Token was sent more than once");
  const isMissing = wsse.length === 0 && token.length === 0;
  const stray = isMissing ? strayFields({ headers, sentNames, target }, service.accounts) : [];
  if (isMissing) {
    const other = authorization.length > 0 ? "; Authorization alone does not authenticate" : "";
    const found = stray.length > 0 ? `; ${stray.map(({ words }) => words).join("; ")}` : other;
    const instead = authorization.length > 0 ? ["send X-WSSE, or the token in X-Auth-Token"] : [];
    const changes = stray.length > 0 ? stray.map(({ change }) => change) : instead;
    const change = [...new Set(changes)].join("; ");
    faults.push(because("missing", `neither X-WSSE nor X-Auth-Token was sent${found}`, change));
  }
  const byToken = token.length === 1 ? judgeToken(token[0] ?? "", service.accounts) : null;
  // What stands in another field is judged too; it is refused all the same.
  const value = wsse.length === 1 ? wsse[0] : stray.find((one) => one.wsse !== null)?.wsse;
  const byWsse = value == null ? null : judgeWsse(value, authorization, service, nowSeconds);
  const all = [...faults, ...(byWsse?.faults ?? []), ...(byToken?.faults ?? [])];
  return { ...(byWsse ?? byToken ?? nobody), faults: all };
}

const onlyOne =
  "send the field once, in one line: a client splits it, or sets it twice (add in place of set), or a proxy adds one";

/** What stands around a token: a scheme or name before it, quotation marks. */
const aroundValue = /^(?:[\w-]{1,40}[\s:]\s*)?(?:token\s*=\s*)?["']?|["']$/gi;
/** What Basic sends (RFC 7617): username and password. */
const partsOf = (value: string): readonly string[] => {
  const [, basic = null] = /^Basic\s+([\w+/]+=*)$/i.exec(value) ?? [];
  if (basic === null) return [value.replace(aroundValue, "")];
  return Buffer.from(basic, "base64").toString().split(/:(.*)/s, 2);
};

/** A field that looks like ours or holds what belongs into ours, what to change, and the value of X-WSSE that it may hold. */
interface Stray {
  readonly words: string;
  readonly change: string;
  readonly wsse: string | null;
}

function strayFields(
  { headers, sentNames, target }: Pick<EmulatorRequest, "headers" | "sentNames" | "target">,
  { shownName, withToken, withUsername, isSecret }: KnownAccounts,
): readonly Stray[] {
  const [, query = ""] = /\?([^#]*)/.exec(target) ?? [];
  const fields = Object.entries(headers).map(([name, [value = ""] = []]) => {
    return [name, value, `the field ${shownName(sentNames.get(name) ?? name)}`] as const;
  });
  // Their names are text of the client that a secret may be cut into, so they are not shown.
  const others = [...new URLSearchParams(query)].map(([, value]) => ["", value, "the query"] as const);
  const found = [...fields, ...others].flatMap(([name, value, where]): readonly Stray[] => {
    const parts = partsOf(value);
    const isToken = [value, ...parts].some((part) => withToken(part) !== null);
    if (withUsername(parts[0] ?? "").length > 0 && isSecret(parts[1] ?? ""))
      return [
        {
          words: `${where} holds username and secret in clear, as Basic has them`,
          change: "make X-WSSE of them",
          wsse: null,
        },
      ];
    const held = wsseValues.test(value) ? "X-WSSE" : isToken ? "X-Auth-Token" : null;
    const [, alike = null] = nearNames.find(([pattern]) => pattern.test(name)) ?? [];
    const instead = held ?? alike;
    if (instead === null) return [];
    const does = held === null ? "looks like" : "holds what belongs into";
    const what = instead === "X-WSSE" ? "it" : "the token alone, with no word before it,";
    const wsse = held === "X-WSSE" ? value.replace(/^WSSE\s+(?=UsernameToken)/i, "") : null;
    return [{ words: `${where} ${does} ${instead}`, change: `send ${what} as the field ${instead}`, wsse }];
  });
  return found.slice(0, 5);
}

/** What was sent in place of the Authorization field that this server requires. */
function authorizationProblem([value]: readonly string[]): string {
  if (value === undefined) return `Authorization: ${authorizationValue} was not sent beside X-WSSE`;
  const problem = /^WSSE\b/i.test(value)
    ? 'does not have profile="UsernameToken" as its only parameter'
    : "was sent with another scheme";
  return `Authorization ${problem}; this server expects Authorization: ${authorizationValue}`;
}

const nobody = { faults: [], account: null, notes: [], nonce: null, greeting: ["", ""] } as const;

const unsetToken = "set the variable that the client reads the token from, and export it in a shell";

function judgeToken(sent: string, accounts: KnownAccounts): Sent {
  const account = accounts.withToken(sent);
  const message = "Hello, user! You are successfully authenticated with X-Auth-Token.";
  const judgement = { ...nobody, account, greeting: ["X-Auth-Token", message] } as const;
  if (account !== null) return judgement;
  if (sent === "")
    return { ...judgement, faults: [because("malformed", "X-Auth-Token is empty", unsetToken)] };
  return { ...judgement, faults: [tokenProblem(sent, accounts)] };
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
  const read = parseWsse(
    value,
    (name) => shown(name, own),
    (token) => matchOf(token) !== undefined,
  );
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
  else if (read.problems.length > 0) fault("malformed", read.problems.join("; "), read.changes.join("; "));
  // In a header that is not right, a part of the digest may stand in the place of another value.
  const isHidden = (text: string): boolean =>
    read.problems.length > 0 || sharesPart(text, read.parts.passwordDigest ?? "");
  const quoted = (text: string): string => (isHidden(text) ? "…" : shown(text, own));
  if (username !== undefined && account === null)
    faults.push(usernameProblem(username, quoted(username), accounts));
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
  const ofTime = created === undefined ? null : timeProblem(created, quoted(created), nowSeconds);
  if (ofTime !== null) faults.push(ofTime);
  if (nonce !== null && nonces.has(nonce))
    fault(
      "replayed",
      "the Nonce has been used before",
      "make a new Nonce for every request, also for a retry",
    );
  const message = `Hello, ${account?.username}! You are successfully authenticated on the platform.`;
  return {
    faults,
    account,
    notes: strict ? [] : shapes,
    nonce,
    greeting: ["X-WSSE", message],
  };
}

/** What a text in the place of a token or username is: the words, and what to change if it can be mended; undefined if nothing shows. */
function mistaken(
  sent: string,
  ours: "token" | "username",
  { all, isSecret, withToken, withUsername }: KnownAccounts,
): readonly [words: string, change?: string] | undefined {
  const isKnown = {
    token: (text: string): boolean => withToken(text) !== null,
    username: (text: string): boolean => withUsername(text).length > 0,
  };
  if (isSecret(sent)) return ["is the secret"];
  const instead = replacementOf(sent);
  if (instead !== undefined) return [instead];
  const other = ours === "token" ? "username" : "token";
  if (isKnown[other](sent)) return [`is the ${other}`];
  const read = readingsOf(sent, 2).find(({ text }) => isKnown[ours](text));
  if (read !== undefined)
    return [`is written ${formsText(read.written)}`, read.written.map(({ change }) => change).join("; ")];
  if (ours === "token" && wsseValues.test(sent))
    return ["holds what belongs into X-WSSE", "send it as the field X-WSSE"];
  // To compare with those of many accounts would take long.
  const own = all.length === 1 ? all[0]?.[ours] : undefined;
  return own === undefined ? undefined : likenessOf(sent, own);
}

/** Describes a Username that no account has; `shown` is its text for a log. */
function usernameProblem(sent: string, shown: string, accounts: KnownAccounts): Reason {
  const { all } = accounts;
  const [words, change = "send the username that this server prints or was given"] =
    mistaken(sent, "username", accounts) ?? [];
  const what = words === undefined ? "" : `, which ${words}`;
  const known = all.length === 1 ? `"${all[0]?.username}"` : `${all.length} others`;
  const who = `Username is "${shown}"${what}; this server knows ${known}`;
  return because("unknown user", `${who}, so the digest cannot be judged`, change);
}

/** Describes an `X-Auth-Token` that no account has, without quoting it or any other. */
function tokenProblem(sent: string, accounts: KnownAccounts): Reason {
  const { all } = accounts;
  const [words, mend] = mistaken(sent, "token", accounts) ?? [];
  const change = mend ?? "send the token that this server prints or was given";
  const how = mend === undefined ? "" : " alone, as it is";
  if (words !== undefined) return because("token", `${words}; this server expects the token${how}`, change);
  const unlike =
    all.length === 1
      ? `is not this server's; it has ${sent.length} characters, this server's has ${all[0]?.token.length}`
      : `is none of this server's ${all.length}`;
  return because("token", unlike, change);
}
