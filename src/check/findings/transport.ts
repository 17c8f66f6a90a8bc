import { distance } from "fastest-levenshtein";
import { hostAndPort } from "../../http/connect.ts";
import { measured, possible, type Rule } from "./evidence.ts";

// The host cannot be found. It differs in one letter from another host in the settings.
const misspeltHost: Rule = ({ outcome, hints, redact }) => {
  if (outcome.kind !== "unreachable" || outcome.failure.kind !== "lookup") return null;
  const { host } = outcome.failure;
  const near = hints.otherHosts.find((other) => other !== host && distance(other, host) <= 1);
  // Do not suggest a host that contains a secret.
  if (near === undefined || redact(near) !== near) return null;
  return possible(
    "misspelt-host",
    `${host} differs in one letter from ${near}, which is set too`,
    `Write ${near} if that is what you mean`,
  );
};

// The port does not speak TLS, or the content of a refused certificate.
const tls: Rule = ({ outcome, url }) => {
  if (outcome.kind !== "unreachable" || outcome.failure.kind !== "tls") return null;
  const { code, certificate } = outcome.failure;
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/.test(code)) {
    return measured(
      "not-tls",
      `port ${url.port || "443"} answered, but does not speak TLS`,
      "Check the port of the base URL; a port for http:// cannot speak https://",
    );
  }
  if (certificate === null) return null;
  const hosts = certificate.names.map((name) => name.replace(/^(?:DNS|IP Address):/, ""));
  const whose = `the certificate of ${certificate.subject}, issued by ${certificate.issuer},`;
  switch (code) {
    case "CERT_HAS_EXPIRED":
      return measured(
        "certificate-expired",
        `${whose} expired on ${certificate.validTo}`,
        "Tell the server's operator, or check this machine's clock if that date is in the future",
      );
    case "CERT_NOT_YET_VALID":
      return measured(
        "certificate-not-yet-valid",
        `${whose} is not valid before ${certificate.validFrom}`,
        "Check this machine's clock, then tell the server's operator",
      );
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return measured(
        "certificate-host",
        `${whose} is for ${hosts.slice(0, 3).join(", ") || certificate.subject}`,
        "Check the host of the base URL",
      );
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
      return measured(
        "certificate-self-signed",
        `${whose} is signed by ${code === "DEPTH_ZERO_SELF_SIGNED_CERT" ? "itself" : "a CA that is not known here"}`,
        "If that is right, give the CA's certificate with --ca-cert; verification cannot be switched off",
      );
    default:
      return measured(
        "certificate-unknown-ca",
        `${whose} is signed by a CA that is not known here`,
        "If a private CA or a proxy signs it, give its certificate with --ca-cert",
      );
  }
};

// No connection through the proxy.
const proxyFailed: Rule = ({ outcome, proxy, hints, redact }) => {
  if (proxy === null || outcome.kind !== "unreachable" || outcome.failure.kind !== "proxy") return null;
  const { status, code } = outcome.failure;
  const place = `set by ${hints.placeOf("proxy")}`;
  const name = `${redact(`${proxy.hostname}:${hostAndPort(proxy).port}`)} (${place})`;
  if (status === null) {
    return measured(
      "proxy-unreachable",
      `the proxy ${name} cannot be reached or broke the connection (${code})`,
      `Check the address of the proxy (${place}), and whether the proxy runs`,
    );
  }
  return status === 407
    ? measured(
        "proxy-refused",
        `the proxy ${name} answered CONNECT with 407: it asks for credentials of its own`,
        `Write the proxy's user and password into its URL (${place}): http://USER:PASSWORD@HOST:PORT`,
      )
    : measured(
        "proxy-refused",
        `the proxy ${name} answered CONNECT with ${status}`,
        "Ask the operator of the proxy to allow the API's host; NO_PROXY can exclude the host if HTTPS_PROXY sets the proxy",
      );
};

/** Rules for failures without a response. */
export const transportRules: readonly Rule[] = [tls, proxyFailed, misspeltHost];
