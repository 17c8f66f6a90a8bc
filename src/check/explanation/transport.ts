import { shownHost } from "../../http/connect.ts";
import type { Phase } from "../../http/exchange.ts";
import type { TransportFailure } from "../../http/failure.ts";

/** What an outcome means, in one sentence without a full stop, and what to do if no finding gives better advice. */
export interface Explanation {
  readonly headline: string;
  readonly next: string;
}

/** Explains why there is no response. */
export function explainFailure(failure: TransportFailure): Explanation {
  switch (failure.kind) {
    case "lookup":
      return explainLookup(failure.host, failure.code);
    case "connect":
      return failure.code === "ECONNREFUSED"
        ? {
            headline: `nothing listens at ${shownHost(failure.host)} port ${failure.port} (${failure.code})`,
            next: "Check the port of the base URL, and that the server runs",
          }
        : {
            headline: `no connection to ${shownHost(failure.host)} port ${failure.port} (${failure.code})`,
            next: "Check the network and the firewall, and whether you need a proxy (--proxy)",
          };
    case "tls":
      return {
        headline: `no trusted TLS connection (${failure.code})`,
        // An alert is the server's own refusal of the handshake (RFC 8446, section 6.2).
        next: failure.code.includes("_ALERT_")
          ? "Check the host of the base URL, and ask its operator whether the server wants a client certificate or a TLS version before 1.2: this tool offers neither"
          : "Check the scheme and the host of the base URL; add the certificate of a private CA with --ca-cert",
      };
    case "proxy":
      return {
        headline: `no connection through the proxy ${shownHost(failure.host)} port ${failure.port} (${failure.status ?? failure.code})`,
        next: "Check the proxy's address, and whether it allows this host; to connect without it, remove the setting or list the host in NO_PROXY",
      };
    case "closed":
      return {
        headline: `the connection ended ${failure.received === "part" ? "in the middle of" : "before"} the response (${failure.code})`,
        next: "Try again; if it keeps happening, something between this machine and the API closes connections",
      };
  }
}

function explainLookup(host: string, code: string): Explanation {
  switch (code) {
    case "NOT_LOOPBACK":
      return {
        headline: `${host} leads to an address of another machine (${code}); nothing was sent`,
        next: "Check the entry of localhost in this machine's hosts file and DNS, or write 127.0.0.1 or [::1]",
      };
    case "EAI_AGAIN":
      return {
        headline: `the name ${host} could not be looked up (${code})`,
        next: "Check this machine's network and DNS, and the spelling of the host",
      };
    default:
      return {
        headline: `there is no host named ${host} (${code})`,
        next: "Check the spelling of the base URL's host, and whether you need a VPN or a proxy (--proxy) to reach it",
      };
  }
}

const unfinished: Readonly<Record<Phase, readonly [step: string, next: string]>> = {
  lookup: ["the name lookup did not finish", "Check this machine's network and DNS"],
  connect: [
    "no connection was made",
    "Check that the host is up, that no firewall blocks it, and whether you need a proxy (--proxy)",
  ],
  proxy: ["the proxy did not open the connection", "Check the proxy, and whether it allows this host"],
  tls: [
    "the TLS handshake did not finish",
    "Check the port of the base URL, and that the server speaks TLS there",
  ],
  request: ["the request could not be sent", "Try again; check the network"],
  headers: [
    "the request was sent, but the server did not answer in time",
    "Try again, or raise --timeout; the server is slow or overloaded",
  ],
  body: ["the response did not end", "Try again, or raise --timeout; the server is slow or overloaded"],
};

/** Explains a deadline that passed during this phase of the exchange. */
export function explainTimeout(phase: Phase, seconds: number): Explanation {
  const [step, next] = unfinished[phase];
  return { headline: `no complete response within ${seconds} s: ${step}`, next };
}
