// Why there is no trusted TLS connection. What OpenSSL or the system says is quoted; this file adds who can mend it.

import { noTls } from "../../http/failure.ts";
import { type Fix, fix, flag } from "../../settings/fix.ts";
import type { Rule } from "../check-context.ts";
import { type Finding, measured, possible } from "../result.ts";
import { certificateFinding } from "./certificate.ts";
import type { FailureRow } from "./peer.ts";
import { checkNetwork } from "./reach.ts";

// The alert does not say why. Servers send it for a name that none of their certificates covers, and where no cipher is common.
const bareRefusal = /HANDSHAKE_FAILURE/;

/** The second thing that a bare handshake_failure may mean. The first one is the name. */
export const noCommonParameters: Rule = ({ outcome }) =>
  "failure" in outcome &&
  outcome.failure.step === "tls" &&
  outcome.failure.received === "alert" &&
  bareRefusal.test(outcome.failure.code ?? "") &&
  possible(
    "tls-refused",
    "the server may accept no TLS version, cipher or group that this tool offers",
    fix`Ask the server's operator to allow TLS 1.2 or 1.3 with AES-GCM or ChaCha20 and the group X25519 or P-256`,
  );

/** The codes of the system, and EOF. Those of OpenSSL and Node have an underscore. */
export const systemCode = /^E[A-Z]+$/;

/** Why a handshake failed before the certificate was verified. A cause that only follows from what came back is `possible`. */
const handshakeFinding = ({
  failure: { code, reason, received },
  peer: { inFull, name, setting },
}: Parameters<FailureRow>[0]): Finding<Fix> => {
  const words = code ?? "";
  const checkHost = fix`Check the host of ${setting}`;
  if (noTls.test(words))
    return measured(
      "other-protocol",
      `${inFull} answered, but does not speak TLS`,
      fix`Check the scheme and the port of ${setting}: a port for http:// cannot speak https://`,
    );
  if (bareRefusal.test(words) && received === "alert")
    return possible(
      "tls-refused",
      `the server may serve no site, or have no certificate, for the name ${name}: some servers refuse such a name without saying so`,
      checkHost,
    );
  // A server that has shown its certificate has agreed to version, cipher and group (RFC 8446, section 4.4.2.4).
  const wantsCertificate = /CERTIFICATE_REQUIRED|BAD_CERTIFICATE/.test(words);
  if (wantsCertificate || bareRefusal.test(words))
    return (wantsCertificate ? measured : possible)(
      "tls-refused",
      `the server ${wantsCertificate ? "wants" : "showed its certificate and then refused the handshake: it may want"} a client certificate, and this tool sends none`,
      fix`${checkHost}, and ask the server's operator for an address without client certificates`,
    );
  return measured(
    "tls-refused",
    words.includes("_ALERT_") || words.includes("UNRECOGNIZED_NAME")
      ? `the server refused the handshake: "${reason || words}", as OpenSSL names its alert`
      : `OpenSSL ended the handshake: "${reason || words}"`,
    fix`${checkHost}, and tell the server's operator these words`,
  );
};

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
          fix: checkNetwork,
        };
  const what = certificate === null ? "no TLS connection" : "no trusted TLS connection";
  const headline = `${what} (${code === "UNSPECIFIED" ? `${code}: ${reason}` : code}) to ${inFull}`;
  if (certificate !== null) {
    const finding = certificateFinding(code, reason, certificate, failed.peer);
    return { ...finding, headline: `${headline}: ${finding.message}` };
  }
  return systemCode.test(code) ? endCause(failed) : { headline, ...handshakeFinding(failed) };
};

/** Why the connection ended during the TLS handshake without an alert, such as by ECONNRESET. */
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
