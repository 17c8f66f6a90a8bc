import type { Exchange } from "../../http/exchange.ts";
import type { Redactor } from "../../redaction/redact.ts";
import type { Advice } from "../../settings/advice.ts";
import type { Credential } from "../credential.ts";
import type { ClockSkew, Finding, Outcome, RuleId } from "../outcome.ts";

/** A setting that hides another value of a lower level: the variable that hides it, and the place of the hidden value. */
interface Hidden {
  readonly by: string;
  readonly place: string;
}

/** Facts about the settings, without secrets. */
export interface Hints extends Advice {
  /** Whether the base URL already ends in /test-authentication. */
  readonly suffixGiven: boolean;
  /** Environment variables that hide a different value in the rc file. */
  readonly hidden: readonly Hidden[];
  /** The places of parts that may be cut: in a YAML file, the value has no quotes and a comment follows it. */
  readonly cutByComment: readonly string[];
  /** The hosts of all base URLs that are set anywhere. */
  readonly otherHosts: readonly string[];
}

/** The input of all rules. */
export interface Evidence {
  readonly outcome: Outcome;
  readonly exchange: Exchange;
  readonly clock: ClockSkew | null;
  readonly credential: Credential;
  readonly url: URL;
  readonly proxy: URL | null;
  readonly hints: Hints;
  /** Removes the known secrets from a text of the response or of a setting. The outcome is already redacted. */
  readonly redact: Redactor;
  /** The deadline of one request. */
  readonly timeoutSeconds: number;
  /** The number of attempts that --retry allowed and that were not made. */
  readonly retriesLeft: number;
}

/** Draws one finding from the evidence, or null. Pure. */
export type Rule = (evidence: Evidence) => Finding | null;

/** A finding that is read off the exchange, the settings or the credential's shape. */
export function measured(id: RuleId, message: string, fix: string): Finding {
  return { id, certainty: "measured", message, fix };
}

/** A finding that is a possible explanation. */
export function possible(id: RuleId, message: string, fix: string): Finding {
  return { id, certainty: "possible", message, fix };
}
