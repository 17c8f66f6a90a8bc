import type { Outcome } from "../check/outcome.ts";
import { explain } from "./sentences.ts";

/** The step at which a check got no answer, the system's code for it, and a sentence. */
interface Failure {
  readonly step: string;
  readonly code: string;
  readonly message: string;
}

/** What kept the answer of an `unreachable` or `timeout` check away; null for any other outcome. */
export function failureOf(outcome: Outcome): Failure | null {
  const { headline: message } = explain(outcome);
  if (outcome.kind === "timeout") {
    const isResponse = outcome.phase === "headers" || outcome.phase === "body";
    return { step: isResponse ? "response" : outcome.phase, code: "ETIMEDOUT", message };
  }
  if (outcome.kind !== "unreachable") return null;
  const { kind, code } = outcome.failure;
  return { step: kind === "closed" ? "response" : kind, code, message };
}
