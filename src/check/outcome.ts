import type { Phase } from "../http/exchange.ts";
import type { TransportFailure } from "../http/failure.ts";

/** The two methods of authentication (specification, section 5). */
export const methods = ["token", "wsse"] as const;
/** How a request is authenticated: by the token or by WSSE. */
export type Method = (typeof methods)[number];

/**
 * The parts of a response that are shown. `code` is the specified field (section 2), `message` the server's own words; null
 * if there is none.
 */
export interface ApiResponse {
  readonly status: number;
  /** The media type without parameters, in lower case. */
  readonly contentType: string | null;
  readonly code: number | null;
  readonly message: string | null;
}

/** Why a response is not this API's. */
export type UnexpectedReason =
  | { readonly kind: "malformed"; readonly problem: string }
  | { readonly kind: "too-large" }
  | { readonly kind: "encoded"; readonly encoding: string }
  | { readonly kind: "redirect" }
  | { readonly kind: "web-page"; readonly title: string | null }
  | { readonly kind: "foreign-challenge"; readonly scheme: string }
  /** A refusal without evidence that the API wrote it. `shown` describes its content. */
  | { readonly kind: "no-evidence"; readonly shown: string }
  /** A refusal whose empty body ends with the connection, so that it may have been cut off. */
  | { readonly kind: "no-length" }
  /** A cache made the response for another request. `mark` is the field that shows it. */
  | { readonly kind: "cached"; readonly mark: string }
  /** The same request without credentials was accepted as well. */
  | { readonly kind: "no-authentication" }
  /** Status 200 with another code in the body. */
  | { readonly kind: "contradiction"; readonly code: number }
  | { readonly kind: "not-found" }
  /** Status 511: a network on the way to the server. */
  | { readonly kind: "network-login" }
  | { readonly kind: "status" }
  | { readonly kind: "empty" }
  | { readonly kind: "not-json" }
  | { readonly kind: "wrong-shape"; readonly problem: string };

/** The outcome of one check. Every consumer switches on `kind`, so the compiler names those that miss a new kind. */
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
  /** A bug ended the check. The message names the error's class and place. */
  | { readonly kind: "failed"; readonly message: string; readonly hint: string };

/** What one check can come to. */
export type OutcomeKind = Outcome["kind"];

/** The response of an outcome, or null if there was none. */
export function responseOf(outcome: Outcome): ApiResponse | null {
  return "response" in outcome ? outcome.response : null;
}

/** Whether the server refused the request: `rejected`, or a 401 or 403 without evidence that the API made it. */
export function isRefusal(outcome: Outcome): boolean {
  return (
    outcome.kind === "rejected" ||
    (outcome.kind === "unexpected" && ["no-evidence", "no-length"].includes(outcome.reason.kind))
  );
}

/** How sure a finding is: shown by an experiment, read off the exchange or the settings, or a possible explanation. */
export type Certainty = "proved" | "measured" | "possible";

/** The ids of findings that rules draw from one exchange (src/check/findings). */
export type RuleId =
  | "clock-ahead"
  | "clock-behind"
  | "certificate-expired"
  | "certificate-not-yet-valid"
  | "certificate-host"
  | "certificate-self-signed"
  | "certificate-unknown-ca"
  | "certificate-unfit"
  | "client-certificate"
  | "http-version"
  | "tls-version"
  | "unknown-server-name"
  | "not-tls"
  | "not-a-proxy"
  | "proxy-refused"
  | "proxy-target"
  | "proxy-unreachable"
  | "misspelt-host"
  | "credential-placeholder"
  | "credential-quoted"
  | "credential-prefix"
  | "credential-assignment"
  | "yaml-comment"
  | "username-secret-swapped"
  | "hidden-setting"
  | "found-convention"
  | "white-space"
  | "token-shape"
  | "secret-looks-like-token"
  | "nonce-shape"
  | "username-shape"
  | "web-page"
  | "redirect-host"
  | "redirect-https"
  | "redirect-path"
  | "https-expected"
  | "gateway-challenge"
  | "no-evidence"
  | "maybe-refused"
  | "cached"
  | "contradiction"
  | "rate-limit"
  | "not-retried"
  | "account-locked"
  | "blocked"
  | "not-allowed"
  | "not-found"
  | "base-url-suffix";

/** The ids of findings that a diagnosis makes by further requests. */
type DiagnosisId =
  | "no-authentication"
  | "clock"
  | "credential-cleaned"
  | "token-is-secret"
  | "authorization"
  | "digest-convention"
  | "header-ignored"
  | "inconsistent-server"
  | "spare-token"
  | "ruled-out"
  | "not-diagnosed"
  | "diagnosis-stopped";

/** The id of the finding that says what the headline says, for an outcome that nothing else explains. */
export const headlineIds = {
  rejected: "rejected",
  unavailable: "unavailable",
  unexpected: "unexpected",
  unreachable: "unreachable",
  timeout: "timeout",
  "not-checked": "settings",
  failed: "bug",
} as const satisfies Record<Exclude<Outcome["kind"], "accepted">, string>;

type HeadlineId = (typeof headlineIds)[keyof typeof headlineIds];

/** All ids. */
export type FindingId = RuleId | DiagnosisId | HeadlineId;

/** One reason or remark, and what to do about it. The `id` is stable; the sentences are not. */
export interface Finding {
  readonly id: FindingId;
  readonly certainty: Certainty;
  readonly message: string;
  readonly fix: string;
}

/** The difference between this machine's clock and the server's: positive if this machine's is ahead. */
export interface ClockSkew {
  readonly skewSeconds: number;
  readonly uncertaintySeconds: number;
}

/** The result of one check. `durationMs` is that of the last attempt, or 0 if a bug ended the check. */
export interface CheckResult {
  readonly profile: string | null;
  /** Null if the settings do not name a method. */
  readonly method: Method | null;
  readonly url: string | null;
  /** The credential and the place where it is set, in words and without the secret; null if unknown. */
  readonly credential: string | null;
  readonly attempts: number;
  readonly durationMs: number;
  readonly outcome: Outcome;
  /** What the outcome means, in one sentence without a full stop. It can quote the server: escape it before showing it. */
  readonly headline: string;
  readonly clock: ClockSkew | null;
  /** The reasons and remarks: what is proved, then what is measured, then what is possible. */
  readonly findings: readonly Finding[];
}
