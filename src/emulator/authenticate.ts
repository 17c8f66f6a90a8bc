import { type DigestRules, digestMatches, otherRecipe, sameText } from "./compare.ts";
import { type Credentials, shownText } from "./credentials.ts";
import { createdSeconds, nonceShapes, parseWsse } from "./username-token.ts";

/** The credentials of one request: every value of both headers, and whether `Authorization` came as well. */
export interface Presented {
  readonly wsse: readonly string[];
  readonly token: readonly string[];
  readonly authorization: boolean;
}

/** What this server accepts: a Created at most `windowSeconds` from its clock, either way and inclusive. */
export interface Rules extends DigestRules {
  readonly windowSeconds: number;
}

/** When a request is judged, and which nonces have been accepted before. */
export interface Moment {
  readonly nowSeconds: number;
  readonly used: (nonce: string) => boolean;
}

/** Why the emulator refuses a request: the first rule that it breaks. */
export type Reason = "missing" | "malformed" | "unknown user" | "digest" | "stale" | "replayed" | "token";

/** Whether a request is authenticated. An accepted nonce has to be remembered by the caller; `detail` never holds a secret. */
export type Authentication =
  | { readonly kind: "token" }
  | { readonly kind: "wsse"; readonly username: string; readonly nonce: string }
  | { readonly kind: "refused"; readonly reason: Reason; readonly detail: string };

const refused = (reason: Reason, detail: string): Authentication => ({ kind: "refused", reason, detail });

/**
 * Authenticates one request by its credentials. How much Created may differ, what becomes of a repeated Nonce and which of
 * two methods counts is not shown by the specification (section 5): the window, the refusal of a replay and the
 * refusal of two methods at once are the emulator's own choice.
 */
export function authenticate(
  { wsse, token, authorization }: Presented,
  rules: Rules,
  moment: Moment,
): Authentication {
  if (wsse.length > 0 && token.length > 0)
    return refused("malformed", "both X-WSSE and X-Auth-Token were sent");
  if (wsse.length > 1) return refused("malformed", "X-WSSE was sent more than once");
  if (token.length > 1) return refused("malformed", "X-Auth-Token was sent more than once");
  if (wsse[0] !== undefined) return authenticateWsse(wsse[0], rules, moment);
  if (token[0] !== undefined) return authenticateToken(token[0], rules);
  const other = authorization ? "; this API does not read Authorization" : "";
  return refused("missing", `neither X-WSSE nor X-Auth-Token was sent${other}`);
}

function authenticateToken(sent: string, { credentials }: Rules): Authentication {
  if (sent === "") return refused("malformed", "X-Auth-Token is empty");
  return sameText(sent, credentials.token)
    ? { kind: "token" }
    : refused("token", tokenProblem(sent, credentials));
}

function authenticateWsse(value: string, rules: Rules, { nowSeconds, used }: Moment): Authentication {
  const parsed = parseWsse(value);
  if (parsed.kind === "malformed") return refused("malformed", parsed.problem);
  const { username, nonce, created } = parsed.token;
  const at = createdSeconds(created);
  if (at === null) {
    return refused("malformed", "Created is not a real time of the form YYYY-MM-DDThh:mm:ss+00:00");
  }

  const known = sameText(username, rules.credentials.username);
  const right = known && digestMatches(parsed.token, rules);
  // Another convention can mean another shape of nonce, and naming the convention helps more than naming the shape.
  const other = known && !right ? otherRecipe(parsed.token, rules) : null;
  if (other !== null) return refused("digest", other);
  const shape = nonceShapes[rules.digest];
  if (!shape.fits(nonce)) return refused("malformed", `Nonce is not ${shape.description}`);
  if (!known) return refused("unknown user", unknownUser(username, rules));
  if (!right) return refused("digest", `does not match ${rules.digest} with ${rules.hash}`);
  const behind = nowSeconds - at;
  if (Math.abs(behind) > rules.windowSeconds) {
    const side = behind > 0 ? "behind" : "ahead of";
    return refused(
      "stale",
      `Created is ${Math.abs(behind)} s ${side} this server; ${rules.windowSeconds} s are allowed`,
    );
  }
  if (used(nonce)) return refused("replayed", "the Nonce has been used before");
  return { kind: "wsse", username: rules.credentials.username, nonce };
}

function unknownUser(username: string, { credentials }: Rules): string {
  return `Username is "${shownText(username, credentials)}"; this server knows "${credentials.username}"`;
}

/** What can be said of an `X-Auth-Token` that is not this server's, without quoting either. */
function tokenProblem(sent: string, { token, secret }: Credentials): string {
  if (sameText(sent, secret)) return "is the secret; this server wants the token";
  if (/^(?:Bearer|Token)\s/i.test(sent)) return "begins with a scheme; this server wants the token alone";
  if (/^(["']).*\1$/.test(sent)) return "is in quotation marks; this server wants the token alone";
  if (sameText(sent.toLowerCase(), token.toLowerCase()))
    return "differs from this server's in upper and lower case";
  if (sent.length !== token.length) {
    return `is not this server's; it has ${sent.length} characters, this server's has ${token.length}`;
  }
  return "is not this server's, though it has the same length";
}
