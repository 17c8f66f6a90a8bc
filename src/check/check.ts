// Makes one check: send, diagnose, explain.

import { describeError, endsTheRun } from "../describe-error.ts";
import { describeLength } from "../settings/secret.ts";
import { explain } from "./causes/explain.ts";
import type { Attempt, Check, CheckContext, Evidence } from "./check-context.ts";
import { secretOf } from "./credential.ts";
import { type CheckObserver, shownConnection, shownUrl } from "./observer.ts";
import { isJudgement, outcomes } from "./outcome.ts";
import type { CheckResult } from "./result.ts";
import { Sender } from "./sender.ts";
import type { NotSent } from "./turns.ts";

/** Makes one check and resolves with its result, even if a bug ended it. Rejects if the whole run ends: interrupted, or its output lost. */
export async function checkCredential(
  check: Check,
  context: CheckContext,
  observer: CheckObserver,
): Promise<CheckResult> {
  const sender = new Sender(check, context, observer);
  try {
    const first = await sender.first();
    if ("hint" in first) return checkNotSent(check, first, context.now());
    return explained(check, { ...first, ...(await diagnosisOf(check, first, sender)) }, sender);
  } catch (error) {
    if (endsTheRun(error) || error === context.interrupted.reason) throw error;
    const { attempts, began } = sender;
    return { ...failedCheck(check.profile, error, began), method: check.credential.method, attempts };
  }
}

/** The outcome of a check after its diagnosis, and what further requests showed. */
async function diagnosisOf(
  check: Check,
  first: Attempt,
  sender: Sender,
): Promise<Pick<Evidence, "outcome" | "diagnosed">> {
  if (!check.diagnose) return { outcome: first.outcome, diagnosed: [] };
  const { diagnosed } = await import("./diagnose/diagnose.ts");
  return diagnosed(check.credential, first, sender);
}

function explained(
  check: Check,
  known: Attempt & Pick<Evidence, "diagnosed">,
  { attempts, began, notRetried, redact }: Sender,
): CheckResult {
  const { baseUrl, credential, description, profile } = check;
  const { outcome, clock, exchange } = known;
  const { broken, trace } = exchange;
  const { durationMs, connection } = trace;
  // Not a copy: that would put the advice into words.
  return Object.assign(explain({ ...check, ...known, redact, notRetried }), {
    profile,
    method: credential.method,
    url: shownUrl(baseUrl, redact),
    credential: isJudgement(outcome)
      ? `${description}: ${describeLength(secretOf(credential))}`
      : description,
    attempts,
    checkedAt: new Date(began).toISOString(),
    durationMs,
    connection: shownConnection(connection, redact),
    outcome,
    // Of a head that was cut off nothing is shown: it breaks no rule.
    received: (broken?.problem && broken.received) || null,
    ...(check.address !== null && { resolved: check.address }),
    clock,
  });
}

/** The result of a check that a bug ended. It quotes neither settings nor response, since both can hold a secret. */
export const failedCheck = (profile: string | null, error: unknown, at: number): CheckResult =>
  unjudgedCheck(profile, "failed", describeError(error), at);

/** The result of a check without a judged response, made at this time. Its only finding says the same as its outcome. */
export function unjudgedCheck(
  profile: string | null,
  kind: "failed" | "not-checked",
  { message, hint }: { readonly message: string; readonly hint: string },
  at: number,
): CheckResult {
  return {
    profile,
    method: null,
    url: null,
    credential: null,
    attempts: 0,
    checkedAt: new Date(at).toISOString(),
    durationMs: 0,
    connection: null,
    received: null,
    outcome: { kind, message, hint },
    headline: message,
    clock: null,
    findings: [{ id: outcomes[kind].finding, certainty: "measured", message, fix: hint }],
    advice: [hint],
    alternatives: [],
    diagnosisRequests: null,
  };
}

function checkNotSent(check: Check, { message, hint }: NotSent, at: number): CheckResult {
  return {
    ...unjudgedCheck(check.profile, "not-checked", { message: `not sent: ${message}`, hint }, at),
    method: check.credential.method,
    url: shownUrl(check.baseUrl, check.redact),
    credential: check.description,
    outcome: { kind: "unavailable", response: null },
    findings: [{ id: "not-sent", certainty: "measured", message, fix: hint }],
  };
}
