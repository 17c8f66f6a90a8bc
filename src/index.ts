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
export { combinedExitCode, type ExitCode, exitCodeOf, exitCodeOfError, exitCodes } from "./exit-codes.ts";
export type { Phase } from "./http/exchange.ts";
export type { CertificateFacts, TransportFailure } from "./http/failure.ts";
export { type Checker, checkCredentials, createChecker } from "./library/checker.ts";
export * from "./library/header.ts";
export type { CheckerOptions, CheckOptions, OneCheckOptions } from "./library/public-options.ts";
