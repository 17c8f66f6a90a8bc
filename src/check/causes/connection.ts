import { distance } from "fastest-levenshtein";
import type { TransportFailure } from "../../http/failure.ts";
import { fix, flag } from "../../settings/fix.ts";
import { type Cause, type Evidence, measured, possible, type Rule } from "./evidence.ts";
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

/** The host does not exist. It differs in one letter from another host in the settings. */
export const misspeltHost: Rule = ({ outcome, hints, redact }) => {
  if (outcome.kind !== "unreachable" || outcome.failure.step !== "lookup") return null;
  const { host, code } = outcome.failure;
  if (code !== "ENOTFOUND" && code !== "ENODATA") return null;
  const near = hints.otherHosts.find((other) => other !== host && distance(other, host) <= 1);
  // Do not suggest a host that contains a secret.
  if (near === undefined || redact(near) !== near) return null;
  return possible(
    "misspelt-host",
    `${host} differs in one letter from ${near}, which is set too`,
    fix`Write ${near} if that is what you mean`,
  );
};

// Variables of this machine that decide what is reached. The library reads no environment, so it never says this.

/** Settings of OpenSSL and Node that change which TLS is spoken. */
export const limitedTls: Rule = ({ outcome, hints }) =>
  outcome.kind === "unreachable" &&
  "code" in outcome.failure &&
  outcome.failure.code.startsWith("ERR_SSL_") &&
  hints.tlsOptions.length > 0
    ? measured(
        "changed-tls",
        `${hints.tlsOptions.join(" and ")} changed which TLS this machine speaks, so the server may not be the cause`,
        fix`Try again without it, before you ask the server's operator`,
      )
    : null;

/** A proxy that curl would use, and this tool does not. */
export const unusedProxy: Rule = ({ outcome, hints }) =>
  (outcome.kind === "unreachable" || outcome.kind === "timeout") && hints.unusedProxy !== null
    ? measured(
        "unused-proxy",
        `${hints.unusedProxy} is set, and this tool does not use it`,
        fix`If only a proxy leads to the API, name an HTTP proxy with HTTPS_PROXY or ${flag("proxy")}`,
      )
    : null;
