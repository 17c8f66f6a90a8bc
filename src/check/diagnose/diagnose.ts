import { isDeepStrictEqual } from "node:util";
import { headerValue } from "../../http/exchange.ts";
import type { Fix } from "../../settings/fix.ts";
import { type Attempt, makeAttempt, type Target } from "../attempt.ts";
import type { CheckContext } from "../check-context.ts";
import type { Credential, SpareToken } from "../credential.ts";
import { isRefusal } from "../outcome.ts";
import type { Finding } from "../result.ts";
import { type Change, type Variant, withoutCredential } from "./changes.ts";
import {
  ending,
  headerIgnored,
  inconsistent,
  isLockOut,
  nothingProved,
  notTried,
  proved,
  stopped,
  triedInWords,
  withoutControl,
} from "./conclusions.ts";
import { type Experiment, experimentsFor } from "./experiments.ts";
import { requestLimit } from "./request-limit.ts";
import { type Answer, simplified } from "./simplify.ts";

/** What a diagnosis needs of the check whose credential was refused. */
export interface DiagnosisInput extends Target {
  readonly credential: Credential;
  /** Reads it. Call this only when a diagnosis begins: it may read a file or run a command. It never rejects for an invalid setting. */
  readonly spareToken: () => Promise<SpareToken>;
}

/** Is called before and after each request of a diagnosis. */
export interface DiagnosisObserver {
  announce(message: string): Promise<void>;
  observed(made: Attempt): Promise<void>;
}

/** How often the first request is made again before anything is proved. Once would not tell two servers that take turns. */
const controls = 2;

/** The most requests that these experiments, the control and the search for the changes that are needed can take. */
export function requestsOf(experiments: readonly Experiment[]): number {
  const size = Math.max(...experiments.map(({ tried, kept }) => tried.length + kept.length));
  // Each of n changes is left out, then each of n - 1, down to two.
  const simpler = (size * (size + 1)) / 2 - 1;
  return Math.min(requestLimit, experiments.length + controls + simpler);
}

/** What a client can see of a response; null if there is none. */
function visible({ exchange }: Attempt) {
  if (exchange.kind !== "response") return null;
  const { status, body } = exchange.response;
  return { status, body, type: headerValue(exchange.response, "content-type") };
}

const interrupted = "the run was interrupted";

/** The value of a promise; null if the run is interrupted first. */
export async function orInterrupted<Value>(
  promise: Promise<Value>,
  context: CheckContext,
): Promise<Value | null> {
  try {
    return await promise;
  } catch (error) {
    if (error !== context.interrupted.reason) throw error;
    return null;
  }
}

/**
 * Makes the experiments for a refused credential, one at a time, and announces each. It stops when one is accepted, or when
 * the API no longer answers as before, or the run is interrupted. Resolves with what this proves or rules out.
 */
export async function diagnose(
  refused: DiagnosisInput,
  first: Attempt,
  context: CheckContext,
  observer: DiagnosisObserver,
): Promise<readonly Finding<Fix>[]> {
  const { credential } = refused;
  const spare = await orInterrupted(refused.spareToken(), context);
  if (spare === null) return [stopped(interrupted, "", true)];
  const { token: spareToken, problem, redact } = spare;
  const target: Target = { ...refused, redact };
  const remarks = problem === null ? [] : [notTried(problem)];
  const experiments = experimentsFor({
    credential,
    spareToken,
    clock: first.clock,
  });
  const most = requestsOf(experiments);
  let count = 0;

  async function request(announcement: string, changes: readonly Change[]) {
    count += 1;
    const cost = count === 1 ? "; each request may count as a failed login" : "";
    await observer.announce(`diagnosis, request ${count} of at most ${most}: ${announcement}${cost}`);
    const variant = changes.reduce<Variant>((one, { apply }) => apply(one), { credential, shiftSeconds: 0 });
    const attempt = makeAttempt(target, variant.credential, context, variant.shiftSeconds);
    const made = await orInterrupted(attempt, context);
    if (made === null) return { made, answer: { otherwise: interrupted } };
    await observer.observed(made);
    return { made, answer: answerOf(announcement, made, first) };
  }

  async function conclusion(
    changes: readonly Change[],
    known: readonly (readonly Change[])[],
  ): Promise<Finding<Fix>> {
    for (let made = 1; made <= controls; made += 1) {
      const { answer } = await request(`control ${made} of ${controls}, the first request again`, []);
      if (answer === "accepted") return inconsistent;
      if (answer !== "refused") return withoutControl(changes, answer.otherwise);
    }
    const needed = await simplified(changes, known, async (announcement, fewer) =>
      count === requestLimit ? null : (await request(announcement, fewer)).answer,
    );
    return proved(needed, count);
  }

  let isAlike = false;
  const excluded: Change[] = [];
  const known: (readonly Change[])[] = [[]];
  const isApi = first.outcome.kind === "rejected";
  const ended = (end: Finding<Fix>) => [end, ...(isAlike ? [headerIgnored] : []), ...remarks];
  for (const { tried, kept } of experiments) {
    const changes = [...tried, ...kept];
    const { made, answer } = await request(
      tried.map(({ announcement }) => announcement).join(" and "),
      changes,
    );
    if (answer === "accepted") return [await conclusion(changes, known), ...remarks];
    const isBare = tried.includes(withoutCredential);
    if (answer === "refused") known.push(changes);
    else if (made === null || !isBare || isLockOut(made, first)) {
      return ended(
        stopped(answer.otherwise, triedInWords(excluded, isApi && !isAlike, false), made === null),
      );
    }
    if (isBare && made !== null && isDeepStrictEqual(visible(first), visible(made))) isAlike = true;
    // Another answer without credentials shows that the header arrives; a failure shows nothing.
    else if (answer === "refused" || made?.outcome.kind === "unexpected") {
      excluded.push(...tried);
    }
  }
  return ended(nothingProved(triedInWords(excluded, isApi && !isAlike, true), isApi, credential.method));
}

function answerOf(announcement: string, made: Attempt, first: Attempt): Answer {
  if (made.outcome.kind === "accepted") return "accepted";
  const isRefused = isRefusal(made.outcome) && !isLockOut(made, first);
  return isRefused ? "refused" : { otherwise: ending(announcement, made) };
}
