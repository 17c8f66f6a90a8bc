import type { Fix } from "../../settings/fix.ts";
import { type Attempt, makeAttempt, type Target } from "../attempt.ts";
import type { CheckContext } from "../check-context.ts";
import { isRefusal, type Outcome } from "../outcome.ts";
import type { Finding } from "../result.ts";
import { nothingToTry } from "./conclusions.ts";
import { type DiagnosisInput, type DiagnosisObserver, diagnose, orInterrupted } from "./diagnose.ts";

/** What --diagnose makes of an outcome. */
export interface Diagnosed {
  readonly outcome: Outcome;
  readonly findings?: readonly Finding<Fix>[];
}

/** Makes further requests after an acceptance or a refusal. `mayDiagnose` resolves with whether to diagnose a refusal. */
export async function diagnosed(
  check: DiagnosisInput,
  made: Attempt,
  context: CheckContext,
  observer: DiagnosisObserver,
  mayDiagnose: () => Promise<boolean>,
): Promise<Diagnosed> {
  const { outcome } = made;
  if (outcome.kind === "accepted") {
    const { response } = outcome;
    return (await acceptsAnybody(check, context, observer))
      ? { outcome: { kind: "unexpected", response, reason: { kind: "no-authentication" } } }
      : { outcome };
  }
  if (!isRefusal(outcome)) return { outcome, findings: [nothingToTry] };
  if (!(await mayDiagnose())) return { outcome };
  return { outcome, findings: await diagnose(check, made, context, observer) };
}

/**
 * Whether the server of an accepted request accepts one without credentials as well, which a cache did not answer. It is
 * asked once for each origin in the run; all accepted checks of that origin wait for the answer. False after an interruption.
 */
function acceptsAnybody(
  target: Target,
  context: CheckContext,
  observer: DiagnosisObserver,
): Promise<boolean> {
  const { origin } = target.url;
  const answer = context.anonymous.get(origin) ?? ask(target, context, observer);
  context.anonymous.set(origin, answer);
  return answer;
}

async function ask(target: Target, context: CheckContext, observer: DiagnosisObserver): Promise<boolean> {
  await observer.announce(
    "diagnosis, request 1 of at most 1: without credentials, to see whether the server checks them; it may count as a failed login",
  );
  const made = await orInterrupted(makeAttempt(target, null, context), context);
  if (made === null) return false;
  await observer.observed(made);
  return made.outcome.kind === "accepted";
}
