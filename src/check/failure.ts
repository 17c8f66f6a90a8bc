import type { TransportFailure } from "../http/failure.ts";
import type { CheckResult } from "./outcome.ts";

/** The step at which a request failed. */
type FailedStep = "lookup" | "connect" | "proxy" | "tls" | "request" | "response";

/** Why there is no response. `code` is the operating system's, OpenSSL's or Node's name for it. */
export interface Failure {
  readonly step: FailedStep;
  readonly code: string;
  readonly message: string;
}

// A connection that is closed early counts as a failed response, unless writing the request failed.
function failedStep(failure: TransportFailure): FailedStep {
  if (failure.kind !== "closed") return failure.kind;
  return failure.code === "EPIPE" ? "request" : "response";
}

/** The failure of a check without a response; null for every other check. */
export function failureOf({
  outcome,
  headline: message,
}: Pick<CheckResult, "outcome" | "headline">): Failure | null {
  if (outcome.kind === "unreachable") {
    const { failure } = outcome;
    return { step: failedStep(failure), code: failure.code, message };
  }
  if (outcome.kind !== "timeout") return null;
  const { phase } = outcome;
  const step = phase === "headers" || phase === "body" ? "response" : phase;
  return { step, code: "ETIMEDOUT", message };
}
