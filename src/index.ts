/**
 * The library: the checks of the command line, with options instead of settings. Importing it has no effects. It reads no
 * environment variables and no files.
 */
import { randomBytes } from "node:crypto";
import type { ClockAndRandom } from "./check/credential.ts";
import type { CheckResult } from "./check/outcome.ts";
import type { CheckOptions, HeaderInputs, WsseAccount } from "./library/check-options.ts";
import { headerWith } from "./library/header.ts";

export type {
  ApiResponse,
  Certainty,
  CheckResult,
  ClockSkew,
  Finding,
  Method,
  Outcome,
  UnexpectedReason,
} from "./check/outcome.ts";
export { InputError } from "./errors.ts";
export { combinedExitCode, type ExitCode, exitCodeOf, exitCodeOfError, exitCodes } from "./exit-codes.ts";
export type { CertificateFacts, TransportFailure } from "./http/failure.ts";
export type {
  CheckOptions,
  HeaderInputs,
  TokenCredential,
  WsseAccount,
  WsseCredential,
} from "./library/check-options.ts";
export type { AuthorizationMode } from "./wsse/authorization.ts";
export type { ConventionName, HashName } from "./wsse/digest.ts";

// A function, so that node:crypto is loaded only when it is used.
const fresh = (): ClockAndRandom => ({ now: Date.now, randomBytes });

/**
 * Checks one credential with GET {baseUrl}/test-authentication and resolves with the result. A refused credential, an
 * unreachable server and a bug of this package (`failed`) are results too. The result contains no secret, even if the server
 * sends it back. Rejects with InputError if an option is missing or invalid, and sends nothing then. Rejects with the reason
 * of the signal if it is aborted.
 *
 * @example
 * const { outcome } = await checkCredentials({
 *   baseUrl: "https://api.example.com/v1",
 *   credential: { method: "token", token },
 * });
 * process.exitCode = exitCodeOf[outcome.kind];
 */
export async function checkCredentials(options: CheckOptions): Promise<CheckResult> {
  // Loaded on use: a header or an exit code needs no HTTP client.
  const { checkWith } = await import("./library/check.ts");
  return checkWith(options, fresh());
}

/**
 * The value of one `X-WSSE` header. Use each value for one request only. Throws InputError for the same accounts as
 * `checkCredentials`, and for a time or nonce that no header can carry.
 *
 * @example
 * await fetch(url, { headers: { "X-WSSE": wsseHeader({ username, secret }) } });
 */
export function wsseHeader(account: WsseAccount, freshness: HeaderInputs = {}): string {
  return headerWith(account, freshness, fresh());
}
