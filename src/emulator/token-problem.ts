import type { Credentials } from "./credentials.ts";
import { sameText } from "./same-text.ts";

/** What can be said of an `X-Auth-Token` that is not this server's, without quoting either. */
export function tokenProblem(sent: string, { token, secret }: Credentials): string {
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
