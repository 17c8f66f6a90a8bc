import type { CertificateFacts } from "../../http/failure.ts";
import { type Fix, fix, flag } from "../../settings/fix.ts";
import type { Finding, RuleId } from "../result.ts";
import { baseUrl, measured } from "./evidence.ts";

/** Why a certificate is refused: what is wrong with it, in words that follow "the certificate of X, issued by Y,". */
type Row = readonly [
  id: RuleId,
  problem: (facts: CertificateFacts) => string,
  advice: Fix,
  /** Added for a certificate above the server's own. */
  more?: Fix,
];

const operator = "Ask the server's operator for";
const unfit = (problem: string, advice: Fix): Row => ["certificate-unfit", () => problem, advice];

const expired: Row = [
  "certificate-expired",
  ({ validTo }) => `expired on ${validTo}`,
  fix`Tell the server's operator, or check this machine's clock if that date is in the future`,
  fix`; if the certificate comes from ${flag("caCert")}, put the CA's new one there`,
];
const notYetValid: Row = [
  "certificate-not-yet-valid",
  ({ validFrom }) => `is not valid before ${validFrom}`,
  fix`Check this machine's clock, then tell the server's operator`,
];
const unknownIssuer: Row = [
  "certificate-unknown-ca",
  () => "is signed by a CA that is not known here",
  fix`If a private CA or a proxy signs it, give its certificate with ${flag("caCert")}; if a public CA does, the server's operator has to send the intermediate certificates as well`,
];
const badDate = unfit("has a date that cannot be read", fix`${operator} a certificate with valid dates`);
const badSignature = unfit(
  "has a signature that its issuer has not made",
  fix`Compare the issuer with the CA of ${flag("caCert")}: another CA of the same name may have signed it`,
);
const untrusted = unfit(
  "belongs to a chain whose CA is not trusted for servers",
  fix`${operator} a certificate of another CA`,
);
const otherNames = unfit(
  "has a CA above it that may not sign for these names (name constraints)",
  fix`${operator} a certificate of a CA that may sign for this host`,
);
const unfitPurpose: Row = [
  "certificate-unfit",
  ({ isServers, isAuthority }) =>
    isServers || isAuthority
      ? "is not meant for servers (key usage or extended key usage)"
      : "signs the server's certificate, but is not the certificate of a CA",
  fix`${operator} a certificate that is meant for servers, signed by a CA`,
];

/** By Node's code for the error (tls, "X509 certificate error codes"), or by OpenSSL's sentence, where the code is UNSPECIFIED. */
const rows: Readonly<Record<string, Row>> = {
  CERT_HAS_EXPIRED: expired,
  CERT_NOT_YET_VALID: notYetValid,
  ERROR_IN_CERT_NOT_BEFORE_FIELD: badDate,
  ERROR_IN_CERT_NOT_AFTER_FIELD: badDate,
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    "certificate-self-signed",
    () => "is signed by itself",
    fix`If you trust this certificate, give its file with ${flag("caCert")}; verification cannot be switched off`,
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    "certificate-self-signed",
    () => "is signed by itself and not known here",
    fix`If you trust its CA, give the CA's certificate with ${flag("caCert")}; verification cannot be switched off`,
  ],
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  UNABLE_TO_DECRYPT_CERT_SIGNATURE: badSignature,
  UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: badSignature,
  CERT_SIGNATURE_FAILURE: badSignature,
  CERT_UNTRUSTED: untrusted,
  CERT_REJECTED: untrusted,
  CERT_REVOKED: unfit("was revoked by its issuer", fix`${operator} a new certificate`),
  CERT_CHAIN_TOO_LONG: unfit("has too many certificates above it", fix`${operator} a shorter chain`),
  PATH_LENGTH_EXCEEDED: unfit(
    "has a CA above it that may not sign for so many CAs below (path length)",
    fix`${operator} a certificate of another CA`,
  ),
  INVALID_CA: unfitPurpose,
  INVALID_PURPOSE: unfitPurpose,
  "EE certificate key too weak": unfit(
    "has a key that is too weak",
    fix`${operator} a certificate with a stronger key, such as RSA with 2,048 bits`,
  ),
  "CA certificate key too weak": unfit(
    "has a CA above it whose key is too weak",
    fix`${operator} a certificate of a CA with a stronger key`,
  ),
  "CA signature digest algorithm too weak": unfit(
    "is signed with a hash that is too weak, such as SHA-1, or one above it is",
    fix`${operator} a certificate that is signed with SHA-256`,
  ),
  "permitted subtree violation": otherNames,
  "excluded subtree violation": otherNames,
  "unhandled critical extension": unfit(
    "has a critical extension that OpenSSL does not know, or one above it has",
    fix`${operator} a certificate without that extension`,
  ),
  "key usage does not include certificate signing": unfit(
    "has an issuer whose key may not sign certificates (key usage)",
    fix`${operator} a certificate of a CA whose key usage allows it`,
  ),
};

/** Why a certificate is refused. A cause without a row is told by its code and OpenSSL's sentence. */
export function certificateFinding(
  code: string,
  reason: string,
  certificate: CertificateFacts,
  host: string,
): Finding<Fix> {
  const { subject, issuer, names, isServers, fitsHost } = certificate;
  const whose = `the certificate of ${subject}${isServers ? "" : ", above the server's own"}, issued by ${issuer},`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID" || code === "HOSTNAME_MISMATCH") {
    const hosts = names.map((name) => name.replace(/^(?:DNS|IP Address):/, ""));
    const shown = hosts.slice(0, 3).join(", ") || subject;
    return measured("certificate-host", `${whose} is for ${shown}`, fix`Check the host of ${baseUrl}`);
  }
  const [id, problem, advice, more = []] =
    rows[code] ??
    rows[reason] ??
    unfit(
      `is refused by OpenSSL: ${reason || code}`,
      fix`Tell the server's operator these words and the code`,
    );
  if (!fitsHost && (id === "certificate-self-signed" || id === "certificate-unknown-ca")) {
    return measured(
      "certificate-of-others",
      `${whose} ${problem(certificate)}, and ${isServers ? "" : "the server's own "}is not for ${host}: somebody else answers, or a server that does not know this name`,
      fix`If this network wants a login, log in with a web browser; else check the host of ${baseUrl}, and ask whether a firewall answers for it or the server shows its default certificate`,
    );
  }
  return measured(id, `${whose} ${problem(certificate)}`, isServers ? advice : [...advice, ...more]);
}
