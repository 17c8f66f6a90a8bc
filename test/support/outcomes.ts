import type { ApiResponse, Outcome } from "../../src/check/outcome.ts";
import type { AccountResult, RunEnd } from "../../src/report/report.ts";
import { failureOf } from "./exchanges.ts";

const response: ApiResponse = {
  status: 200,
  contentType: "application/json",
  code: 200,
  message: "Hi",
  requestId: null,
  retryAfterSeconds: null,
  location: null,
  challenges: [],
  reason: null,
  server: null,
  via: null,
};

/** An outcome of each kind. */
export const outcomeOf: { readonly [Kind in Outcome["kind"]]: Extract<Outcome, { kind: Kind }> } = {
  accepted: { kind: "accepted", response },
  rejected: { kind: "rejected", response: { ...response, status: 401 } },
  unavailable: { kind: "unavailable", response: { ...response, status: 503 } },
  unexpected: { kind: "unexpected", response, reason: { kind: "empty" } },
  unreachable: { kind: "unreachable", failure: failureOf({ step: "lookup", code: "ENOTFOUND" }) },
  timeout: { kind: "timeout", failure: failureOf({ step: "response", code: null }), seconds: 10 },
  "not-checked": { kind: "not-checked", message: "No token is set", hint: "Give a token" },
  failed: { kind: "failed", message: "This is a bug", hint: "Please report it" },
};

/** A check of the only account, accepted unless the changes say otherwise. */
export const reported = (changes: Partial<AccountResult>): AccountResult => ({
  profile: null,
  line: null,
  csv: null,
  position: 1,
  isRepeated: false,
  method: "token",
  url: null,
  credential: null,
  attempts: 1,
  checkedAt: "2026-11-22T17:30:12.345Z",
  durationMs: 20,
  connection: null,
  received: null,
  outcome: outcomeOf.accepted,
  headline: "the headline",
  clock: null,
  findings: [],
  advice: [],
  alternatives: [],
  diagnosisRequests: null,
  ...changes,
});

/** The end of a run without a failure. */
export const ended: RunEnd = {
  exitCode: 0,
  counts: new Map(),
  interrupted: false,
  left: [],
  linesRead: null,
  isCsv: false,
  allRead: true,
  notSent: 0,
  error: null,
  endedAt: 0,
};
