/** The content of a refused certificate; times in ISO 8601. */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly names: readonly string[];
  /** Whether the server's own certificate is for the host that was asked for. */
  readonly fitsHost: boolean;
  readonly validFrom: string;
  readonly validTo: string;
  /** Whether it is the server's own, and not one above it in the chain. */
  readonly isServers: boolean;
}

/** The steps of one exchange, in their order. */
export type Step = "lookup" | "connect" | "proxy" | "tls" | "request" | "response";

/** What a proxy did instead of opening a way to the API. */
export interface ProxyFacts {
  readonly host: string;
  readonly port: number;
  /** The step of the way to the proxy that failed; `proxy`: it said that the way is open, and no TLS came through it. */
  readonly failed: Exclude<Step, "request">;
  readonly code: string;
  /** Whether its URL has a user or a password. */
  readonly hasCredentials: boolean;
  /** The status of its answer; null if there was none. */
  readonly status: number | null;
  /** Whether its answer breaks a rule of HTTP, whose name is then \`code\`. */
  readonly isMalformed: boolean;
  /** Its own words for the cause, and the schemes of the credentials that it asks for. */
  readonly reason: string;
  readonly schemes: readonly string[];
}

/**
 * Why there is no response: the step that failed. `code` is the name that the operating system, OpenSSL or Node gives the cause; `reason` is
 * OpenSSL's sentence, and empty if there is none.
 */
export type TransportFailure =
  | { readonly step: "lookup"; readonly host: string; readonly code: string }
  | { readonly step: "connect"; readonly host: string; readonly port: number; readonly code: string }
  | {
      readonly step: "tls";
      readonly code: string;
      readonly reason: string;
      readonly certificate: CertificateFacts | null;
    }
  | ({ readonly step: "proxy" } & ProxyFacts)
  | { readonly step: "request" | "response"; readonly code: string; readonly received: "nothing" | "part" };
