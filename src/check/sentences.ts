import type { TransportFailure } from "../http/failure.ts";
import type { Outcome, UnexpectedReason } from "./outcome.ts";

/** What an outcome means, in one sentence without an end, and what to do where no finding says something better. */
export interface Explanation {
  readonly headline: string;
  readonly next: string;
}

/** The explanation of an outcome. Texts that others wrote are in it as they came: escape it before it is shown. */
export function explain(outcome: Outcome): Explanation {
  switch (outcome.kind) {
    case "accepted":
      return { headline: "the API accepted this credential", next: "" };
    case "rejected":
      return {
        headline: "the API refused this credential",
        next: "Compare the credential with what the account shows, and ask whether the account is active; --diagnose finds out more",
      };
    case "unavailable":
      return outcome.response.status === 429
        ? {
            headline: "the API asks clients to slow down (429); it said nothing about the credential",
            next: "Wait, then try again, or let --retry do so",
          }
        : {
            headline: `the API has a problem of its own (${outcome.response.status}); it said nothing about the credential`,
            next: "Try again later, or with --retry; report it to the API's operator if it keeps happening",
          };
    case "unexpected":
      return explainUnexpected(
        outcome.reason,
        outcome.response?.status ?? null,
        outcome.response?.contentType ?? null,
      );
    case "unreachable":
      return explainFailure(outcome.failure);
    case "timeout":
      return {
        headline: `no complete answer within ${outcome.seconds} s; the step "${outcome.phase}" did not finish`,
        next: "Check that the host is up and no firewall is in between, or raise --timeout",
      };
    case "not-checked":
    case "failed":
      return { headline: outcome.message, next: outcome.hint };
  }
}

function explainUnexpected(
  reason: UnexpectedReason,
  status: number | null,
  type: string | null,
): Explanation {
  const host = "Check the base URL: another service or a proxy seems to answer there";
  switch (reason.kind) {
    case "malformed":
      return { headline: `the answer is not valid HTTP (${reason.problem})`, next: host };
    case "too-large":
      return { headline: "the answer is far larger than this API's", next: host };
    case "encoded":
      return {
        headline: `the answer is compressed (${reason.encoding}), though that was not asked for`,
        next: "Ask the operator of the server or proxy to honour Accept-Encoding: identity",
      };
    case "redirect":
      return {
        headline: `the server redirects (${status}); the credential was not sent on`,
        next: "Set the base URL to where the API really is",
      };
    case "web-page":
      return { headline: `a web page answered, not the API (${status})`, next: host };
    case "foreign-challenge":
      return {
        headline: `something in front of the API asks for credentials of its own (${reason.scheme})`,
        next: "Ask whoever runs the gateway or proxy for access; the API has not judged this credential",
      };
    case "no-evidence":
      return {
        headline: `${status} with ${reason.shown}: nothing shows that the API itself answered, so the credential is not blamed`,
        next: "Check the base URL, and ask whoever runs the gateway, CDN or firewall in front of the API why it refuses",
      };
    case "contradiction":
      return {
        headline: `the answer contradicts itself: its status is 200, but its code is ${reason.code}, not 200`,
        next: "Ask the API's operator which of the two counts",
      };
    case "not-found":
      return {
        headline: "nothing is at this address (404)",
        next: "Check the path of the base URL: a version or prefix may be missing, misspelt or not needed",
      };
    case "status":
      return { headline: `the answer is not this API's (${status})`, next: host };
    case "empty":
      return { headline: `the answer is empty (${status})`, next: host };
    case "not-json":
      return { headline: `the answer is not JSON${type === null ? "" : ` (${type})`}`, next: host };
    case "wrong-shape":
      return { headline: `the answer is not this API's: ${reason.problem}`, next: host };
  }
}

function explainFailure(failure: TransportFailure): Explanation {
  switch (failure.kind) {
    case "lookup":
      return failure.code === "EAI_AGAIN"
        ? {
            headline: `the name ${failure.host} could not be looked up now (${failure.code})`,
            next: "Check this machine's network and DNS, and the spelling of the host",
          }
        : {
            headline: `there is no host named ${failure.host} (${failure.code})`,
            next: "Check the spelling of the base URL's host, and whether a VPN is needed to reach it",
          };
    case "connect":
      return failure.code === "ECONNREFUSED"
        ? {
            headline: `nothing listens at ${failure.host} port ${failure.port} (${failure.code})`,
            next: "Check the port of the base URL, and whether the server runs",
          }
        : {
            headline: `no connection to ${failure.host} port ${failure.port} (${failure.code})`,
            next: "Check the network, the firewall and whether a proxy is needed",
          };
    case "tls":
      return {
        headline: `no trusted TLS connection (${failure.code})`,
        next: "Check the base URL's scheme and host; give the CA's certificate with --ca-cert if it is a private one",
      };
    case "proxy":
      return {
        headline: `no connection through the proxy ${failure.host} (${failure.status ?? failure.code})`,
        next: "Check the proxy's address, and whether it allows this host; where HTTPS_PROXY names the proxy, NO_PROXY can exclude the host",
      };
    case "closed":
      return {
        headline: `the connection ended ${failure.received === "part" ? "in the middle of" : "before"} the answer (${failure.code})`,
        next: "Try again; if it keeps happening, something between here and the API cuts connections",
      };
  }
}
