/**
 * The library: the checks of the command line, with options instead of settings. Importing it has no effects. It reads no
 * environment variables and no files.
 */
import type { CheckResult } from "./check/outcome.ts";
import { checkWith } from "./library/check.ts";
import type { CheckOptions } from "./library/check-options.ts";
import { system } from "./library/system.ts";

export type {
  ApiResponse,
  Certainty,
  CheckResult,
  ClockSkew,
  Finding,
  FindingId,
  Method,
  Outcome,
  OutcomeKind,
  UnexpectedReason,
} from "./check/outcome.ts";
export { InputError } from "./errors.ts";
export { combinedExitCode, type ExitCode, exitCodeOf, exitCodeOfError, exitCodes } from "./exit-codes.ts";
export type { Phase } from "./http/exchange.ts";
export type { CertificateFacts, TransportFailure } from "./http/failure.ts";
export type {
  CheckOptions,
  HeaderInputs,
  TokenCredential,
  WsseAccount,
  WsseCredential,
} from "./library/check-options.ts";
export { wsseHeader } from "./library/header.ts";
export type { AuthorizationMode } from "./wsse/authorization.ts";
export type { ConventionName, HashName } from "./wsse/digest.ts";

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
  return checkWith(options, system);
}
