import { type Attempt, makeAttempt, type Target } from "./attempt.ts";
import type { CheckContext } from "./check-context.ts";
import type { DiagnosisObserver } from "./diagnose.ts";

/**
 * Whether the server of an accepted request accepts one without credentials as well, which a cache did not answer. It is
 * asked once for each origin in the run; all accepted checks of that origin wait for the answer. False after an interruption.
 */
export async function acceptsAnybody(
  target: Target,
  context: CheckContext,
  observer: DiagnosisObserver,
): Promise<boolean> {
  const { origin } = target.url;
  let answer = context.anonymous.get(origin);
  if (answer === undefined) {
    answer = ask(target, context, observer);
    context.anonymous.set(origin, answer);
  }
  return answer;
}

async function ask(target: Target, context: CheckContext, observer: DiagnosisObserver): Promise<boolean> {
  await observer.announce(
    "diagnosis, request 1 of at most 1: without credentials, to see whether the server checks them; it may count as a failed login",
  );
  let made: Attempt;
  try {
    made = await makeAttempt(target, null, context);
  } catch (error) {
    if (error !== context.interrupted.reason) throw error;
    return false;
  }
  await observer.observed(made);
  return made.outcome.kind === "accepted";
}
