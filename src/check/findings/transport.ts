import { distance } from "fastest-levenshtein";
import { hostAndPort } from "../../http/connect.ts";
import type { RuleId } from "../outcome.ts";
import type { Rule, RuleFinding } from "./evidence.ts";

// The host cannot be found. It differs in one letter from another host in the settings.
const misspeltHost: Rule = ({ outcome, hints, redact }) => {
  if (outcome.kind !== "unreachable" || outcome.failure.kind !== "lookup") return null;
  const { host } = outcome.failure;
  const near = hints.otherHosts.find((other) => other !== host && distance(other, host) <= 1);
  // Do not suggest a host that contains a secret.
  return near === undefined || redact(near) !== near
    ? null
    : {
        id: "misspelt-host",
        certainty: "possible",
        message: `${host} differs in one letter from ${near}, which is set too`,
        fix: `Write ${near} if that is what you mean`,
      };
};

// The content of a refused certificate.
const certificate: Rule = ({ outcome }) => {
  if (outcome.kind !== "unreachable" || outcome.failure.kind !== "tls") return null;
  const { code, certificate: facts } = outcome.failure;
  if (facts === null) return null;
  const hosts = facts.names.map((name) => name.replace(/^(?:DNS|IP Address):/, ""));
  const whose = `the certificate of ${facts.subject}, issued by ${facts.issuer},`;
  const finding = (id: RuleId, message: string, fix: string): RuleFinding => ({
    id,
    certainty: "measured",
    message,
    fix,
  });
  switch (code) {
    case "CERT_HAS_EXPIRED":
      return finding(
        "certificate-expired",
        `${whose} expired on ${facts.validTo}`,
        "Tell the server's operator, or check this machine's clock if that date is in the future",
      );
    case "CERT_NOT_YET_VALID":
      return finding(
        "certificate-not-yet-valid",
        `${whose} is not valid before ${facts.validFrom}`,
        "Check this machine's clock, then tell the server's operator",
      );
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return finding(
        "certificate-host",
        `${whose} is for ${hosts.slice(0, 3).join(", ") || facts.subject}`,
        "Check the host of the base URL",
      );
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
      return finding(
        "certificate-self-signed",
        `${whose} is signed by ${code === "DEPTH_ZERO_SELF_SIGNED_CERT" ? "itself" : "a CA that is not known here"}`,
        "If that is right, give the CA's certificate with --ca-cert; verification cannot be switched off",
      );
    default:
      return finding(
        "certificate-unknown-ca",
        `${whose} is signed by a CA that is not known here`,
        "If a private CA or a proxy signs it, give its certificate with --ca-cert",
      );
  }
};

// The port does not speak TLS.
const notTls: Rule = ({ outcome, url }) =>
  outcome.kind === "unreachable" &&
  outcome.failure.kind === "tls" &&
  /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/.test(outcome.failure.code)
    ? {
        id: "not-tls",
        certainty: "measured",
        message: `port ${url.port || "443"} answered, but does not speak TLS`,
        fix: "Check the port of the base URL; a port for http:// cannot speak https://",
      }
    : null;

// No connection through the proxy.
const proxyFailed: Rule = ({ outcome, proxy, hints, redact }) => {
  if (proxy === null || outcome.kind !== "unreachable" || outcome.failure.kind !== "proxy") return null;
  const { status, code } = outcome.failure;
  const name = `${redact(`${proxy.hostname}:${hostAndPort(proxy).port}`)} (set by ${hints.placeOf("proxy")})`;
  if (status === null) {
    return {
      id: "proxy-unreachable",
      certainty: "measured",
      message: `the proxy ${name} cannot be reached or broke the connection (${code})`,
      fix: `Check the address of the proxy (set by ${hints.placeOf("proxy")}), and whether the proxy runs`,
    };
  }
  return {
    id: "proxy-refused",
    certainty: "measured",
    message: `the proxy ${name} answered CONNECT with ${status}${status === 407 ? ": it asks for credentials of its own" : ""}`,
    fix:
      status === 407
        ? `Write the proxy's user and password into its URL (set by ${hints.placeOf("proxy")}): http://USER:PASSWORD@HOST:PORT`
        : "Ask the operator of the proxy to allow the API's host; NO_PROXY can exclude the host if HTTPS_PROXY sets the proxy",
  };
};

/** Rules for failures without a response. */
export const transportRules: readonly Rule[] = [certificate, notTls, proxyFailed, misspeltHost];
