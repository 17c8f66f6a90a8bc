import type { AuthorizationMode } from "../wsse/authorization.ts";
import { type Credentials, escapeForLog } from "./accepted-credentials.ts";
import { type DigestRules, digestMatches, digestMismatch, nonceKey, sameText } from "./compare.ts";
import { createdSeconds } from "./created.ts";
import { parseWsse, unusualShapes } from "./username-token.ts";

/** The values of the headers of one request that concern authentication, in the order of sending. */
export interface RequestCredentials {
  readonly wsse: readonly string[];
  readonly token: readonly string[];
  readonly authorization: readonly string[];
}

/** What this server accepts: a Created at most `windowSeconds` before or after its clock, both included. */
export interface Rules extends DigestRules {
  readonly windowSeconds: number;
  /** Whether it refuses nonces, times and layouts that the specification does not show. */
  readonly strict: boolean;
  /** What it requires in `Authorization` beside X-WSSE. */
  readonly authorization: AuthorizationMode;
}

/** Why the emulator refuses a request: the first rule that it breaks. */
type Reason =
  | "missing"
  | "malformed"
  | "authorization"
  | "unknown user"
  | "digest"
  | "stale"
  | "replayed"
  | "token";

/**
 * Whether a request is authenticated. The caller remembers the `nonceKey` of an accepted request. `notes` says how the
 * X-WSSE header differs from the specification's shapes. Neither `notes` nor `detail` holds a secret.
 */
export type Authentication =
  | { readonly kind: "token" }
  | {
      readonly kind: "wsse";
      readonly username: string;
      readonly nonceKey: string;
      readonly notes: readonly string[];
    }
  | {
      readonly kind: "refused";
      readonly reason: Reason;
      readonly detail: string;
      readonly notes: readonly string[];
    };

function refused(reason: Reason, detail: string, notes: readonly string[] = []): Authentication {
  return { kind: "refused", reason, detail, notes };
}

/** The server's clock, in seconds since the epoch, and whether it has accepted a nonce with this key. */
export interface ReplayCheck {
  readonly nowSeconds: number;
  readonly isUsed: (nonceKey: string) => boolean;
}

/**
 * Authenticates one request. The specification does not show how far Created may be off, what happens to a repeated Nonce,
 * or which of two methods counts (section 5). The emulator allows a window, and refuses a replay and two methods at once.
 */
export function authenticate(
  { wsse, token, authorization }: RequestCredentials,
  rules: Rules,
  replayCheck: ReplayCheck,
): Authentication {
  if (wsse.length > 0 && token.length > 0)
    return refused("malformed", "both X-WSSE and X-Auth-Token were sent");
  if (wsse.length > 1) return refused("malformed", "X-WSSE was sent more than once");
  if (token.length > 1) return refused("malformed", "X-Auth-Token was sent more than once");
  if (wsse[0] !== undefined) {
    return rules.authorization === "wsse" && !authorization.some((value) => wsseAuthorization.test(value))
      ? refused("authorization", 'Authorization: WSSE profile="UsernameToken" was not sent beside X-WSSE')
      : authenticateWsse(wsse[0], rules, replayCheck);
  }
  if (token[0] !== undefined) return authenticateToken(token[0], rules);
  const other = authorization.length > 0 ? "; Authorization alone does not authenticate" : "";
  return refused("missing", `neither X-WSSE nor X-Auth-Token was sent${other}`);
}

// RFC 9110, section 11.2: letter case and white space around `=` do not matter, and the value may be a token.
const wsseAuthorization = /^WSSE[ \t]+profile[ \t]*=[ \t]*("?)UsernameToken\1$/i;

function authenticateToken(sent: string, { credentials }: Rules): Authentication {
  if (sent === "") return refused("malformed", "X-Auth-Token is empty");
  return sameText(sent, credentials.token)
    ? { kind: "token" }
    : refused("token", tokenProblem(sent, credentials));
}

function authenticateWsse(value: string, rules: Rules, { nowSeconds, isUsed }: ReplayCheck): Authentication {
  const parsed = parseWsse(value);
  if (parsed.kind === "malformed") return refused("malformed", parsed.problem);
  const { username, nonce, created } = parsed.token;
  const notes = unusualShapes(value, parsed.token, rules.digest);
  if (!sameText(username, rules.credentials.username)) {
    const shown = escapeForLog(username, rules.credentials);
    const detail = `Username is "${shown}"; this server knows "${rules.credentials.username}"`;
    return refused("unknown user", detail, notes);
  }
  // Check the digest before the shapes: it tells more about a client.
  if (!digestMatches(parsed.token, rules, rules.credentials.secret)) {
    const problem =
      digestMismatch(parsed.token, rules) ?? `does not match ${rules.digest} with ${rules.hash}`;
    return refused("digest", problem, notes);
  }
  if (rules.strict && notes.length > 0) return refused("malformed", notes.join("; "));
  const at = createdSeconds(created);
  if (at === null) {
    return refused("malformed", "Created is not a real time in ISO 8601 with a time zone", notes);
  }
  const behind = nowSeconds - at;
  if (Math.abs(behind) > rules.windowSeconds) {
    const side = behind > 0 ? "behind" : "ahead of";
    const detail = `Created is ${Math.abs(behind)} s ${side} this server; ${rules.windowSeconds} s are allowed`;
    return refused("stale", detail, notes);
  }
  const key = nonceKey(nonce, rules);
  if (isUsed(key)) return refused("replayed", "the Nonce has been used before", notes);
  return { kind: "wsse", username: rules.credentials.username, nonceKey: key, notes };
}

/** Describes an `X-Auth-Token` that is not this server's, without quoting either. */
function tokenProblem(sent: string, { token, secret }: Credentials): string {
  if (sameText(sent, secret)) return "is the secret; this server expects the token";
  if (/^(?:Bearer|Token)\s/i.test(sent)) return "begins with a scheme; this server expects the token alone";
  if (/^(["']).*\1$/.test(sent)) return "is in quotation marks; this server expects the token alone";
  if (sameText(sent.toLowerCase(), token.toLowerCase()))
    return "differs from this server's in upper and lower case";
  if (sent.length !== token.length) {
    return `is not this server's; it has ${sent.length} characters, this server's has ${token.length}`;
  }
  return "is not this server's, though it has the same length";
}
