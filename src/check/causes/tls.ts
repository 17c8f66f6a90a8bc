// Why there is no trusted TLS connection, by the code of OpenSSL, Node or the system.

import { noTls, type Received } from "../../http/failure.ts";
import { type Fix, fix, flag } from "../../settings/fix.ts";
import { type Finding, type FindingId, measured, possible } from "../result.ts";
import { certificateFinding } from "./certificate.ts";
import type { Rule } from "./evidence.ts";
import type { FailureRow, Peer } from "./peer.ts";
import { checkNetwork } from "./reach.ts";

/** A server that does not speak HTTP/1.1. */
export const onlyHttp2: Finding<Fix> = measured(
  "http-version",
  "the server refuses HTTP/1.1; it may speak HTTP/2 alone",
  fix`Ask the server's operator to allow HTTP/1.1: this tool does not speak HTTP/2`,
);

const bareRefusal = /HANDSHAKE_FAILURE/;
const nothingInCommon = "no TLS version, cipher or group that this tool offers";
const askForParameters = fix`Ask the server's operator to allow TLS 1.2 or 1.3 with AES-GCM or ChaCha20 and the group X25519 or P-256`;

/** The second thing that a bare handshake_failure may mean. The first one is the name. */
export const noParameters: Rule = ({ outcome }) =>
  "failure" in outcome &&
  outcome.failure.step === "tls" &&
  outcome.failure.received === "alert" &&
  bareRefusal.test(outcome.failure.code ?? "") &&
  possible("tls-parameters", `the server may accept ${nothingInCommon}`, askForParameters);

/**
 * Why a handshake failed before the certificate was verified, by a part of OpenSSL's code. A cause that is only concluded, from
 * what came back, is possible.
 */
function handshakes({
  inFull,
  name,
  setting,
}: Peer): ReadonlyArray<
  readonly [code: RegExp, id: FindingId, message: string, advice: Fix, received?: Received]
> {
  const checkHost = fix`Check the host of ${setting}`;
  const withoutCertificate = fix`${checkHost}, and ask the server's operator for an address without client certificates`;
  return [
    [
      noTls,
      "not-tls",
      `${inFull} answered, but does not speak TLS`,
      fix`Check the scheme and the port of ${setting}: a port for http:// cannot speak https://`,
    ],
    // An alert is the server's own refusal (RFC 8446, section 6.2). This one refuses the name that the client asked for.
    [
      /UNRECOGNIZED_NAME/,
      "unknown-server-name",
      `the server has no certificate for the name ${name}`,
      fix`${checkHost}, and ask the server's operator which name it serves`,
    ],
    [/NO_APPLICATION_PROTOCOL/, "http-version", onlyHttp2.message, onlyHttp2.fix],
    [
      /CERTIFICATE_REQUIRED|BAD_CERTIFICATE/,
      "client-certificate",
      "the server wants a client certificate, and this tool sends none",
      withoutCertificate,
    ],
    // The server has shown its own certificate, so version, cipher and group were agreed.
    [
      /HANDSHAKE_FAILURE/,
      "client-certificate",
      "the server showed its certificate and then refused the handshake: it may want a client certificate, and this tool sends none",
      withoutCertificate,
      "part",
    ],
    [
      /ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/,
      "tls-version",
      "the server speaks neither TLS 1.2 nor TLS 1.3, or not the one that this machine allows",
      fix`Ask the server's operator to allow TLS 1.2 or newer`,
    ],
    // The alert does not say why. Cloudflare sends it for a name that none of its certificates covers.
    [
      bareRefusal,
      "unknown-server-name",
      `the server may serve no site, or have no certificate, for the name ${name}: some servers refuse such a name without saying so`,
      checkHost,
      "alert",
    ],
    [/INSUFFICIENT_SECURITY/, "tls-parameters", `the server accepted ${nothingInCommon}`, askForParameters],
  ];
}

/** The codes of the system, and EOF. Those of OpenSSL and Node have an underscore. */
export const systemCode = /^E[A-Z]+$/;

/** Why there is no trusted TLS connection to the API, or to an https:// proxy itself. */
export const tlsCause: FailureRow = (failed) => {
  const { code, reason, certificate, received } = failed.failure;
  const { inFull, setting } = failed.peer;
  if (code === null)
    return received === "nothing"
      ? {
          headline: `${inFull} accepted the connection and sent nothing in the TLS handshake`,
          fix: fix`Check the scheme and the port of ${setting}, and whether a firewall or a device that inspects TLS swallows the handshake`,
        }
      : {
          headline: `the TLS handshake with ${inFull} did not finish: only a part of it came`,
          fix: fix`${checkNetwork}, such as those that are too large for a VPN (MTU)`,
        };
  const what = certificate === null ? "no TLS connection" : "no trusted TLS connection";
  const headline = `${what} (${code === "UNSPECIFIED" ? `${code}: ${reason}` : code}) to ${inFull}`;
  if (certificate !== null)
    return { headline, ...certificateFinding(code, reason, certificate, failed.peer) };
  for (const [pattern, id, message, advice, only] of handshakes(failed.peer))
    if (pattern.test(code) && (only ?? received) === received)
      return { headline, ...(only === undefined ? measured : possible)(id, message, advice) };
  if (systemCode.test(code)) return endCause(failed);
  if (!code.includes("_ALERT_"))
    return { headline, fix: fix`Tell the server's operator this code, which is OpenSSL's` };
  return {
    headline,
    fix: fix`Check the host of ${setting}, and tell the server's operator this code, which is the server's own alert`,
  };
};

const endCause: FailureRow = ({ failure: { code, received }, connection, peer: { inFull, setting } }) => {
  const other = connection.proxy === null ? fix`you need a proxy (${flag("proxy")})` : fix`the proxy does`;
  const ask = fix`ask whether a firewall or a device that inspects TLS ends such connections, or whether ${other}`;
  return received === "part"
    ? {
        headline: `the connection to ${inFull} ended in the middle of the TLS handshake (${code})`,
        fix: fix`Try again; if it keeps happening, ${ask}`,
      }
    : {
        headline: `${inFull} accepted the connection and ended it before TLS began (${code})`,
        fix: fix`Check the scheme, the host and the port of ${setting}, and ${ask}`,
      };
};
