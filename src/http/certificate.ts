import type { PeerCertificate } from "node:tls";
import type { CertificateFacts } from "./failure.ts";

/** The certificates that a server sent, its own first, and those that this machine adds up to the root. */
export type Chain = readonly [PeerCertificate, ...PeerCertificate[]];

/** The chain of a certificate that node:tls describes in detail; null if the server sent none. A root is its own issuer. */
export function chainOf(first: Partial<PeerCertificate> | null): Chain | null {
  const chain = new Set<PeerCertificate>();
  let next = first as (PeerCertificate & { readonly issuerCertificate?: PeerCertificate }) | undefined | null;
  for (; next?.valid_to !== undefined && !chain.has(next); next = next.issuerCertificate) chain.add(next);
  const [own, ...issuers] = chain;
  return own === undefined ? null : [own, ...issuers];
}

/** The certificate of a chain that a verification error is about. Node does not tell, so it is looked for; else the server's own. */
function refusedOf(code: string, chain: Chain): PeerCertificate {
  const [own] = chain;
  const now = Date.now();
  switch (code) {
    case "CERT_HAS_EXPIRED":
      return chain.find(({ valid_to }) => Date.parse(valid_to) < now) ?? own;
    case "CERT_NOT_YET_VALID":
      return chain.find(({ valid_from }) => Date.parse(valid_from) > now) ?? own;
    // The issuer of the last one is not known or not trusted.
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
      return chain.at(-1) ?? own;
    default:
      return own;
  }
}

/** A date of a certificate (RFC 5280, 4.1.2.5) in ISO 8601, as reports write times; null if it cannot be read. */
export function isoDate(text: string): string | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

// A report shows the first three.
const mostNames = 100;

/** The content of the certificate that an error of this code is about. `fitsHost`: whether the first of the chain is for the host. */
export function factsOf(code: string, chain: Chain, fitsHost: boolean): CertificateFacts {
  const refused = refusedOf(code, chain);
  const nameOf = (part: PeerCertificate["subject"] | undefined): string => {
    const name = part?.CN ?? part?.O;
    return (Array.isArray(name) ? name[0] : name) ?? "no name";
  };
  return {
    subject: nameOf(refused.subject),
    issuer: nameOf(refused.issuer),
    names: (refused.subjectaltname ?? "").split(", ", mostNames).filter((name) => name !== ""),
    fitsHost,
    validFrom: isoDate(refused.valid_from) ?? refused.valid_from,
    validTo: isoDate(refused.valid_to) ?? refused.valid_to,
    isServers: refused === chain[0],
  };
}
