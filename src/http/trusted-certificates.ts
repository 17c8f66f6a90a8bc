// The default import: Node 20 has no `getCACertificates`, and webpack would import it by name.
import tls from "node:tls";
import { readFile } from "../system/file-reading.ts";

/** Where Linux distributions keep their certificates in one file (crypto/x509/root_linux.go of Go lists the same). */
const bundles = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/pki/tls/cacert.pem",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
  "/etc/ssl/cert.pem",
];
const maxBundleBytes = 8 * 1024 * 1024;

/** The certificates, in PEM, of the first of these files that has any. OpenSSL skips one that it cannot parse. */
export function certificatesInFirst(files: readonly string[]): readonly string[] {
  for (const file of files) {
    try {
      const text = Buffer.from(readFile(file, maxBundleBytes).bytes).toString("latin1");
      const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
      if (certificates !== null) return certificates;
    } catch {
      // It is not the place of this distribution.
    }
  }
  return [];
}

/**
 * The certificates of the operating system, for the command and the library alike. Node 20 cannot list them; newer ones look at
 * SSL_CERT_FILE themselves.
 */
export function systemCertificates(list = tls.getCACertificates): readonly string[] {
  if (typeof list === "function") return list("system");
  const { SSL_CERT_FILE: named } = process.env;
  const known = process.platform === "linux" ? bundles : [];
  return certificatesInFirst(named ? [named, ...known] : known);
}

/** A cache by key. Beyond the limit it drops the value that was added first. */
export class BoundedCache<Value> extends Map<string, Value> {
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override set(key: string, value: Value): this {
    super.set(key, value);
    const [oldest = key] = this.keys();
    if (this.size > this.#limit) this.delete(oldest);
    return this;
  }
}

/** A TLS session, and when the certificate that its first handshake verified expires. */
interface Session {
  readonly ticket: Buffer;
  readonly expiresAt: string | null;
}

/** One set of trusted certificates, and the TLS sessions with servers that it has verified. */
export class TrustedCertificates {
  /** By origin and proxy. No other set of certificates may resume them: resuming verifies nothing. */
  readonly sessions = new BoundedCache<Session>(256);
  // The system's are added once a chain needed them.
  #certificates: readonly string[];
  #hasSystem = false;
  #context: tls.SecureContext | null = null;

  constructor(extraCertificates: readonly string[]) {
    this.#certificates = extraCertificates;
  }

  /** Trusts Node's roots and these certificates. */
  context(): tls.SecureContext {
    if (this.#context !== null) return this.#context;
    const context = tls.createSecureContext();
    // The option `ca` would replace Node's roots, and parsing a list of them takes 12 ms. Node has no public way to add to them,
    // so this uses the method that implements `ca`.
    for (const certificate of this.#certificates) context.context.addCACert(certificate);
    this.#context = context;
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
        this.#context = null;
      }
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
    const trust = this.#trusts.get(key) ?? new TrustedCertificates(extraCertificates);
    this.#trusts.set(key, trust);
    return trust;
  }
}
