import { fix, flag } from "../../settings/fix.ts";
import { measured, type Rule } from "./evidence.ts";

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
