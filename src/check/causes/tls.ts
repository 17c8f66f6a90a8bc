import type { Received } from "../../http/connection-record.ts";
import type { TransportFailure } from "../../http/failure.ts";
import { noTls } from "../../http/tls.ts";
import { type Fix, fix, flag, nowSet } from "../../settings/fix.ts";
import type { Finding } from "../result.ts";
import { certificateFinding } from "./certificate.ts";
import { type Cause, type Evidence, measured, possible } from "./evidence.ts";
import { apiPeer, serverOf } from "./peer.ts";

/** A server that does not speak HTTP/1.1. */
export const onlyHttp2: Finding<Fix> = measured(
  "http-version",
  "the server refuses HTTP/1.1; it may speak HTTP/2 alone",
  fix`Ask the server's operator to allow HTTP/1.1: this tool does not speak HTTP/2`,
);

const checkHost = fix`Check the host of the base URL ${nowSet("baseUrl")}`;
const withoutCertificate = fix`${checkHost}, and ask the server's operator for an address without client certificates`;

/** What the server's name is, and the server with its address and port. */
interface Names {
  readonly host: string;
  readonly server: string;
}

/** Why a handshake failed before the certificate was verified, by a part of OpenSSL's code and by what came back. */
type Row = readonly [code: RegExp, finding: (names: Names) => Finding<Fix>, received?: Received];

const handshake: readonly Row[] = [
  [
    noTls,
    ({ server }) =>
      measured(
        "not-tls",
        `${server} answered, but does not speak TLS`,
        fix`Check the port of the base URL ${nowSet("baseUrl")}; a port for http:// cannot speak https://`,
      ),
  ],
  // Alerts are the server's own refusal (RFC 8446, section 6.2). This one answers the name that the client asks for.
  [
    /UNRECOGNIZED_NAME/,
    ({ host }) =>
      measured(
        "unknown-server-name",
        `the server has no certificate for the name ${host}`,
        fix`${checkHost}, and ask the server's operator which name it serves`,
      ),
  ],
  [/NO_APPLICATION_PROTOCOL/, () => onlyHttp2],
  [
    /CERTIFICATE_REQUIRED|BAD_CERTIFICATE/,
    () =>
      measured(
        "client-certificate",
        "the server wants a client certificate, and this tool sends none",
        withoutCertificate,
      ),
  ],
  // The server has shown its own certificate, so version, cipher and group were agreed.
  [
    /HANDSHAKE_FAILURE/,
    () =>
      possible(
        "client-certificate",
        "the server showed its certificate and then refused the handshake: it may want a client certificate, and this tool sends none",
        withoutCertificate,
      ),
    "part",
  ],
  [
    /ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/,
    () =>
      measured(
        "tls-version",
        "the server speaks neither TLS 1.2 nor TLS 1.3, or not the one that this machine allows",
        fix`Ask the server's operator to allow TLS 1.2 or newer`,
      ),
  ],
  [
    /HANDSHAKE_FAILURE|INSUFFICIENT_SECURITY/,
    () =>
      measured(
        "tls-parameters",
        "the server accepted no TLS version, cipher or group that this tool offers",
        fix`Ask the server's operator to allow TLS 1.2 or 1.3 with AES-GCM or ChaCha20 and the group X25519 or P-256; some servers answer so to a host that they do not serve: check that of the base URL ${nowSet("baseUrl")}`,
      ),
  ],
];

/** The codes of the system, and EOF. Those of OpenSSL and Node have an underscore. */
export const systemCode = /^E[A-Z]+$/;

/** Why there is no trusted TLS connection. */
export function tlsCause(
  { code, reason, certificate }: Extract<TransportFailure, { step: "tls" }>,
  evidence: Evidence,
): Cause {
  const { received } = evidence.exchange.trace.connection;
  const server = serverOf(evidence);
  const host = apiPeer(evidence).name;
  const what = certificate === null ? "no TLS connection" : "no trusted TLS connection";
  const headline = `${what} (${code === "UNSPECIFIED" ? `${code}: ${reason}` : code}) to ${server}`;
  if (certificate !== null) return { headline, ...certificateFinding(code, reason, certificate, host) };
  const known = handshake.find(([pattern, , only]) => pattern.test(code) && (only ?? received) === received);
  if (known !== undefined) return { headline, ...known[1]({ host, server }) };
  if (systemCode.test(code)) return endCause(code, evidence);
  return { headline, fix: fixWithoutRow(code, received) };
}

/** The connection ended within the handshake. */
function endCause(code: string, evidence: Evidence): Cause {
  const { received, steps } = evidence.exchange.trace.connection;
  const server = serverOf(evidence);
  const other = steps.proxy === null ? fix`you need a proxy (${flag("proxy")})` : fix`the proxy does`;
  const ask = fix`ask whether a firewall or a device that inspects TLS ends such connections, or whether ${other}`;
  return received === "part"
    ? {
        headline: `the connection to ${server} ended in the middle of the TLS handshake (${code})`,
        fix: fix`Try again; if it keeps happening, ${ask}`,
      }
    : {
        headline: `${server} accepted the connection and ended it before TLS began (${code})`,
        fix: fix`Check the scheme, the host and the port of the base URL ${nowSet("baseUrl")}, and ${ask}`,
      };
}

function fixWithoutRow(code: string, received: Received | null): Fix {
  if (!code.includes("_ALERT_")) return fix`Tell the server's operator this code, which is OpenSSL's`;
  return received === "part"
    ? fix`${checkHost}, and ask its operator whether the server wants a client certificate, which this tool does not send`
    : fix`${checkHost}, and tell the server's operator this code, which is the server's own alert`;
}
