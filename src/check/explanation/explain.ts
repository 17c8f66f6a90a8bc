import type { ApiResponse, Outcome } from "../outcome.ts";
import type { Explanation } from "./explanation.ts";
import { explainFailure, explainTimeout } from "./transport.ts";
import { explainUnexpected } from "./unexpected.ts";

/** The explanation of an outcome. It can quote text of the server: escape it before showing it. */
export function explain(outcome: Outcome): Explanation {
  switch (outcome.kind) {
    case "accepted":
      return { headline: "the API accepted this credential", next: "" };
    case "rejected":
      return {
        headline: "the API refused this credential",
        next: "Compare the credential with the one in the account, and check that the account is active; --diagnose finds out more",
      };
    case "unavailable":
      return explainUnavailable(outcome.response);
    case "unexpected":
      return explainUnexpected(outcome.reason, outcome.response);
    case "unreachable":
      return explainFailure(outcome.failure);
    case "timeout":
      return explainTimeout(outcome.phase, outcome.seconds);
    case "not-checked":
    case "failed":
      return { headline: outcome.message, next: outcome.hint };
  }
}

function explainUnavailable({ status }: ApiResponse): Explanation {
  return status === 429
    ? {
        headline: "too many requests (429): the API did not check the credential",
        next: "Wait before the next attempt, or let --retry do so",
      }
    : {
        headline: `the server failed (${status}) and did not check the credential`,
        next: "Try again later, or use --retry; if it keeps happening, report it to the API's operator",
      };
}
