// What every cause is read from, and what a cause and a rule are.

import type { Hints } from "../../settings/advice.ts";
import type { Fix } from "../../settings/fix.ts";
import type { Attempt } from "../check-context.ts";
import type { SentCredential } from "../credential.ts";
import type { Finding } from "../result.ts";

/** Everything that a cause can be read from. The outcome and the response are without secrets; the settings are not. */
export interface Evidence extends Pick<Attempt, "outcome" | "exchange" | "clock" | "redact"> {
  readonly credential: SentCredential;
  readonly baseUrl: URL;
  /** The address that --resolve gives; null without. */
  readonly address: string | null;
  readonly hints: Hints;
  /** Whether the credential may have been judged, and refused. */
  readonly isJudged: boolean;
  /** Why there was no further attempt although --retry allowed one; null if it did not, or if none was needed. */
  readonly notRetried: string | null;
  /** What further requests showed; empty without a diagnosis. */
  readonly diagnosed: readonly Finding<Fix>[];
}

/** The cause that gives an outcome its headline, and what to do. With an `id` it has evidence, whose sentence is `message`. */
export type Cause = { readonly headline: string } & Pick<Finding<Fix>, "fix"> & Partial<Finding<Fix>>;

/** Looks for one further cause, beside the one that gives the headline; null or false if it does not apply. Pure. */
export type Rule = (evidence: Evidence) => Finding<Fix> | null | false;

/** Whether a status, or a later response of the diagnosis, tells of a lock. Then nothing is advised that makes more attempts. */
export const isLocked = (evidence: Evidence): boolean =>
  evidence.exchange.response?.status === 423 || lockDiagnosed(evidence) !== undefined;

/** The lock of which a later response told. */
export const lockDiagnosed = ({ diagnosed }: Evidence): Finding<Fix> | undefined =>
  diagnosed.find(({ id }) => id === "account-locked");
