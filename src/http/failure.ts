/** The content of a refused certificate; times as the certificate writes them (RFC 5280, 4.1.2.5). */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly names: readonly string[];
  readonly validFrom: string;
  readonly validTo: string;
  /** Whether it is the server's own, and not one above it in the chain. */
  readonly isServers: boolean;
  /** Whether it may sign others. */
  readonly isAuthority: boolean;
}

/**
 * Why there is no response. `code` is the name that the operating system, OpenSSL or Node gives the cause; `reason` is
 * OpenSSL's sentence, and empty if there is none.
 */
export type TransportFailure =
  | { readonly kind: "lookup"; readonly host: string; readonly code: string }
  | { readonly kind: "connect"; readonly host: string; readonly port: number; readonly code: string }
  | {
      readonly kind: "tls";
      readonly code: string;
      readonly reason: string;
      readonly certificate: CertificateFacts | null;
    }
  | {
      readonly kind: "proxy";
      readonly host: string;
      readonly port: number;
      readonly status: number | null;
      readonly code: string;
    }
  | { readonly kind: "closed"; readonly code: string; readonly received: "nothing" | "part" };
