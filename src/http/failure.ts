/** The content of a refused certificate; times as the certificate writes them (RFC 5280, 4.1.2.5). */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly names: readonly string[];
  readonly validFrom: string;
  readonly validTo: string;
}

/** Why there is no response. `code` is the name that the operating system, OpenSSL or Node gives the cause. */
export type TransportFailure =
  | { readonly kind: "lookup"; readonly host: string; readonly code: string }
  | { readonly kind: "connect"; readonly host: string; readonly port: number; readonly code: string }
  | { readonly kind: "tls"; readonly code: string; readonly certificate: CertificateFacts | null }
  | {
      readonly kind: "proxy";
      readonly host: string;
      readonly port: number;
      readonly status: number | null;
      readonly code: string;
    }
  | { readonly kind: "closed"; readonly code: string; readonly received: "nothing" | "part" };
