// Why a certificate is refused, by Node's code for the error, a row for each.

import { isIP } from "node:net";
import type { CertificateFacts } from "../../http/failure.ts";
import { type Fix, fix, flag, nowSet } from "../../settings/fix.ts";
import { type Finding, type FindingId, measured } from "../result.ts";
import type { Peer } from "./peer.ts";

/** What is wrong with a certificate, in words that follow "the certificate of X, issued by Y,". */
interface CertificateRow {
  readonly id: FindingId;
  readonly problem: (facts: CertificateFacts) => string;
  readonly advice: (facts: CertificateFacts) => Fix;
}

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

const selfSigned: CertificateRow = {
  id: "certificate-unknown-ca",
  problem: ({ isServers }) => (isServers ? "is signed by itself" : "is signed by itself and not known here"),
  advice: () =>
    fix`If you trust it, give its file with ${flag("extraCertificates")}; verification cannot be switched off`,
};
const unknownIssuer: CertificateRow = {
  id: "certificate-unknown-ca",
  problem: ({ cameAlone }) =>
    `${cameAlone ? "came alone, and is" : "is"} signed by a CA that is not known here`,
  advice(facts) {
    const place = givenIn(facts);
    // An older Node.js takes only the end of a chain from a file.
    if (place !== null)
      return fix`Use Node.js 20.18, 22.9 or newer, which trust any certificate of ${place}; or put the root above it there`;
    const its = facts.cameAlone
      ? "the server's operator has to send the intermediate certificates as well"
      : "ask the server's operator to check the certificates that it sends";
    return fix`If a private CA, or a program or device that reads TLS on its way, signs it, give the CA's certificate with ${flag("extraCertificates")}; if a public CA does, ${its}`;
  },
};
const weak: CertificateRow = {
  id: "certificate-unfit",
  problem: () => "has a key or a signature that is too weak, or one above it has",
  advice: () => fix`Ask the server's operator for a certificate with RSA of 2,048 bits or more and SHA-256`,
};

/** By Node's code for the error (tls, "X509 certificate error codes"). */
const rows: Readonly<Record<string, CertificateRow>> = {
  CERT_HAS_EXPIRED: {
    id: "certificate-expired",
    problem: ({ validTo }) => `expired on ${validTo}`,
    advice: (facts) =>
      renew(
        facts,
        fix`Ask the server's operator to renew it; if you think that this date has not come yet, this machine's clock is wrong`,
      ),
  },
  CERT_NOT_YET_VALID: {
    id: "certificate-not-yet-valid",
    problem: ({ validFrom }) => `is not valid before ${validFrom}`,
    advice(facts) {
      const place = givenIn(facts);
      return place === null
        ? fix`Check this machine's clock, then tell the server's operator`
        : fix`Check this machine's clock, then the certificate in ${place}`;
    },
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
};

/** What OpenSSL says of a certificate for which there is no row. It gives some of them the code UNSPECIFIED. */
const inItsWords = (code: string, reason: string): CertificateRow => ({
  id: "certificate-unfit",
  problem: () => `is refused by OpenSSL${reason === "" ? "" : `: ${reason}`} (${code})`,
  advice: () => fix`Tell the server's operator these words and the code`,
});

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
  const row = reason.endsWith("too weak") ? weak : rows[code];
  const { id, problem, advice } = row ?? inItsWords(code, reason);
  if (!fitsHost && id === "certificate-unknown-ca") {
    return measured(
      "certificate-host",
      `${whose} ${problem(certificate)}, and ${isServers ? "" : "the server's own "}is not for ${host}: somebody else answers, or a server that does not know this name`,
      fix`If this network wants a login, log in with a web browser; else check the host of ${setting}, and ask whether a firewall answers for it or the server shows its default certificate`,
    );
  }
  return measured(id, `${whose} ${problem(certificate)}`, advice(certificate));
}
