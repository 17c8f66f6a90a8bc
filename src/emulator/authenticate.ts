import { authorizationValue } from "../wsse/authorization.ts";
import { passwordDigest } from "../wsse/digest.ts";
import type { EmulatorAccount, KnownAccounts } from "./accounts.ts";
import { createdSeconds } from "./created.ts";
import { because, type Decision, decided, type Reason, type ReceivedRequest } from "./decision.ts";
import { digestMatches, digestMismatch, notSent } from "./digest-mismatch.ts";
import type { Nonces } from "./nonces.ts";
import type { AllOptions } from "./options.ts";
import type { ListedAnswer } from "./planned-answers.ts";
import type { Headers } from "./requests.ts";
import { isWhole, parseWsse, unusualShapes } from "./username-token.ts";

/** Clients of Huawei Cloud send `WSSE realm="SDP",profile="UsernameToken",type="Appkey"` (ycyoes/JavaUtils, SendSms.java). */
const huaweiAuthorization = /^WSSE[ \t].*type[ \t]*=[ \t]*"?Appkey/i;

/** What the server accepts, remembers and answers. */
export interface Service extends Pick<AllOptions, "strict" | "explain" | "allowHosts" | "control"> {
  readonly accounts: KnownAccounts;
  readonly nonces: Nonces;
  /** Those of requests with a forced status, which use up no nonce. */
  readonly forcedNonces: Nonces;
  /** The last requests, the oldest first. */
  readonly requests: ReceivedRequest[];
  /** What the next requests are answered with. */
  answers: ListedAnswer[];
  /** What all others are answered with; null for what they deserve. */
  answer: ListedAnswer | null;
}

/** How many seconds Created may be before or after the server's clock. The specification does not show it (section 5.1, rule 4). */
export const windowSeconds = 300;

/** What a request says with its credentials, and every rule that it breaks. */
export interface Judgement {
  readonly faults: readonly Reason[];
  readonly account: EmulatorAccount | null;
  readonly notes: readonly string[];
  /** Remember it when the request is accepted; null for a token. */
  readonly nonceKey: string | null;
}

/**
 * Decides on a judged request, and remembers the nonce of an accepted one. The specification does not show how far Created may
 * be off, what happens to a repeated Nonce, or which of two methods counts (section 5). The emulator allows a window, and
 * refuses a replay and two methods at once.
 */
export function authenticate(
  { faults, account, notes, nonceKey }: Judgement,
  { nonces }: Pick<Service, "nonces">,
  nowSeconds: number,
): Decision {
  // That no credentials came is no secret, and it shows a client that its header does not arrive.
  const isMissing = faults[0]?.rule === "missing";
  if (faults.length > 0 || account === null) {
    return decided(401, faults, { account, notes, message: isMissing ? "No credentials were sent" : null });
  }
  if (nonceKey !== null && !nonces.remember(nonceKey, nowSeconds)) {
    // It is better to refuse a valid request than to forget a nonce that can still be replayed.
    const full = because("full", "no more nonces can be remembered until the oldest expire");
    return decided(503, full, { account, notes });
  }
  const [method, message] =
    nonceKey === null
      ? ["X-Auth-Token", "Hello, user! You are successfully authenticated with X-Auth-Token."]
      : ["X-WSSE", `Hello, ${account.username}! You are successfully authenticated on the platform.`];
  return decided(200, because("accepted", method), { accepted: true, message, account, notes });
}

/** Judges the credentials of a request without remembering anything. */
export function judge(headers: Headers, service: Service, nowSeconds: number): Judgement {
  const { "x-wsse": wsse = [], "x-auth-token": token = [], authorization = [] } = headers;
  const faults: Reason[] = [];
  const malformed = (detail: string) => faults.push(because("malformed", detail));
  if (wsse.length > 0 && token.length > 0) malformed("both X-WSSE and X-Auth-Token were sent");
  // Nobody knows which of two counts, so neither is judged.
  if (wsse.length > 1) malformed("X-WSSE was sent more than once");
  if (token.length > 1) malformed("X-Auth-Token was sent more than once");
  if (wsse.length === 0 && token.length === 0) {
    const other = authorization.length > 0 ? "; Authorization alone does not authenticate" : "";
    faults.push(because("missing", `neither X-WSSE nor X-Auth-Token was sent${other}`));
  }
  const judged = [
    wsse.length === 1 ? wsse.map((one) => judgeWsse(one, authorization, service, nowSeconds)) : [],
    token.length === 1 ? token.map((one) => judgeToken(one, service.accounts)) : [],
  ].flat();
  const nobody = { account: null, notes: [], nonceKey: null };
  return { ...nobody, ...judged[0], faults: [...faults, ...judged.flatMap((one) => one.faults)] };
}

function judgeToken(sent: string, accounts: KnownAccounts): Judgement {
  const account = accounts.withToken(sent);
  const [rule, detail] =
    sent === "" ? ["malformed", "X-Auth-Token is empty"] : ["token", tokenProblem(sent, accounts)];
  return { faults: account === null ? [because(rule, detail)] : [], account, notes: [], nonceKey: null };
}

/** RFC 9110, section 11.2: letter case and white space around `=` do not matter, and the value may be a token. */
export const wsseAuthorization = /^WSSE[ \t]+profile[ \t]*=[ \t]*("?)UsernameToken\1$/i;

function judgeWsse(
  value: string,
  authorization: readonly string[],
  { accounts: { all, shown, withUsername }, strict, nonces, forcedNonces }: Service,
  nowSeconds: number,
): Judgement {
  const read = parseWsse(value);
  const { username, nonce, created } = read.parts;
  const sent = isWhole(read.parts) ? read.parts : null;
  const claimed = username === undefined ? [] : withUsername(username);
  // Accounts may have the same username and different secrets.
  const matching = sent === null ? undefined : claimed.find((one) => digestMatches(sent, one));
  const account = matching ?? claimed[0] ?? null;
  // An unknown username is judged by what the only account must send.
  const rules = account ?? (all.length === 1 ? all[0] : null) ?? null;
  const shapes = rules === null ? [] : unusualShapes(value, read, rules.digest);
  const nonceKey = rules === null || nonce === undefined ? null : keyOf(nonce, rules);
  // A note alone: an HTTP library may send the same bytes again after a lost connection.
  const wasForced = nonceKey !== null && forcedNonces.isUsed(nonceKey);
  const notes = wasForced ? ["the Nonce has been sent before, with a request that got a forced answer"] : [];

  const faults: Reason[] = [];
  const fault = (rule: string, detail: string) => faults.push(because(rule, detail));
  // The name of an attribute could be a secret.
  if (read.problems.length > 0) fault("malformed", read.problems.map(shown).join("; "));
  if (username !== undefined && account === null) {
    const known = all.length === 1 ? `"${all[0]?.username}"` : `${all.length} others`;
    const who = `Username is "${shown(username)}"; this server knows ${known}`;
    fault("unknown user", `${who}, so the digest cannot be judged`);
  }
  if (rules?.authorization === "wsse" && !authorization.some((one) => wsseAuthorization.test(one))) {
    const whose = authorization.some((one) => huaweiAuthorization.test(one)) ? `; ${notSent("Huawei")}` : "";
    fault("authorization", `Authorization: ${authorizationValue} was not sent beside X-WSSE${whose}`);
  }
  // The digest first: it tells more about a client than the shapes.
  if (sent !== null && account !== null && matching === undefined)
    fault("digest", digestMismatch(sent, account));
  if (strict && shapes.length > 0) fault("malformed", shapes.join("; "));
  const at = created === undefined ? undefined : createdSeconds(created);
  if (at === null) fault("malformed", "Created is not a real time in ISO 8601 with a time zone");
  const behind = nowSeconds - (at ?? nowSeconds);
  if (Math.abs(behind) > windowSeconds) {
    const difference = `${Math.abs(behind)} s ${behind > 0 ? "behind" : "ahead of"} this server`;
    fault("stale", `Created is ${difference}; ${windowSeconds} s are allowed`);
  }
  if (nonceKey !== null && nonces.isUsed(nonceKey)) fault("replayed", "the Nonce has been used before");
  return { faults, account, notes: strict ? notes : [...shapes, ...notes], nonceKey };
}

/**
 * A key that is equal for two nonces if the account's convention hashes the same bytes of both. It has a fixed length, so
 * that no part of the header stays in memory.
 */
function keyOf(nonce: string, { digest }: EmulatorAccount): string {
  return passwordDigest({ digest, hash: "sha256", nonce, created: "", secret: "" });
}

/** Describes an `X-Auth-Token` that no account has, without quoting it or any other. */
function tokenProblem(sent: string, { all, isSecret, isTokenInAnotherCase }: KnownAccounts): string {
  if (isSecret(sent)) return "is the secret; this server expects the token";
  if (/^(?:Bearer|Token)\s/i.test(sent)) return "begins with a scheme; this server expects the token alone";
  if (/^(["']).*\1$/.test(sent)) return "is in quotation marks; this server expects the token alone";
  if (isTokenInAnotherCase(sent)) return "differs from this server's in upper and lower case";
  const [only] = all;
  if (only === undefined || all.length > 1) return `is none of this server's ${all.length}`;
  if (sent.length !== only.token.length) {
    return `is not this server's; it has ${sent.length} characters, this server's has ${only.token.length}`;
  }
  return "is not this server's, though it has the same length";
}
