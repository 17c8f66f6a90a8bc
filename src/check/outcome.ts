import type { Phase } from "../http/exchange.ts";
import type { TransportFailure } from "../http/failure.ts";

/** The two ways in which a request can be authenticated (specification, section 5). */
export const methods = ["token", "wsse"] as const;
/** How a request is authenticated: by the token or by WSSE. */
export type Method = (typeof methods)[number];

/**
 * What was answered, as far as it is shown. `code` and `message` are the fields that the specification names
 * (section 2); null where they are absent or of another type.
 */
export interface ApiResponse {
  readonly status: number;
  /** The media type without parameters, in lower case. */
  readonly contentType: string | null;
  readonly code: number | null;
  readonly message: string | null;
}

/** Why an answer is not this API's. Each kind has its sentence in the report. */
export type UnexpectedReason =
  | { readonly kind: "malformed"; readonly problem: string }
  | { readonly kind: "too-large" }
  | { readonly kind: "encoded"; readonly encoding: string }
  | { readonly kind: "redirect" }
  | { readonly kind: "web-page"; readonly title: string | null }
  | { readonly kind: "foreign-challenge"; readonly scheme: string }
  /** A refusal that anybody could have written; `shown` is what it consists of, as a part of a sentence. */
  | { readonly kind: "no-evidence"; readonly shown: string }
  /** Status 200 with another code in the body. */
  | { readonly kind: "contradiction"; readonly code: number }
  | { readonly kind: "not-found" }
  | { readonly kind: "status" }
  | { readonly kind: "empty" }
  | { readonly kind: "not-json" }
  | { readonly kind: "wrong-shape"; readonly problem: string };

/** What one check found. Every consumer switches on `kind`, so a new kind does not compile until all handle it. */
export type Outcome =
  | { readonly kind: "accepted"; readonly response: ApiResponse }
  | { readonly kind: "rejected"; readonly response: ApiResponse }
  | {
      readonly kind: "unavailable";
      readonly response: ApiResponse;
      readonly retryAfterSeconds: number | null;
    }
  | { readonly kind: "unexpected"; readonly response: ApiResponse | null; readonly reason: UnexpectedReason }
  | { readonly kind: "unreachable"; readonly failure: TransportFailure }
  | { readonly kind: "timeout"; readonly phase: Phase; readonly seconds: number }
  | { readonly kind: "not-checked"; readonly message: string; readonly hint: string }
  /** A bug ended the check; the message has its class and place. */
  | { readonly kind: "failed"; readonly message: string; readonly hint: string };

/** The answer of an outcome, or null where there was none. */
export function responseOf(outcome: Outcome): ApiResponse | null {
  return "response" in outcome ? outcome.response : null;
}

/** How sure a finding is: an experiment showed it, it was read off the exchange, or it would explain what was seen. */
export type Certainty = "proved" | "measured" | "possible";

/** What the rules find in one exchange (src/check/findings). */
export type RuleId =
  | "clock-ahead"
  | "clock-behind"
  | "certificate-expired"
  | "certificate-not-yet-valid"
  | "certificate-host"
  | "certificate-self-signed"
  | "certificate-unknown-ca"
  | "not-tls"
  | "proxy-refused"
  | "proxy-unreachable"
  | "misspelt-host"
  | "credential-placeholder"
  | "credential-quoted"
  | "credential-prefix"
  | "credential-assignment"
  | "yaml-comment"
  | "username-secret-swapped"
  | "hidden-setting"
  | "white-space"
  | "token-shape"
  | "secret-looks-like-token"
  | "nonce-shape"
  | "username-shape"
  | "web-page"
  | "redirect-host"
  | "redirect-https"
  | "redirect-path"
  | "gateway-challenge"
  | "no-evidence"
  | "contradiction"
  | "rate-limit"
  | "not-retried"
  | "blocked"
  | "not-found"
  | "base-url-suffix"
  | "unusual-headers";

/** What diagnosis finds by further requests. */
type DiagnosisId =
  | "no-authentication"
  | "clock"
  | "credential-cleaned"
  | "token-is-secret"
  | "authorization"
  | "digest-convention"
  | "header-ignored"
  | "ruled-out"
  | "diagnosis-stopped";

/** What is found where nothing explains the outcome: the outcome itself. */
type OutcomeId = "rejected" | "unavailable" | "unexpected" | "unreachable" | "timeout";

/** Every id of a finding; `settings` is that of a check that was not made, `bug` that of one that a bug ended. */
type FindingId = RuleId | DiagnosisId | OutcomeId | "settings" | "bug";

/** One reason or remark, with one thing to do about it. `id` is stable; the sentences are not. */
export interface Finding {
  readonly id: FindingId;
  readonly certainty: Certainty;
  readonly message: string;
  readonly fix: string;
}

/** The clock of this machine against the server's: positive where this one is ahead. */
export interface ClockSkew {
  readonly skewSeconds: number;
  readonly uncertaintySeconds: number;
}

/** The result of one check, whatever it found. `durationMs` is that of the last attempt; 0 where a bug ended the check. */
export interface CheckResult {
  readonly profile: string | null;
  /** Null where the settings do not even tell what to check. */
  readonly method: Method | null;
  readonly url: string | null;
  /** What the request was authenticated with and where that was set, without the secret; null where that is not known. */
  readonly credential: string | null;
  readonly attempts: number;
  readonly durationMs: number;
  readonly outcome: Outcome;
  readonly clock: ClockSkew | null;
  readonly findings: readonly Finding[];
}
