// `authHeaders` and `wsseHeader`: header fields for another client. Whoever bundles this file gets neither HTTP nor settings.

import { credentialFields, type SentField } from "../check/credential.ts";
import { wrongSettings } from "../errors.ts";
import { fieldsNamed } from "../options/readers.ts";
import { nonceBytes } from "../wsse/header.ts";
import { credentialFrom } from "./credential-options.ts";
import type { Credential, HeaderInputs, WsseAccount } from "./public-options.ts";
import { system } from "./system.ts";

export { InputError } from "../errors.ts";
export type { ConventionName, HashName } from "../wsse/digest.ts";
export type { AuthorizationMode } from "../wsse/header.ts";
export type {
  Credential,
  HeaderInputs,
  TokenCredential,
  WsseAccount,
  WsseCredential,
} from "./public-options.ts";

/** Whether it is one, also of another realm: a test environment has globals of its own. */
const isUint8Array = (given: unknown): given is Uint8Array =>
  ArrayBuffer.isView(given) && Object.prototype.toString.call(given) === "[object Uint8Array]";

// Created has four digits for the year.
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The header fields of a credential, made for this time and nonce. Throws InputError for a time or nonce that no header can carry. */
function fieldsFor(credential: ReturnType<typeof credentialFrom>, given: unknown): readonly SentField[] {
  const shape = "authHeaders(credential, { now, nonce })";
  const { now = system.now(), nonce } = fieldsNamed(["now", "nonce"], "freshness", given, shape);
  if (nonce !== undefined && !(isUint8Array(nonce) && nonce.length === nonceBytes))
    throw wrongSettings(`freshness.nonce is not ${nonceBytes} bytes`, "Leave it out for a random one");
  if (typeof now !== "number" || !(now >= 0 && now <= latest))
    throw wrongSettings(
      `freshness.now is not a number from 0 to ${latest}`,
      "Give milliseconds, as Date.now() does, or leave it out",
    );
  return credentialFields(credential, { ...system, now: () => now }, nonce);
}

/**
 * All header fields that authenticate one request, by name, as the command `header` prints them. Make new ones for every
 * request. Throws InputError for the same credentials as a check, and for a time or nonce that no header can carry.
 *
 * @example
 * await fetch(url, { headers: authHeaders({ method: "wsse", username, secret }) });
 */
export function authHeaders(
  credential: Credential,
  freshness: HeaderInputs = {},
): Readonly<Record<string, string>> {
  const fields = fieldsFor(credentialFrom("credential", credential), freshness);
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
}

/**
 * The value of one `X-WSSE` header. Use each value for one request only. `authHeaders` also gives the `Authorization` field that
 * some servers require. Throws InputError as `authHeaders` does.
 *
 * @example
 * await fetch(url, { headers: { "X-WSSE": wsseHeader({ username, secret }) } });
 */
export function wsseHeader(account: WsseAccount, freshness: HeaderInputs = {}): string {
  const [field] = fieldsFor(credentialFrom("account", account, "wsse"), freshness);
  return field?.value ?? "";
}
