import { isDeepStrictEqual } from "node:util";
import { headerValue } from "../http/exchange.ts";
import type { Redactor } from "../redaction/redact.ts";
import type { Advice } from "../settings/advice.ts";
import { type Attempt, attempt, type Target } from "./attempt.ts";
import type { CheckContext } from "./check-context.ts";
import type { Credential, WrappedSecret } from "./credential.ts";
import { type Experiment, experimentsFor, requestsOf } from "./experiments.ts";
import type { Finding } from "./outcome.ts";

/** A token that is set beside a WSSE secret, to be tried in its place; null if there is none or if it cannot be read. */
export interface SpareToken {
  readonly token: WrappedSecret | null;
  /** Why it cannot be read. */
  readonly problem: string | null;
  /** Removes the token as well as the other secrets of the account. */
  readonly redact: Redactor;
}

/** What a diagnosis needs of the check whose credential was refused. */
export interface DiagnosisInput extends Target {
  readonly credential: Credential;
  /** Reads it. Call this only when a diagnosis begins: it may read a file or run a command. It never rejects for an invalid setting. */
  readonly spareToken: () => Promise<SpareToken>;
  /** Where the settings are set. */
  readonly hints: Advice;
}

/** Is called before and after the request of each experiment. */
export interface DiagnosisObserver {
  announce(message: string): Promise<void>;
  observed(made: Attempt): Promise<void>;
}

/** What a client can see of a response; null if there is none. */
function visible({ exchange }: Attempt) {
  if (exchange.kind !== "response") return null;
  const { status, body } = exchange.response;
  return { status, body, type: headerValue(exchange.response, "content-type") };
}

// Two possible explanations: the API answers all refusals alike, which is common, or the header does not arrive.
const headerIgnored: Finding = {
  id: "header-ignored",
  certainty: "possible",
  message:
    "the response without credentials is the same: the API may answer all refusals alike, or may not receive the header",
  fix: "If the credential is right, check whether a gateway or proxy in front of the API removes the header",
};

function listed(words: readonly string[]): string {
  return [...new Set(words)].join(", ").replace(/, ([^,]*)$/, " and $1");
}

// If the header may not arrive, a refusal rules nothing out.
function tried(excluded: readonly string[], ignored: boolean): string {
  return excluded.length === 0 ? "" : `${ignored ? "refused as well" : "ruled out"}: ${listed(excluded)}`;
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
): Promise<readonly Finding[]> {
  const { credential, hints: advice } = refused;
  const { token: spareToken, redact } = await refused.spareToken();
  const target: Target = { ...refused, redact };
  const experiments = experimentsFor({ credential, spareToken, clock: first.clock, advice });
  const most = requestsOf(experiments);
  let count = 0;
  /** Resolves with null if the run is interrupted. */
  const request = async (experiment: Experiment): Promise<Attempt | null> => {
    count += 1;
    await observer.announce(`diagnosis, request ${count} of at most ${most}: ${experiment.announcement}`);
    const made = await attempt(target, experiment.credential, context, experiment.shiftSeconds).catch(
      (error: unknown) => {
        if (error !== context.interrupted.reason) throw error;
        return null;
      },
    );
    if (made !== null) await observer.observed(made);
    return made;
  };
  const simplest = async (accepted: Experiment): Promise<Experiment> => {
    for (const simpler of accepted.simpler) {
      const made = await request(simpler);
      if (made === null) break;
      if (made.outcome.kind === "accepted") return simplest(simpler);
    }
    return accepted;
  };
  let ignored = false;
  const excluded: string[] = [];
  const ended = (end: Finding): readonly Finding[] => (ignored ? [end, headerIgnored] : [end]);
  for (const experiment of experiments) {
    const made = await request(experiment);
    if (made === null) return ended(interrupted(tried(excluded, ignored)));
    const { kind } = made.outcome;
    if (kind === "accepted") {
      const { proof } = await simplest(experiment);
      return [{ ...proof, certainty: "proved" }];
    }
    if (experiment.credential !== null && kind !== "rejected") return [stopped(made, experiment)];
    if (experiment.credential === null && isDeepStrictEqual(visible(first), visible(made))) ignored = true;
    // Without a response, nothing is known about the header.
    else if (kind === "rejected" || kind === "unexpected") excluded.push(experiment.excluded);
  }
  return ended(nothingProved(tried(excluded, ignored)));
}

function nothingProved(tried: string): Finding {
  return {
    id: "ruled-out",
    certainty: "measured",
    message: `${tried || "nothing was accepted"}; the credential itself may be wrong`,
    fix: "Compare the credential with what the account shows, and ask whether the account is active",
  };
}

function interrupted(tried: string): Finding {
  return {
    id: "diagnosis-stopped",
    certainty: "measured",
    message: `diagnosis ended early: the run was interrupted${tried && `; so far ${tried}`}`,
    fix: "Run it again to finish the diagnosis",
  };
}

function stopped({ outcome }: Attempt, { announcement }: Experiment): Finding {
  return {
    id: "diagnosis-stopped",
    certainty: "measured",
    message: `diagnosis ended early: the request "${announcement}" ended as ${outcome.kind}`,
    fix: "Wait a while and run it again: the API may limit failed logins",
  };
}
