import type { Exchange } from "../../http/exchange.ts";
import type { Redactor } from "../../redaction/redact.ts";
import type { Advice } from "../../settings/advice.ts";
import type { Credential } from "../credential.ts";
import type { ClockSkew, Finding, Outcome, RuleId } from "../outcome.ts";

/** A value of a higher level that hides another one of a lower level. */
interface Hidden {
  readonly by: string;
  readonly place: string;
}

/** What is known of the settings that is worth a remark, without any secret in it. */
export interface Hints extends Advice {
  /** The base URL ended in /test-authentication already. */
  readonly suffixGiven: boolean;
  /** Environment variables that hide a different value of the rc file. */
  readonly hidden: readonly Hidden[];
  /** The hosts of other base URLs that are set somewhere. */
  readonly otherHosts: readonly string[];
  /** The line of the rc file in which a # cuts the credential, because YAML reads a comment there. */
  readonly yamlComment: { readonly line: number } | null;
}

/** Everything that findings are drawn from. */
export interface Evidence {
  readonly outcome: Outcome;
  readonly exchange: Exchange;
  readonly clock: ClockSkew | null;
  readonly credential: Credential;
  readonly url: URL;
  readonly proxy: URL | null;
  readonly hints: Hints;
  /** Takes the known secrets out of a text of the answer or of a setting. The outcome has passed through it. */
  readonly redact: Redactor;
  /** The deadline of a request. */
  readonly timeoutSeconds: number;
  /** How many attempts were asked for and not made. */
  readonly retriesLeft: number;
}

/** What a rule finds. */
export interface RuleFinding extends Finding {
  readonly id: RuleId;
}

/** Draws one finding from the evidence, or null. Pure. */
export type Rule = (evidence: Evidence) => RuleFinding | null;
