import type { TransportFailure } from "../../http/failure.ts";
import { noTls } from "../../http/tls.ts";
import { type Fix, fix, flag, nowSet } from "../../settings/fix.ts";
import type { Finding } from "../result.ts";
import { certificateFinding } from "./certificate.ts";
import { type Cause, type Evidence, measured } from "./evidence.ts";

/** A server that does not speak HTTP/1.1. */
export const onlyHttp2: Finding<Fix> = measured(
  "http-version",
  "the server refuses HTTP/1.1; it may speak HTTP/2 alone",
  fix`Ask the server's operator to allow HTTP/1.1: this tool does not speak HTTP/2`,
);

/** Why a handshake failed before the certificate was verified, by a part of OpenSSL's code. */
const handshake: ReadonlyArray<
  readonly [code: RegExp, finding: (host: string, port: string) => Finding<Fix>]
> = [
  [
    noTls,
    (_host, port) =>
      measured(
        "not-tls",
        `port ${port} answered, but does not speak TLS`,
        fix`Check the port of the base URL ${nowSet("baseUrl")}; a port for http:// cannot speak https://`,
      ),
  ],
  // Alerts are the server's own refusal (RFC 8446, section 6.2). This one answers the name that the client asks for.
  [
    /UNRECOGNIZED_NAME/,
    (host) =>
      measured(
        "unknown-server-name",
        `the server has no certificate for the name ${host}`,
        fix`Check the host of the base URL ${nowSet("baseUrl")}, and ask the server's operator which name it serves`,
      ),
  ],
  [/NO_APPLICATION_PROTOCOL/, () => onlyHttp2],
  [
    /CERTIFICATE_REQUIRED/,
    () =>
      measured(
        "client-certificate",
        "the server wants a client certificate, and this tool sends none",
        fix`Check the host of the base URL ${nowSet("baseUrl")}, and ask the server's operator for an address without client certificates`,
      ),
  ],
  [
    /ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/,
    () =>
      measured(
        "tls-version",
        "the server speaks neither TLS 1.2 nor TLS 1.3",
        fix`Ask the server's operator to allow TLS 1.2 or newer`,
      ),
  ],
];

/** Why there is no trusted TLS connection. */
export function tlsCause(
  { code, reason, certificate }: Extract<TransportFailure, { step: "tls" }>,
  { url, redact }: Evidence,
): Cause {
  const headline = `no trusted TLS connection (${code === "UNSPECIFIED" ? `${code}: ${reason}` : code})`;
  if (certificate !== null) return { headline, ...certificateFinding(code, reason, certificate) };
  const known = handshake.find(([pattern]) => pattern.test(code));
  return {
    headline,
    ...(known?.[1](redact(url.hostname), url.port || "443") ?? { fix: fixWithoutRow(code) }),
  };
}

function fixWithoutRow(code: string): Fix {
  if (code.includes("_ALERT_"))
    return fix`Check the host of the base URL ${nowSet("baseUrl")}, and ask its operator whether the server wants a client certificate, which this tool does not send`;
  return code.startsWith("ERR_SSL_")
    ? fix`Tell the server's operator this code, which is OpenSSL's`
    : fix`Check the scheme, the host and the port of the base URL ${nowSet("baseUrl")}, and whether a firewall ends such connections or you need a proxy (${flag("proxy")})`;
}
