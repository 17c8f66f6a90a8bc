import type { HeaderInputs, WsseAccount } from "./check-options.ts";
import { headerWith } from "./header-with.ts";
import { system } from "./system.ts";

export { InputError } from "../errors.ts";
export type { ConventionName, HashName } from "../wsse/digest.ts";
export type { HeaderInputs, WsseAccount } from "./check-options.ts";

/**
 * The value of one `X-WSSE` header. Use each value for one request only. Throws InputError for the same accounts as
 * `checkCredentials`, and for a time or nonce that no header can carry.
 *
 * @example
 * await fetch(url, { headers: { "X-WSSE": wsseHeader({ username, secret }) } });
 */
export function wsseHeader(account: WsseAccount, freshness: HeaderInputs = {}): string {
  return headerWith(account, freshness, system);
}
