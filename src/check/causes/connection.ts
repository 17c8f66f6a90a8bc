import { distance } from "fastest-levenshtein";
import { shownHost } from "../../http/connect.ts";
import type { Step, TransportFailure } from "../../http/failure.ts";
import { type Fix, fix, flag, nowSet } from "../../settings/fix.ts";
import type { Outcome } from "../outcome.ts";
import { type Cause, type Evidence, possible, type Rule } from "./evidence.ts";
import { exhausted } from "./exhausted.ts";
import { proxyCause } from "./proxy.ts";
import { tlsCause } from "./tls.ts";

/** Why there is no response. */
export function connectionCause(failure: TransportFailure, evidence: Evidence): Cause {
  switch (failure.step) {
    case "lookup":
      return lookupCause(failure.host, failure.code);
    case "connect":
      return connectCause(failure);
    case "tls":
      return tlsCause(failure, evidence);
    case "proxy":
      return proxyCause(failure, evidence);
    case "request":
    case "response":
      return {
        headline: `the connection ended ${failure.received === "part" ? "in the middle of" : "before"} the response (${failure.code})`,
        fix: fix`Try again; if it keeps happening, something between this machine and the API closes connections`,
      };
  }
}

/** The cause where this machine ran out of something; null for every other code. */
function exhaustedCause(problem: string, code: string): Cause | null {
  const missing = exhausted(code);
  return missing && { headline: `${problem}: ${missing.what} (${code})`, fix: missing.fix };
}

function connectCause({ host, port, code }: Extract<TransportFailure, { step: "connect" }>): Cause {
  const place = `${shownHost(host)} port ${port}`;
  if (code === "ECONNREFUSED") {
    return {
      headline: `nothing listens at ${place} (${code})`,
      fix: fix`Check the port of the base URL ${nowSet("baseUrl")}, and that the server runs`,
    };
  }
  return (
    exhaustedCause(`no connection to ${place}`, code) ?? {
      headline: `no connection to ${place} (${code})`,
      fix: fix`Check the network and the firewall, and whether you need a proxy (${flag("proxy")})`,
    }
  );
}

function lookupCause(host: string, code: string): Cause {
  const problem = `the name ${host} could not be looked up`;
  switch (code) {
    case "NOT_LOOPBACK":
      return {
        headline: `${host} leads to an address of another machine (${code}); nothing was sent`,
        fix: fix`Check the entry of localhost in this machine's hosts file and DNS, or write 127.0.0.1 or [::1]`,
      };
    case "ENOTFOUND":
      return {
        headline: `there is no host named ${host} (${code})`,
        fix: fix`Check the spelling of the base URL's host ${nowSet("baseUrl")}, and whether you need a VPN or a proxy (${flag("proxy")}) to reach it`,
      };
    default:
      return (
        exhaustedCause(problem, code) ?? {
          headline: `${problem} (${code})`,
          fix: fix`Check this machine's network and DNS, and the spelling of the host ${nowSet("baseUrl")}`,
        }
      );
  }
}

const unfinished: Readonly<Record<Step, readonly [words: string, advice: Fix]>> = {
  lookup: ["the name lookup did not finish", fix`Check this machine's network and DNS`],
  connect: [
    "no connection was made",
    fix`Check that the host is up, that no firewall blocks it, and whether you need a proxy (${flag("proxy")})`,
  ],
  proxy: ["the proxy did not open the connection", fix`Check the proxy, and whether it allows this host`],
  tls: [
    "the TLS handshake did not finish",
    fix`Check the port of the base URL ${nowSet("baseUrl")}, and that the server speaks TLS there`,
  ],
  request: ["the request could not be sent", fix`Try again; check the network`],
  response: [
    "the request was sent, but the server did not answer in time",
    fix`Try again, or raise ${flag("timeout")} ${nowSet("timeout")}; the server is slow or overloaded`,
  ],
};

/** Why a deadline passed. */
export function timeoutCause(
  { step, seconds }: Extract<Outcome, { kind: "timeout" }>,
  { exchange: { trace } }: Evidence,
): Cause {
  const [words, advice] = unfinished[step];
  const what = trace.respondedAt === null ? words : "the response did not end";
  return { headline: `no complete response within ${seconds} s: ${what}`, fix: advice };
}

// The host cannot be found. It differs in one letter from another host in the settings.
const misspeltHost: Rule = ({ outcome, hints, redact }) => {
  if (outcome.kind !== "unreachable" || outcome.failure.step !== "lookup") return null;
  const { host } = outcome.failure;
  const near = hints.otherHosts.find((other) => other !== host && distance(other, host) <= 1);
  // Do not suggest a host that contains a secret.
  if (near === undefined || redact(near) !== near) return null;
  return possible(
    "misspelt-host",
    `${host} differs in one letter from ${near}, which is set too`,
    fix`Write ${near} if that is what you mean`,
  );
};

/** Further causes of a missing response. */
export const connectionRules: readonly Rule[] = [misspeltHost];
