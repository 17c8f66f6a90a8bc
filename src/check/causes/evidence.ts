import type { Exchange } from "../../http/exchange.ts";
import type { Redactor } from "../../redaction/redact.ts";
import type { Advice } from "../../settings/advice.ts";
import type { Fix } from "../../settings/fix.ts";
import type { SettingName } from "../../settings/table.ts";
import type { Credential } from "../credential.ts";
import type { ClockSkew, Finding, FindingId, Method, Outcome } from "../outcome.ts";

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
  /** The places in an rc file found in the working tree that set the digest, hash or Authorization field of a credential of yours. */
  readonly setByFoundFile: readonly string[];
  /** The hosts of all base URLs that are set anywhere. */
  readonly otherHosts: readonly string[];
}

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
  /** Why there was no further attempt although --retry allowed one; null if it did not, or if none was needed. */
  readonly notRetried: string | null;
}

/**
 * The cause that gives an outcome its headline: one sentence without a full stop. Its finding has the same fix. Without
 * `id`, `certainty` and `message`, the finding says the headline.
 */
export type Cause =
  | ({ readonly headline: string } & Finding<Fix>)
  | { readonly headline: string; readonly fix: Fix; readonly id?: never };

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

/** The settings that hold the parts of a credential. */
export const partsOf = {
  token: ["token"],
  wsse: ["username", "secret"],
} as const satisfies Record<Method, readonly SettingName[]>;

/** Whether the response may be a refusal of the credential. */
export function mayBeRefused({ outcome }: Evidence): boolean {
  return (
    outcome.kind === "rejected" ||
    (outcome.kind === "unexpected" && [400, 401, 403].includes(outcome.response?.status ?? 0))
  );
}
