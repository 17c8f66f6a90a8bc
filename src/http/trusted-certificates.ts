// The default import: Node 20 has no `getCACertificates`, and webpack would import it by name.
import tls from "node:tls";
import { BoundedCache } from "./bounded-cache.ts";

/**
 * Trusts Node's own roots and these certificates, in PEM. The option `ca` would replace Node's roots, and parsing a list
 * of them takes 12 ms. Node has no public way to add to them, so this uses the method that implements `ca`.
 */
function contextOf(
  certificates: Iterable<string>,
  options: tls.SecureContextOptions = {},
): tls.SecureContext {
  const context = tls.createSecureContext(options);
  for (const certificate of certificates) context.context.addCACert(certificate);
  return context;
}

// Their key shares have 97 bytes. That of X25519MLKEM768, which OpenSSL 3.5 offers first, has 1,216.
const classicalGroups = "X25519:P-256:P-384:P-521";

/** The certificates of the operating system. Node 20 cannot read them. */
function systemCertificates(): readonly string[] {
  return typeof tls.getCACertificates === "function" ? tls.getCACertificates("system") : [];
}

/** One set of trusted certificates, and the TLS sessions with servers that it has verified. */
export class TrustedCertificates {
  /** By origin and proxy. No other set of certificates may resume them: resuming verifies nothing. */
  readonly sessions = new BoundedCache<Buffer>(256);
  /** The keys of servers that answer a small ClientHello alone, so that a run waits only once to find out. */
  readonly smallHellos = new BoundedCache<true>(256);
  // The system's are added once a chain needed them.
  #certificates: readonly string[];
  #hasSystem = false;
  readonly #contexts = new Map<boolean, tls.SecureContext>();

  constructor(extraCertificates: readonly string[]) {
    this.#certificates = extraCertificates;
  }

  /** Trusts Node's roots and these certificates. For a small ClientHello it offers only the classical groups. */
  contextFor(smallHello: boolean): tls.SecureContext {
    const known = this.#contexts.get(smallHello);
    if (known !== undefined) return known;
    const context = contextOf(this.#certificates, smallHello ? { ecdhCurve: classicalGroups } : {});
    this.#contexts.set(smallHello, context);
    return context;
  }

  /**
   * Adds the system's certificates, and returns whether more is trusted now than by the context that failed to verify a chain.
   * They are read only after such a failure, since reading them takes 25 ms or more.
   */
  widen(failed: tls.SecureContext): boolean {
    if (!this.#hasSystem) {
      this.#hasSystem = true;
      // The system's store lists many of them twice.
      const system = new Set(systemCertificates());
      if (system.size > 0) {
        this.#certificates = [...this.#certificates, ...system];
        this.#contexts.clear();
      }
    }
    return ![...this.#contexts.values()].includes(failed);
  }
}

/** What the TLS connections of one run share. */
export class TlsCache {
  // Each set holds a copy of all roots.
  readonly #trusts = new BoundedCache<TrustedCertificates>(16);

  /** The trust in Node's roots, the system's and these certificates, in PEM. */
  trusting(extraCertificates: readonly string[]): TrustedCertificates {
    const key = extraCertificates.join("\0");
    const known = this.#trusts.get(key);
    if (known !== undefined) return known;
    const trust = new TrustedCertificates(extraCertificates);
    this.#trusts.set(key, trust);
    return trust;
  }
}
