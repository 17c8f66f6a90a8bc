import * as tls from "node:tls";

/**
 * The certificates that a server's chain may end in: Node's own, those of the operating system, and these further ones,
 * all in PEM. Node 20 cannot read the system's.
 */
export function trustedRoots(extraCertificates: readonly string[]): string[] {
  const stores =
    typeof tls.getCACertificates === "function"
      ? [tls.getCACertificates("default"), tls.getCACertificates("system")]
      : [tls.rootCertificates];
  // The system's store lists many of them twice, and each costs time to parse.
  return [...new Set([...stores.flat(), ...extraCertificates])];
}
