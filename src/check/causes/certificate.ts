import type { CertificateFacts } from "../../http/failure.ts";
import { type Fix, fix, flag } from "../../settings/fix.ts";
import { type Finding, type FindingId, measured } from "../result.ts";
import type { Peer } from "./peer.ts";

/** What is wrong with a certificate, in words that follow "the certificate of X, issued by Y,". */
interface CertificateRow {
  readonly id: FindingId;
  readonly problem: (facts: CertificateFacts) => string;
  readonly advice: Fix;
}

const selfSigned: CertificateRow = {
  id: "certificate-self-signed",
  problem: ({ isServers }) => (isServers ? "is signed by itself" : "is signed by itself and not known here"),
  advice: fix`If you trust it, give its file with ${flag("extraCertificates")}; verification cannot be switched off`,
};
const unknownIssuer: CertificateRow = {
  id: "certificate-unknown-ca",
  problem: () => "is signed by a CA that is not known here",
  advice: fix`If a private CA or a proxy signs it, give the CA's certificate with ${flag("extraCertificates")}; if a public CA does, ask the server's operator to check the certificates that it sends`,
};
const weak: CertificateRow = {
  id: "certificate-unfit",
  problem: () => "has a key or a signature that is too weak, or one above it has",
  advice: fix`Ask the server's operator for a certificate with RSA of 2,048 bits or more and SHA-256`,
};

/** By Node's code for the error (tls, "X509 certificate error codes"). */
const rows: Readonly<Record<string, CertificateRow>> = {
  CERT_HAS_EXPIRED: {
    id: "certificate-expired",
    problem: ({ validTo }) => `expired on ${validTo}`,
    advice: fix`Ask the server's operator to renew it; if you think that this date has not come yet, this machine's clock is wrong`,
  },
  CERT_NOT_YET_VALID: {
    id: "certificate-not-yet-valid",
    problem: ({ validFrom }) => `is not valid before ${validFrom}`,
    advice: fix`Check this machine's clock, then tell the server's operator`,
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    id: "certificate-unknown-ca",
    problem: () => "came alone, and is signed by a CA that is not known here",
    advice: fix`If a private CA or a proxy signs it, give the CA's certificate with ${flag("extraCertificates")}; if a public CA does, the server's operator has to send the intermediate certificates as well`,
  },
};

/** What OpenSSL says of a certificate for which there is no row. It gives some of them the code UNSPECIFIED. */
const inItsWords = (code: string, reason: string): CertificateRow => ({
  id: "certificate-unfit",
  problem: () => `is refused by OpenSSL${reason === "" ? "" : `: ${reason}`} (${code})`,
  advice: fix`Tell the server's operator these words and the code`,
});

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
    const hosts = names.map((name) => name.replace(/^(?:DNS|IP Address):/, ""));
    const shown = hosts.slice(0, 3).join(", ") || subject;
    return measured("certificate-host", `${whose} is for ${shown}`, fix`Check the host of ${setting}`);
  }
  const row = reason.endsWith("too weak") ? weak : rows[code];
  const { id, problem, advice } = row ?? inItsWords(code, reason);
  if (!fitsHost && (id === "certificate-self-signed" || id === "certificate-unknown-ca")) {
    return measured(
      "certificate-of-others",
      `${whose} ${problem(certificate)}, and ${isServers ? "" : "the server's own "}is not for ${host}: somebody else answers, or a server that does not know this name`,
      fix`If this network wants a login, log in with a web browser; else check the host of ${setting}, and ask whether a firewall answers for it or the server shows its default certificate`,
    );
  }
  return measured(id, `${whose} ${problem(certificate)}`, advice);
}
