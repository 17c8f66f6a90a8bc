import type { CertificateFacts, TransportFailure } from "../../http/failure.ts";
import type { Finding } from "../outcome.ts";
import { type Cause, type Evidence, measured } from "./evidence.ts";

/** Why there is no trusted TLS connection. */
export function tlsCause(
  { code, certificate }: Extract<TransportFailure, { kind: "tls" }>,
  { url }: Evidence,
): Cause {
  const headline = `no trusted TLS connection (${code})`;
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/.test(code)) {
    return {
      headline,
      ...measured(
        "not-tls",
        `port ${url.port || "443"} answered, but does not speak TLS`,
        "Check the port of the base URL; a port for http:// cannot speak https://",
      ),
    };
  }
  if (certificate !== null) return { headline, ...certificateFinding(code, certificate) };
  // An alert is the server's own refusal of the handshake (RFC 8446, section 6.2).
  const fix = code.includes("_ALERT_")
    ? "Check the host of the base URL, and ask its operator whether the server wants a client certificate or a TLS version before 1.2: this tool offers neither"
    : "Check the scheme and the host of the base URL; add the certificate of a private CA with --ca-cert";
  return { headline, fix };
}

function certificateFinding(code: string, certificate: CertificateFacts): Finding {
  const { subject, issuer, names, validFrom, validTo } = certificate;
  const hosts = names.map((name) => name.replace(/^(?:DNS|IP Address):/, ""));
  const whose = `the certificate of ${subject}, issued by ${issuer},`;
  switch (code) {
    case "CERT_HAS_EXPIRED":
      return measured(
        "certificate-expired",
        `${whose} expired on ${validTo}`,
        "Tell the server's operator, or check this machine's clock if that date is in the future",
      );
    case "CERT_NOT_YET_VALID":
      return measured(
        "certificate-not-yet-valid",
        `${whose} is not valid before ${validFrom}`,
        "Check this machine's clock, then tell the server's operator",
      );
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return measured(
        "certificate-host",
        `${whose} is for ${hosts.slice(0, 3).join(", ") || subject}`,
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
}
