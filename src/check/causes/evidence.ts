import type { Exchange } from "../../http/exchange.ts";
import type { Redactor } from "../../redaction/redact.ts";
import type { Fix } from "../../settings/fix.ts";
import type { Credential } from "../credential.ts";
import type { Hints } from "../hints.ts";
import type { Outcome } from "../outcome.ts";
import type { ClockSkew, Finding, FindingId } from "../result.ts";

/** Everything that a cause can be read from. */
export interface Evidence {
  readonly outcome: Outcome;
  readonly exchange: Exchange;
  readonly clock: ClockSkew | null;
  readonly credential: Credential;
  readonly url: URL;
  readonly hints: Hints;
  /** Removes the known secrets from a text of the response or of a setting. The outcome is already redacted. */
  readonly redact: Redactor;
  readonly timeoutSeconds: number;
  /** Why there was no further attempt although --retry allowed one; null if it did not, or if none was needed. */
  readonly notRetried: string | null;
}

/** A cause whose finding says the headline: one sentence without a full stop. */
export interface Problem {
  readonly headline: string;
  readonly fix: Fix;
  readonly id?: never;
}

/** The cause that gives an outcome its headline. Its finding has the same fix. */
export type Cause = ({ readonly headline: string } & Finding<Fix>) | Problem;

/** Looks for one further cause, beside the one that gives the headline; null if it does not apply. Pure. */
export type Rule = (evidence: Evidence) => Finding<Fix> | null;

/** A finding that is read off the exchange, the settings or the credential's shape. */
export function measured(id: FindingId, message: string, fix: Fix): Finding<Fix> {
  return { id, certainty: "measured", message, fix };
}

/** A finding that is a possible explanation. */
export function possible(id: FindingId, message: string, fix: Fix): Finding<Fix> {
  return { id, certainty: "possible", message, fix };
}

/** Whether the response may be a refusal of the credential. */
export function mayBeRefused({ outcome }: Evidence): boolean {
  return (
    outcome.kind === "rejected" ||
    (outcome.kind === "unexpected" && [400, 401, 403].includes(outcome.response?.status ?? 0))
  );
}
