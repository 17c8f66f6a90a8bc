import { makeAttempt, type Target } from "./attempt.ts";
import type { CheckContext } from "./check-context.ts";
import type { SpareToken } from "./credential.ts";
import type { Means } from "./diagnose/diagnose.ts";
import type { Attempt } from "./request.ts";

/** What a diagnosis of this check can do. `announce` and `observed` are called before and after each of its requests. */
export function meansOf(
  check: Target & { readonly spareToken: () => Promise<SpareToken> },
  context: CheckContext,
  announce: (message: string) => Promise<void>,
  observed: (made: Attempt) => Promise<void>,
): Omit<Means, "mayDiagnose"> {
  let { redact } = check;
  const orInterrupted = <Value>(promise: Promise<Value>): Promise<Value | null> =>
    promise.catch((error: unknown) => {
      if (error === context.interrupted.reason) return null;
      throw error;
    });
  return {
    async request(announcement, variant) {
      await announce(announcement);
      const made = await orInterrupted(makeAttempt({ ...check, redact }, variant, context));
      if (made !== null) await observed(made);
      return made;
    },
    async spareToken() {
      const spare = await orInterrupted(check.spareToken());
      // From here on a server can send the token back too.
      redact = spare?.redact ?? redact;
      return spare;
    },
    once(ask) {
      const { origin } = check.url;
      const answer = context.anonymous.get(origin) ?? ask();
      context.anonymous.set(origin, answer);
      return answer;
    },
  };
}
