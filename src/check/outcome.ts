// What a check can come to, as a union that every consumer switches on, and the table of what follows from each kind: its code,
// finding, colour and retry.

import type { Failure, Step } from "../http/failure.ts";
import type { Gateway } from "./read/gateway.ts";

/** The parts of a response that are shown; null for a part that is missing. `code` is the specified field (section 2). */
export interface ApiResponse {
  readonly status: number;
  /** The media type without parameters, in lower case. */
  readonly contentType: string | null;
  readonly code: number | null;
  readonly message: string | null;
  /** What the server calls the request, for its operator. */
  readonly requestId: string | null;
  /** The pause that it asks for. */
  readonly retryAfterSeconds: number | null;
  /** Where `Location` or `Refresh` leads, without what can hold a secret: user information, query, fragment, what follows a `;`. */
  readonly location: string | null;
  readonly challenges: readonly string[];
  /** The reason phrase, if it is not the standard one of the status. */
  readonly reason: string | null;
  readonly server: string | null;
  readonly via: string | null;
}

/** Why a response is not this API's. */
export type UnexpectedReason =
  | { readonly kind: "malformed"; readonly problem: string }
  | { readonly kind: "too-large" }
  | { readonly kind: "encoded"; readonly encoding: string }
  /** `isMove`: to the same endpoint at another address. Else to a page: servers send an invalid credential to a login. */
  | { readonly kind: "redirect"; readonly isMove: boolean }
  | { readonly kind: "web-page" }
  /** It asks for other credentials: `scheme` names them, or is "proxy". */
  | { readonly kind: "foreign-challenge"; readonly scheme: string }
  /** A refusal without evidence that the API wrote it. `shown` describes its content. */
  | { readonly kind: "no-evidence"; readonly shown: string }
  /** A gateway marks the refusal as its own. */
  | ({ readonly kind: "gateway" } & Gateway)
  /** A cache made the response for another request. `mark` is the field that shows it. */
  | { readonly kind: "cached"; readonly mark: string }
  /** The same request without credentials was accepted as well. */
  | { readonly kind: "no-authentication" }
  /** Status 200 with another code in the body. */
  | { readonly kind: "contradiction"; readonly code: number }
  /** A status that the API does not have. */
  | { readonly kind: "status" }
  | { readonly kind: "empty" }
  | { readonly kind: "not-json" }
  | { readonly kind: "wrong-shape"; readonly problem: string };

/** The outcome of one check. Every consumer switches on `kind`, so the compiler names those that miss a new kind. */
export type Outcome =
  | { readonly kind: "accepted"; readonly response: ApiResponse }
  | { readonly kind: "rejected"; readonly response: ApiResponse }
  /** Without a response, nothing was sent: the server limits requests. */
  | { readonly kind: "unavailable"; readonly response: ApiResponse | null }
  | { readonly kind: "unexpected"; readonly response: ApiResponse | null; readonly reason: UnexpectedReason }
  | { readonly kind: "unreachable"; readonly failure: Failure }
  | { readonly kind: "timeout"; readonly failure: Failure; readonly seconds: number }
  | { readonly kind: "not-checked"; readonly message: string; readonly hint: string }
  /** A bug ended the check. The message names its class and place. */
  | { readonly kind: "failed"; readonly message: string; readonly hint: string };

/** What one check can come to. */
export type OutcomeKind = Outcome["kind"];

/** What follows from each kind of outcome. Of several in a run, the first of this order decides: a run with a bug proves nothing. */
export const outcomes = {
  failed: { code: 1, finding: "bug", mayChange: false, tone: "bad", junit: "error" },
  rejected: { code: 4, finding: "rejected", mayChange: false, tone: "bad", junit: "failure" },
  unexpected: { code: 6, finding: "unexpected", mayChange: false, tone: "warn", junit: "error" },
  unavailable: { code: 5, finding: "unavailable", mayChange: true, tone: "warn", junit: "error" },
  timeout: { code: 8, finding: "timeout", mayChange: true, tone: "warn", junit: "error" },
  unreachable: { code: 7, finding: "unreachable", mayChange: true, tone: "warn", junit: "error" },
  "not-checked": { code: 3, finding: "settings", mayChange: false, tone: "warn", junit: "error" },
  accepted: { code: 0, finding: null, mayChange: false, tone: "good", junit: null },
} as const satisfies Record<
  OutcomeKind,
  {
    readonly code: number;
    /** The id of the finding that says what the headline says; null if there is nothing to explain. */
    readonly finding: string | null;
    /** Whether another attempt can end differently. */
    readonly mayChange: boolean;
    /** Its colour in a report. */
    readonly tone: "good" | "bad" | "warn";
    /** How JUnit counts it: only a refused credential fails the test; null is a success. */
    readonly junit: "failure" | "error" | null;
  }
>;

/** What the exit code of each kind means. */
export const meanings = {
  failed: "a bug, or the result could not be written; never a verdict",
  rejected: "the API refused this credential",
  unexpected: "a response that is not this API's",
  unavailable: "the API answered 408, 429 or 5xx except 511, or asked for a pause",
  timeout: "the deadline passed",
  unreachable: "no response: name lookup, connection, TLS or proxy",
  "not-checked": "a setting is missing or invalid; for that account nothing was sent",
  accepted: "the API accepted every credential",
} as const satisfies Record<OutcomeKind, string>;

/** The response of an outcome, or null if there was none. */
export function responseOf(outcome: Outcome): ApiResponse | null {
  return "response" in outcome ? outcome.response : null;
}

/** The pause that the server asks for, in seconds; null if it asks for none. */
export const pauseAskedBy = (outcome: Outcome): number | null =>
  responseOf(outcome)?.retryAfterSeconds ?? null;

/** The step of a failure, as reports tell it: all that fails at a proxy is the proxy's. */
export const stepOf = ({ step, at }: Pick<Failure, "step" | "at">): Step => (at === "proxy" ? at : step);

const judging: readonly number[] = [400, 401, 403, 422, 423];

/** Whether the credential may have been judged, and refused: then people compare it. */
export function isJudgement(outcome: Outcome): boolean {
  if (outcome.kind !== "unexpected") return outcome.kind === "rejected";
  const { reason, response } = outcome;
  if (reason.kind === "redirect") return !reason.isMove;
  return reason.kind !== "cached" && judging.includes(response?.status ?? 0);
}

/** The reasons of a 401 or 403 without evidence that the API made it. */
export const refusals: readonly UnexpectedReason["kind"][] = ["no-evidence", "gateway"];

/** Whether the server refused the request: `rejected`, or a 401 or 403 without evidence that the API made it. */
export const isRefusal = (outcome: Outcome): boolean =>
  outcome.kind === "unexpected" ? refusals.includes(outcome.reason.kind) : outcome.kind === "rejected";
