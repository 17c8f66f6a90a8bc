import type { ApiResponse, Outcome, UnexpectedReason } from "../outcome.ts";
import { type Explanation, explainFailure, explainTimeout } from "./transport.ts";

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

const checkBaseUrl = "Check the base URL: it may lead to another service or to a proxy";

function explainUnexpected(reason: UnexpectedReason, response: ApiResponse | null): Explanation {
  const status = response?.status ?? null;
  switch (reason.kind) {
    case "malformed":
      return { headline: `the response is not valid HTTP (${reason.problem})`, next: checkBaseUrl };
    case "too-large":
      return { headline: "the response is much larger than this API's", next: checkBaseUrl };
    case "encoded":
      return {
        headline: `the response is compressed (${reason.encoding}), although the request asked for no compression`,
        next: "Ask the operator of the server or proxy to honour Accept-Encoding: identity",
      };
    case "redirect":
      return {
        headline: `the server redirects (${status}); the credential was not sent to the new address`,
        next: "Set the base URL to the API's real address",
      };
    case "web-page":
      return { headline: `a web page answered, not the API (${status})`, next: checkBaseUrl };
    case "foreign-challenge":
      return {
        headline: `a gateway or proxy in front of the API asks for its own credentials (${reason.scheme})`,
        next: "Ask its operator for access; the API has not checked this credential",
      };
    case "no-evidence":
      return {
        headline: `${status} with ${reason.shown}: nothing shows that the API itself answered, so this proves nothing about the credential`,
        next: "Check the base URL, and ask the operator of the gateway, CDN or firewall in front of the API why it refuses",
      };
    case "contradiction":
      return explainContradiction(reason.code);
    case "not-found":
      return {
        headline: "there is nothing at this address (404)",
        next: "Check the path of the base URL: a version or prefix may be missing, misspelt or not needed",
      };
    case "status":
      return explainStatus(status, response);
    case "empty":
      return { headline: `the response is empty (${status})`, next: checkBaseUrl };
    case "not-json": {
      const type = response?.contentType;
      return { headline: `the response is not JSON${type ? ` (${type})` : ""}`, next: checkBaseUrl };
    }
    case "wrong-shape":
      return { headline: `the response is not this API's: ${reason.problem}`, next: checkBaseUrl };
  }
}

function explainContradiction(code: number): Explanation {
  const isRefusal = code === 401 || code === 403;
  return {
    headline: `the response contradicts itself: its status is 200, but its code is ${code}`,
    next: isRefusal
      ? "Check the credential: the code means a refusal; ask the API's operator why the status is 200"
      : "Ask the API's operator what this code means with status 200",
  };
}

function explainStatus(status: number | null, response: ApiResponse | null): Explanation {
  const isJson =
    response !== null && (response.code !== null || /[/+]json$/.test(response.contentType ?? ""));
  return isJson
    ? {
        headline: `JSON with an undocumented status (${status}): it neither accepts nor refuses the credential`,
        next: `Read the message of the response; ask the API's operator what ${status} means here`,
      }
    : { headline: `the API documents no response with this status (${status})`, next: checkBaseUrl };
}
