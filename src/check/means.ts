import type { Target } from "../http/send.ts";
import type { Redactor } from "../redaction/redact.ts";
import { longestText, makeAttempt } from "./attempt.ts";
import { type CheckContext, randomFraction, routeKey } from "./check-context.ts";
import { type SpareToken, secretsOf } from "./credential.ts";
import type { Means } from "./diagnose/diagnose.ts";
import type { Attempt } from "./request.ts";

/** What a diagnosis of this check can do. `announce` and `observed` are called before and after each of its requests. */
export function meansOf(
  check: Target & { readonly redact: Redactor; readonly spareToken: () => Promise<SpareToken> },
  context: CheckContext,
  announce: (message: string) => Promise<void>,
  observed: (made: Attempt) => Promise<void>,
): Pick<Means, "random" | "request" | "spareToken" | "once"> {
  let { redact } = check;
  const orInterrupted = <Value>(promise: Promise<Value>): Promise<Value | null> =>
    promise.catch((error: unknown) => {
      if (error === context.interrupted.reason) return null;
      throw error;
    });
  return {
    random: () => randomFraction(context),
    async request(announcement, variant) {
      await announce(announcement);
      const made = await orInterrupted(makeAttempt(check, variant, redact, context));
      if (made === null) return null;
      redact = made.redact;
      await observed(made);
      return made;
    },
    async spareToken() {
      const spare = await orInterrupted(check.spareToken());
      // From here on a server can send the token back too.
      if (spare?.token) redact = redact.and(secretsOf({ method: "token", token: spare.token }), longestText);
      return spare;
    },
    once(ask) {
      const key = routeKey(check);
      const answer = context.anonymous.get(key) ?? ask();
      context.anonymous.set(key, answer);
      return answer;
    },
  };
}
