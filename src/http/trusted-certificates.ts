// The certificates that this machine trusts, and the TLS sessions that they verified. One set never resumes a session of another.

import { X509Certificate } from "node:crypto";
// The default import: Node 20 has no `getCACertificates`, and webpack would import it by name.
import tls from "node:tls";
import { orNull } from "../errors.ts";
import { readFile } from "../system/file-reading.ts";
import { certificateBlocks } from "../system/pem.ts";
import type { CertificateFacts } from "./failure.ts";

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

/** The certificates, in PEM, of the first of these files that has any. Those that OpenSSL cannot read are skipped later. */
export function certificatesInFirst(files: readonly string[]): readonly string[] {
  for (const file of files) {
    try {
      const text = Buffer.from(readFile(file, maxBundleBytes).bytes).toString("latin1");
      const blocks = certificateBlocks(text);
      if (blocks.length > 0) return blocks.map((block) => block.text);
    } catch {
      // It is not the place of this distribution.
    }
  }
  return [];
}

/** The certificates of the operating system, for the command and the library alike. Node 20 cannot list them. */
export function systemCertificates(list = tls.getCACertificates): readonly string[] {
  if (typeof list === "function") return list("system");
  return certificatesInFirst(process.platform === "linux" ? bundles : []);
}

/** The certificates of the file that SSL_CERT_FILE names, and those that NODE_EXTRA_CA_CERTS adds to every store. */
export function onlyCertificates(file: string, list = tls.getCACertificates): readonly string[] {
  // Node 20 read this variable too, and cannot list what it found.
  const extra =
    typeof list === "function" ? list("extra") : certificatesInFirst([process.env.NODE_EXTRA_CA_CERTS ?? ""]);
  return [...certificatesInFirst([file]), ...extra];
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

/** One set of trusted certificates, and the TLS sessions with servers that it has verified. */
export class TrustedCertificates {
  /** TLS sessions, and when the certificate expires that the first handshake verified, by origin and proxy. Resuming verifies nothing. */
  readonly sessions = new BoundedCache<{ readonly ticket: Buffer; readonly expiresAt: string | null }>(256);
  /** Tells the sets of a run apart: their texts are long. */
  readonly id: number;
  readonly #extra: readonly string[];
  // Where it is set, it replaces the roots of Node and of the system, as for OpenSSL and curl: so a CA can be taken out.
  readonly #onlyFile = process.env.SSL_CERT_FILE || null;
  // Its certificates, or else the system's: null until they are needed.
  #stored: readonly string[] | null = null;
  #context: tls.SecureContext | null = null;

  constructor(extraCertificates: readonly string[], id = 0) {
    this.#extra = extraCertificates;
    this.id = id;
  }

  /** Whether these are the certificates that it adds. */
  adds(certificates: readonly string[]): boolean {
    const extra = this.#extra;
    const { length } = certificates;
    return (
      extra === certificates ||
      (extra.length === length && extra.every((pem, at) => pem === certificates[at]))
    );
  }

  /** Trusts these certificates, and Node's roots unless SSL_CERT_FILE replaces them. */
  context(): tls.SecureContext {
    if (this.#context !== null) return this.#context;
    if (this.#onlyFile !== null && this.#extra.length === 0)
      this.#stored ??= onlyCertificates(this.#onlyFile);
    const context = tls.createSecureContext({
      ...(this.#onlyFile !== null && { ca: [] }),
      // Any certificate of a file that is given is an anchor, as for curl. Node before 20.18 and 22.9 ignores the option.
      ...(this.#extra.length > 0 && { allowPartialTrustChain: true }),
    });
    // The option `ca` would replace Node's roots, and parsing a list of them takes 12 ms. Node has no public way to add to them,
    // so this uses the method that implements `ca`.
    for (const pem of [...this.#extra, ...(this.#stored ?? [])]) context.context.addCACert(pem);
    this.#context = context;
    return context;
  }

  /** How many certificates the file of SSL_CERT_FILE holds; null where it is not set. */
  get onlyStored(): number | null {
    return this.#onlyFile === null ? null : certificatesInFirst([this.#onlyFile]).length;
  }

  /** What gave a certificate to this program as trusted; null for one of the server or of the system. */
  givenBy({ raw }: Pick<tls.PeerCertificate, "raw">): CertificateFacts["givenBy"] {
    const holds = (some: readonly string[]): boolean =>
      some.some((pem) => orNull(() => new X509Certificate(pem))?.raw.equals(raw));
    if (holds(this.#extra)) return "extraCertificates";
    return this.#onlyFile !== null && holds(this.#stored ?? []) ? "SSL_CERT_FILE" : null;
  }

  /**
   * Adds the certificates of SSL_CERT_FILE or of the system; false if no more is trusted than by the context that failed. It reads them
   * only after such a failure, since that takes 25 ms or more.
   */
  widen(failed: tls.SecureContext): boolean {
    if (this.#stored === null) {
      // The system's store lists many of them twice.
      this.#stored = [...new Set(this.#onlyFile ? onlyCertificates(this.#onlyFile) : systemCertificates())];
      if (this.#stored.length > 0) this.#context = null;
    }
    return this.#context !== failed;
  }
}

/** What the TLS connections of one run share. */
export class TlsCache {
  // Each set holds a copy of all roots, so few are kept.
  #trusts: readonly TrustedCertificates[] = [];
  #made = 0;

  /** The trust in these certificates, in PEM, and in Node's roots and the system's, or in those of SSL_CERT_FILE. */
  trusting(extraCertificates: readonly string[]): TrustedCertificates {
    const known = this.#trusts.find((trust) => trust.adds(extraCertificates));
    if (known !== undefined) return known;
    this.#made += 1;
    const trust = new TrustedCertificates(extraCertificates, this.#made);
    this.#trusts = [...this.#trusts.slice(-15), trust];
    return trust;
  }
}
