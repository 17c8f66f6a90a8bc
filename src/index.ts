/**
 * The library: the checks of the command line, with options instead of settings. Importing it has no effects. It reads no
 * environment variables and no files.
 */

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
  CheckerOptions,
  CheckOptions,
  Credential,
  HeaderInputs,
  OneCheckOptions,
  TokenCredential,
  WsseAccount,
  WsseCredential,
} from "./library/check-options.ts";
export { type Checker, checkCredentials, createChecker } from "./library/checker.ts";
export { authHeaders, wsseHeader } from "./library/header.ts";
export type { AuthorizationMode } from "./wsse/authorization.ts";
export type { ConventionName, HashName } from "./wsse/digest.ts";
