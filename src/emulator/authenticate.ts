import { passwordDigest } from "../wsse/digest.ts";
import type { EmulatorAccount, KnownAccounts } from "./accounts.ts";
import { createdSeconds } from "./created.ts";
import { type Decision, decided, type ForcedAnswer } from "./decision.ts";
import { digestMatches, digestMismatch } from "./digest-mismatch.ts";
import type { Nonces } from "./nonces.ts";
import type { AllOptions } from "./options.ts";
import type { Headers } from "./requests.ts";
import { parseWsse, unusualShapes } from "./username-token.ts";

/** What the server accepts, remembers and answers. */
export interface Service extends Pick<AllOptions, "strict" | "explain" | "allowHosts"> {
  readonly accounts: KnownAccounts;
  readonly nonces: Nonces;
  /** What all requests are answered with; null for what they deserve. */
  answer: ForcedAnswer | null;
}

const refused = (reason: string, more?: Partial<Decision>): Decision => decided(401, reason, more);

/** How many seconds Created may be before or after the server's clock. The specification does not show it (section 5.1, rule 4). */
export const windowSeconds = 300;

/**
 * Authenticates one request, and remembers the nonce of an accepted one. The specification does not show how far Created may
 * be off, what happens to a repeated Nonce, or which of two methods counts (section 5). The emulator allows a window, and
 * refuses a replay and two methods at once.
 */
export function authenticate(headers: Headers, service: Service, nowSeconds: number): Decision {
  const { "x-wsse": wsse = [], "x-auth-token": token = [], authorization = [] } = headers;
  if (wsse.length > 0 && token.length > 0)
    return refused("malformed: both X-WSSE and X-Auth-Token were sent");
  if (wsse.length > 1) return refused("malformed: X-WSSE was sent more than once");
  if (token.length > 1) return refused("malformed: X-Auth-Token was sent more than once");
  if (wsse[0] !== undefined) return authenticateWsse(wsse[0], authorization, service, nowSeconds);
  if (token[0] !== undefined) return authenticateToken(token[0], service.accounts);
  const other = authorization.length > 0 ? "; Authorization alone does not authenticate" : "";
  // That no credentials came is no secret, and it shows a client that its header does not arrive.
  const message = "No credentials were sent";
  return refused(`missing: neither X-WSSE nor X-Auth-Token was sent${other}`, { message });
}

function authenticateToken(sent: string, accounts: KnownAccounts): Decision {
  if (sent === "") return refused("malformed: X-Auth-Token is empty");
  const account = accounts.withToken(sent);
  if (account === null) return refused(`token: ${tokenProblem(sent, accounts)}`);
  const message = "Hello, user! You are successfully authenticated with X-Auth-Token.";
  return decided(200, "accepted: X-Auth-Token", { accepted: true, message, account });
}

/** RFC 9110, section 11.2: letter case and white space around `=` do not matter, and the value may be a token. */
export const wsseAuthorization = /^WSSE[ \t]+profile[ \t]*=[ \t]*("?)UsernameToken\1$/i;

function authenticateWsse(
  value: string,
  authorization: readonly string[],
  { accounts, strict, nonces }: Service,
  nowSeconds: number,
): Decision {
  const token = parseWsse(value);
  // The name of an attribute could be a secret.
  if (typeof token === "string") return refused(`malformed: ${accounts.shown(token)}`);
  const claimed = accounts.withUsername(token.username);
  const [first] = claimed;
  if (first === undefined) {
    const { all, shown } = accounts;
    const known = all.length === 1 ? `"${all[0]?.username}"` : `${all.length} others`;
    return refused(`unknown user: Username is "${shown(token.username)}"; this server knows ${known}`);
  }
  // Accounts may have the same username and different secrets.
  const matching = claimed.find((one) => digestMatches(token, one));
  const account = matching ?? first;
  const notes = unusualShapes(value, token, account.digest);
  const refuse = (reason: string): Decision => refused(reason, { account, notes });
  if (account.authorization === "wsse" && !authorization.some((one) => wsseAuthorization.test(one))) {
    return refuse('authorization: Authorization: WSSE profile="UsernameToken" was not sent beside X-WSSE');
  }
  // Check the digest before the shapes: it tells more about a client.
  if (matching === undefined) return refuse(`digest: ${digestMismatch(token, account)}`);
  if (strict && notes.length > 0) return refused(`malformed: ${notes.join("; ")}`, { account });
  const at = createdSeconds(token.created);
  if (at === null) return refuse("malformed: Created is not a real time in ISO 8601 with a time zone");
  const behind = nowSeconds - at;
  if (Math.abs(behind) > windowSeconds) {
    const difference = `${Math.abs(behind)} s ${behind > 0 ? "behind" : "ahead of"} this server`;
    return refuse(`stale: Created is ${difference}; ${windowSeconds} s are allowed`);
  }
  const nonce = nonces.use(keyOf(token.nonce, account), nowSeconds);
  if (nonce === "used") return refuse("replayed: the Nonce has been used before");
  // It is better to refuse a valid request than to forget a nonce that can still be replayed.
  if (nonce === "full")
    return decided(503, "full: no more nonces can be remembered until the oldest expire", { account, notes });
  const message = `Hello, ${account.username}! You are successfully authenticated on the platform.`;
  return decided(200, "accepted: X-WSSE", { accepted: true, message, account, notes });
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
