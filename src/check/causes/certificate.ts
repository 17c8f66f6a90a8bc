// Why a certificate is refused, and who can mend it.

import { isIP } from "node:net";
import type { CertificateFacts } from "../../http/failure.ts";
import { type Fix, fix, flag, nowSet } from "../../settings/fix.ts";
import { type Finding, measured } from "../result.ts";
import type { Peer } from "./peer.ts";

/** The setting that gave this program the certificate; null for a certificate of the server. */
function givenIn({ givenBy }: CertificateFacts): Fix | null {
  if (givenBy === null) return null;
  return givenBy === "extraCertificates"
    ? fix`${flag("extraCertificates")} ${nowSet("extraCertificates")}`
    : fix`the file of ${givenBy}`;
}

/** What to do about a certificate that is not valid now. Whoever gave it has to replace it. */
function renew(facts: CertificateFacts, atServer: Fix): Fix {
  const place = givenIn(facts);
  if (place === null) return atServer;
  return facts.isServers
    ? fix`The server still shows it: once it has a new one, put that into ${place}`
    : fix`Replace it in ${place}: it comes from there, and its issuer may have a newer one`;
}

/** Where a CA is not known here: what to do about a certificate that it signed. */
function trustIssuer(facts: CertificateFacts): Fix {
  const place = givenIn(facts);
  // An older Node.js takes only the end of a chain from a file.
  if (place !== null)
    return fix`Use Node.js 20.18, 22.9 or newer, which trust any certificate of ${place}; or put the root above it there`;
  const its = facts.cameAlone
    ? "the server's operator has to send the intermediate certificates as well"
    : "ask the server's operator to check the certificates that it sends";
  return fix`If a private CA, or a program or device that reads TLS on its way, signs it, give the CA's certificate with ${flag("extraCertificates")}; if a public CA does, ${its}`;
}

/**
 * What is wrong with a certificate, in words that follow "the certificate of X, issued by Y,", by Node's code for the error (tls, "X509
 * certificate error codes").
 */
function problemOf(code: string, reason: string, facts: CertificateFacts): Finding<Fix> {
  const place = givenIn(facts);
  if (reason.endsWith("too weak"))
    return measured(
      "certificate-unfit",
      "has a key or a signature that is too weak, or one above it has",
      fix`Ask the server's operator for a certificate with RSA of 2,048 bits or more and SHA-256`,
    );
  switch (code) {
    case "CERT_HAS_EXPIRED":
      return measured(
        "certificate-expired",
        `expired on ${facts.validTo}`,
        renew(
          facts,
          fix`Ask the server's operator to renew it; if you think that this date has not come yet, this machine's clock is wrong`,
        ),
      );
    case "CERT_NOT_YET_VALID":
      return measured(
        "certificate-not-yet-valid",
        `is not valid before ${facts.validFrom}`,
        place === null
          ? fix`Check this machine's clock, then tell the server's operator`
          : fix`Check this machine's clock, then the certificate in ${place}`,
      );
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
      return measured(
        "certificate-unknown-ca",
        facts.isServers ? "is signed by itself" : "is signed by itself and not known here",
        fix`If you trust it, give its file with ${flag("extraCertificates")}; verification cannot be switched off`,
      );
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
      return measured(
        "certificate-unknown-ca",
        `${facts.cameAlone ? "came alone, and is" : "is"} signed by a CA that is not known here`,
        trustIssuer(facts),
      );
    // OpenSSL gives some of the others the code UNSPECIFIED.
    default:
      return measured(
        "certificate-unfit",
        `is refused by OpenSSL${reason === "" ? "" : `: ${reason}`} (${code})`,
        fix`Tell the server's operator these words and the code`,
      );
  }
}

// A certificate can have a hundred.
const mostNames = 3;

/** Why a certificate is refused. */
export function certificateFinding(
  code: string,
  reason: string,
  certificate: CertificateFacts,
  { name: host, setting }: Peer,
): Finding<Fix> {
  const { subject, issuer, names, isServers, fitsHost } = certificate;
  const whose = `the certificate of ${subject}${isServers ? "" : ", above the server's own"}, issued by ${issuer},`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    const hosts = names.slice(0, mostNames).map((name) => name.replace(/^(?:DNS|IP Address):/, ""));
    const shown = hosts.join(", ") || subject;
    return measured(
      "certificate-host",
      `${whose} is for ${shown}`,
      isIP(host.replace(/[[\]]/g, "")) === 0
        ? fix`Check the host of ${setting}`
        : fix`Write the name of the host, not its address, in ${setting}`,
    );
  }
  const found = problemOf(code, reason, certificate);
  if (!fitsHost && found.id === "certificate-unknown-ca")
    return measured(
      "certificate-host",
      `${whose} ${found.message}, and ${isServers ? "" : "the server's own "}is not for ${host}: somebody else answers, or a server that does not know this name`,
      fix`If this network wants a login, log in with a web browser; else check the host of ${setting}, and ask whether a firewall answers for it or the server shows its default certificate`,
    );
  return { ...found, message: `${whose} ${found.message}` };
}
