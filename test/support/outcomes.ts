import type { ApiResponse, Outcome } from "../../src/check/outcome.ts";

const response: ApiResponse = { status: 200, contentType: "application/json", code: 200, message: "Hi" };

/** An outcome of each kind. */
export const outcomeOf: { readonly [Kind in Outcome["kind"]]: Extract<Outcome, { kind: Kind }> } = {
  accepted: { kind: "accepted", response },
  rejected: { kind: "rejected", response: { ...response, status: 401 } },
  unavailable: { kind: "unavailable", response: { ...response, status: 503 }, retryAfterSeconds: null },
  unexpected: { kind: "unexpected", response, reason: { kind: "empty" } },
  unreachable: { kind: "unreachable", failure: { kind: "lookup", host: "x.invalid", code: "ENOTFOUND" } },
  timeout: { kind: "timeout", phase: "headers", seconds: 10 },
  "not-checked": { kind: "not-checked", message: "No token is set", hint: "Give a token" },
  failed: { kind: "failed", message: "This is a bug", hint: "Please report it" },
};
