/**
 * The library: the checks of the command line, with options instead of settings. Importing it has no effects. It reads no
 * environment variable but SSL_CERT_FILE, and no file but the system's certificates.
 */

export type { ApiResponse, Outcome, OutcomeKind, UnexpectedReason } from "./check/outcome.ts";
export type {
  Certainty,
  CheckResult,
  ClockSkew,
  ConnectionRecord,
  Finding,
  FindingId,
  TriedAddress,
} from "./check/result.ts";
export { combinedExitCode, type ExitCode, exitCodeOf, exitCodeOfError, exitCodes } from "./exit-codes.ts";
export type { CertificateFacts, Failure, HostAndPort, ProxyAnswer, Received, Step } from "./http/failure.ts";
export { type Checker, checkCredentials, createChecker } from "./library/checker.ts";
export * from "./library/header.ts";
export type { CheckerOptions, CheckOptions, OneCheckOptions } from "./library/public-options.ts";
export type { Method } from "./settings/definition.ts";
