import type { TransportFailure } from "../../http/failure.ts";
import { fix, flag } from "../../settings/fix.ts";
import { type Cause, type Evidence, measured, type Rule } from "./evidence.ts";
import { apiPeer } from "./peer.ts";
import { proxyFinding } from "./proxy.ts";
import { connectProblem, lookupProblem } from "./reach.ts";
import { tlsCause } from "./tls.ts";

/** Why there is no response. */
export function connectionCause(failure: TransportFailure, evidence: Evidence): Cause {
  switch (failure.step) {
    case "lookup":
      return lookupProblem(apiPeer(evidence), failure.code);
    case "connect":
      return connectProblem(apiPeer(evidence), evidence.exchange.trace.connection.tried, failure.code);
    case "tls":
      return tlsCause(failure, evidence);
    case "proxy": {
      const finding = proxyFinding(failure, evidence);
      return { headline: finding.message, ...finding };
    }
    case "request":
    case "response":
      return endCause(failure, evidence);
  }
}

function endCause(
  { step, code, received }: Extract<TransportFailure, { received: unknown }>,
  evidence: Evidence,
): Cause {
  const ended = `the connection to ${apiPeer(evidence).inFull} ended`;
  if (step === "request" || evidence.exchange.trace.sentAt === null) {
    return {
      headline: `${ended} before the request was sent (${code})`,
      fix: fix`Try again; if it keeps happening, ask the server's operator why it ends connections at once`,
    };
  }
  return {
    headline: `${ended} ${received === "part" ? "in the middle of" : "before"} the response (${code})`,
    fix: fix`Try again; if it keeps happening, something between this machine and the API closes connections`,
  };
}

/** A proxy that curl would use, and this tool does not. The library reads no environment, so it never says this. */
export const unusedProxy: Rule = ({ outcome, hints }) =>
  (outcome.kind === "unreachable" || outcome.kind === "timeout") && hints.unusedProxy !== null
    ? measured(
        "unused-proxy",
        `${hints.unusedProxy} is set, and this tool does not use it`,
        fix`If only a proxy leads to the API, name an HTTP proxy with HTTPS_PROXY or ${flag("proxy")}`,
      )
    : null;
