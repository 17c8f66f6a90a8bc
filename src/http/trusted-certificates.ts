// The default import: Node 20 has no `getCACertificates`, and webpack would import it by name.
import tls from "node:tls";
import { BoundedCache } from "./bounded-cache.ts";

/**
 * Trusts Node's own roots and these certificates, in PEM. The option `ca` would replace Node's roots, and parsing a list
 * of them takes 12 ms. Node has no public way to add to them, so this uses the method that implements `ca`.
 */
function contextOf(certificates: Iterable<string>): tls.SecureContext {
  const context = tls.createSecureContext();
  for (const certificate of certificates) context.context.addCACert(certificate);
  return context;
}

/** The certificates of the operating system. Node 20 cannot read them. */
function systemCertificates(): readonly string[] {
  return typeof tls.getCACertificates === "function" ? tls.getCACertificates("system") : [];
}

/** One set of trusted certificates, and the TLS sessions with servers that it has verified. */
export class TrustedCertificates {
  /** By origin and proxy. No other set of certificates may resume them: resuming verifies nothing. */
  readonly sessions = new BoundedCache<Buffer>(256);
  readonly #extraCertificates: readonly string[];
  #context: tls.SecureContext | null = null;
  #hasSystem = false;

  constructor(extraCertificates: readonly string[]) {
    this.#extraCertificates = extraCertificates;
  }

  /** Trusts Node's roots and the extra certificates, and those of the system once a chain needed them. */
  get context(): tls.SecureContext {
    this.#context ??= contextOf(this.#extraCertificates);
    return this.#context;
  }

  /**
   * Adds the system's certificates, and returns whether `context` now trusts more than the one that failed to verify a chain.
   * They are read only after such a failure, since reading them takes 25 ms or more.
   */
  widen(failed: tls.SecureContext): boolean {
    if (!this.#hasSystem) {
      this.#hasSystem = true;
      // The system's store lists many of them twice.
      const system = new Set(systemCertificates());
      if (system.size > 0) this.#context = contextOf([...this.#extraCertificates, ...system]);
    }
    return this.#context !== failed;
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
