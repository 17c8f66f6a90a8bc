import { type Attempt, attempt, type Target } from "./attempt.ts";
import type { CheckContext } from "./check-context.ts";
import type { Credential, WrappedSecret } from "./credential.ts";
import { type Experiment, experimentsFor } from "./experiments.ts";
import { type Finding, responseOf } from "./outcome.ts";

/** The check whose credential was refused. */
export interface RefusedCheck extends Target {
  readonly credential: Credential;
  /** A token that is set beside a WSSE secret, to be tried in its place. */
  readonly spareToken: WrappedSecret | null;
}

/** Who is told before and after each experiment. */
export interface DiagnosisObserver {
  announce(message: string): Promise<void>;
  observed(made: Attempt): Promise<void>;
}

/** Whether two refusals are the same as far as a client can see: status, type and body. */
function sameAnswer(one: Attempt, other: Attempt): boolean {
  if (one.exchange.kind !== "response" || other.exchange.kind !== "response") return false;
  const [first, second] = [responseOf(one.outcome), responseOf(other.outcome)];
  const sameBody = Buffer.compare(one.exchange.response.body, other.exchange.response.body) === 0;
  return sameBody && first?.status === second?.status && first?.contentType === second?.contentType;
}

const headerIgnored: Finding = {
  id: "header-ignored",
  certainty: "proved",
  message:
    "the answer without credentials is the same: the header does not arrive, is not looked at, or the API answers all refusals alike",
  fix: "Check whether a gateway or proxy in front of the API removes X-WSSE or X-Auth-Token",
};

function ruledOut(excluded: readonly string[]): Finding {
  const list = [...new Set(excluded)];
  const last = list.pop();
  return {
    id: "ruled-out",
    certainty: "measured",
    message: `ruled out by experiment: ${list.length === 0 ? last : `${list.join(", ")} and ${last}`}`,
    fix: "Compare the credential with what the account shows, and ask whether the account is active",
  };
}

/**
 * Makes the experiments for a refused credential, one at a time and each announced, until one is accepted or the API no
 * longer answers as before. Resolves with what that proves or rules out; rejects only when the run was interrupted.
 */
export async function diagnose(
  refused: RefusedCheck,
  first: Attempt,
  context: CheckContext,
  observer: DiagnosisObserver,
): Promise<readonly Finding[]> {
  const experiments = experimentsFor(refused.credential, refused.spareToken, first);
  let ignored = false;
  const excluded: string[] = [];
  for (const [index, experiment] of experiments.entries()) {
    await observer.announce(
      `diagnosis, request ${index + 1} of at most ${experiments.length}: ${experiment.announcement}`,
    );
    const made = await attempt(refused, experiment.credential, context, experiment.shiftSeconds);
    await observer.observed(made);
    // Whatever is accepted shows that the header arrives, so nothing said before it counts.
    if (made.outcome.kind === "accepted") return [{ ...experiment.proof, certainty: "proved" }];
    if (made.outcome.kind !== "rejected" && experiment.credential !== null)
      return [stopped(made, experiment)];
    if (experiment.credential === null && sameAnswer(first, made)) ignored = true;
    else excluded.push(experiment.excluded);
  }
  // Where the header does not arrive, the other experiments have shown nothing.
  return ignored ? [headerIgnored] : [ruledOut(excluded)];
}

function stopped({ outcome }: Attempt, { announcement }: Experiment): Finding {
  return {
    id: "diagnosis-stopped",
    certainty: "measured",
    message: `diagnosis ended early: the request "${announcement}" ended as ${outcome.kind}`,
    fix: "Wait a while and run it again: the API may limit failed logins",
  };
}
