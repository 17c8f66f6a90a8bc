import type { Step } from "../http/failure.ts";
import type { CheckResult } from "./result.ts";

/** Why there is no response. `code` is the operating system's, OpenSSL's or Node's name for it. */
export interface Failure {
  readonly step: Step;
  readonly code: string;
  readonly message: string;
}

/** The failure of a check without a response; null for every other check. */
export function failureOf({
  outcome,
  headline: message,
}: Pick<CheckResult, "outcome" | "headline">): Failure | null {
  if (outcome.kind === "unreachable") {
    const { step, code } = outcome.failure;
    return { step, code, message };
  }
  return outcome.kind === "timeout" ? { step: outcome.step, code: "ETIMEDOUT", message } : null;
}
