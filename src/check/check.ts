import { describeError, endsTheRun } from "../describe-error.ts";
import type { Route } from "../http/send.ts";
import type { Redactor } from "../redaction/redact.ts";
import type { Hints } from "../settings/advice.ts";
import type { Secret } from "../settings/secret.ts";
import { durationInWords } from "../words.ts";
import { makeAttempt, meansOf, type NextAttempt, nextAttempt } from "./attempt.ts";
import { explain } from "./causes/explain.ts";
import { type Attempt, type CheckContext, type NotSent, randomFraction } from "./check-context.ts";
import { type SentCredential, secretInWords } from "./credential.ts";
import type { Diagnosis } from "./diagnose/diagnose.ts";
import { type CheckObserver, shownConnection, shownUrl } from "./observer.ts";
import { isJudgement, outcomes } from "./outcome.ts";
import type { CheckResult } from "./result.ts";

/** One credential to check, and how. */
export interface Check extends Route {
  readonly credential: SentCredential;
  /** Its name as it may be shown. */
  readonly profile: string | null;
  /** The credential and the place where it is set, in words and without the secret. */
  readonly description: string;
  readonly retries: number;
  readonly hints: Hints;
  /** Removes the known secrets from a text that others wrote. */
  readonly redact: Redactor;
  /** Whether to make further requests to find out why the credential is refused. */
  readonly diagnose: boolean;
  /** Reads the token that a diagnosis may try as the secret: from a file or a command, if need be. Null if that is not possible. */
  readonly spareToken: () => Promise<Secret | null>;
}

/** How far a check came. `began` is when its last attempt did, in milliseconds since the epoch. */
interface Progress {
  attempts: number;
  began: number;
}

/**
 * Makes one check and resolves with its result, even if a bug ended it. Rejects only if the whole run ends: after an
 * interruption, or if its output is lost.
 */
export async function checkCredential(
  check: Check,
  context: CheckContext,
  observer: CheckObserver,
): Promise<CheckResult> {
  const progress: Progress = { attempts: 0, began: context.now() };
  try {
    return await examine(check, context, observer, progress);
  } catch (error) {
    if (endsTheRun(error) || error === context.interrupted.reason) throw error;
    return {
      ...failedCheck(check.profile, error, progress.began),
      method: check.credential.method,
      attempts: progress.attempts,
    };
  }
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
    outcome: { kind, message, hint },
    headline: message,
    clock: null,
    findings: [{ id: outcomes[kind].finding, certainty: "measured", message, fix: hint }],
    text: { evidence: null, advice: [hint], or: [], diagnosis: null },
  };
}

const notRetried = ({ message }: NotSent) => ({ kind: "none", because: `not retried: ${message}` }) as const;

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

async function examine(
  check: Check,
  context: CheckContext,
  observer: CheckObserver,
  progress: Progress,
): Promise<CheckResult> {
  const { credential, baseUrl, profile } = check;
  // Several checks write their lines at the same time, so each line names its check.
  const name = profile === null ? credential.method : `${credential.method} of ${profile}`;
  const announce = (message: string): Promise<void> => observer.announce(`${name}: ${message}`);
  const observed = (one: Attempt): Promise<void> => observer.observed(one.record);
  let { redact } = check;
  let made: Attempt | null = null;
  let next: NextAttempt;
  for (;;) {
    const make = () => {
      progress.began = context.now();
      return makeAttempt(check, { credential, shiftSeconds: 0 }, redact, context);
    };
    const isLast = progress.attempts >= check.retries;
    const sent = await context.admission.admitted(baseUrl.origin, make, isLast);
    if (!("outcome" in sent)) {
      if (made === null) return checkNotSent(check, sent, context.now());
      next = notRetried(sent);
      break;
    }
    made = sent;
    ({ redact } = made);
    const attempts = ++progress.attempts;
    await observed(made);
    next = nextAttempt(
      { made: attempts, retries: check.retries, maxWaitSeconds: context.maxWaitSeconds },
      made.outcome,
      () => randomFraction(context),
    );
    const refusal = context.admission.refusal(baseUrl.origin);
    if (next.kind === "after" && refusal !== null) next = notRetried(refusal);
    if (next.kind === "none") break;
    const { seconds } = next;
    await observer.retrying(
      `${name}: attempt ${attempts} ended as ${made.outcome.kind}; trying again in ${durationInWords(Number(seconds.toFixed(1)))}`,
    );
    await context.wait(seconds * 1000);
  }
  let diagnosis: Diagnosis = { outcome: made.outcome, findings: [] };
  if (check.diagnose) {
    const { diagnosed } = await import("./diagnose/diagnose.ts");
    const means = meansOf({ ...check, redact }, context, announce, observed);
    diagnosis = await diagnosed(credential, made, {
      ...means,
      mayDiagnose: () => observer.mayDiagnose(),
      announceCost: (cost) => observer.announceCost(`${name}: ${cost}`),
    });
  }
  const { outcome, findings: diagnosed } = diagnosis;
  const explained = explain({ ...check, ...made, outcome, notRetried: next.because, diagnosed });
  return {
    profile,
    method: credential.method,
    url: shownUrl(baseUrl, redact),
    credential: isJudgement(outcome)
      ? `${check.description}: ${secretInWords(credential)}`
      : check.description,
    attempts: progress.attempts,
    checkedAt: new Date(progress.began).toISOString(),
    durationMs: made.exchange.trace.durationMs,
    connection: shownConnection(made.exchange.trace.connection, redact),
    outcome,
    ...explained,
    ...(check.address !== null && { resolved: check.address }),
    clock: made.clock,
  };
}
