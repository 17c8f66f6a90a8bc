import { createHash } from "node:crypto";
import type { Route } from "../http/connection.ts";
import { type Lookup, sharing, systemLookup } from "../http/lookup.ts";
import { TlsCache } from "../http/trusted-certificates.ts";
import type { ClockAndRandom } from "./credential.ts";

/** What the checks of one run share. */
export interface CheckContext extends ClockAndRandom {
  /** Resolves after this many milliseconds. Rejects with the reason of `interrupted` if that comes first. */
  wait(milliseconds: number): Promise<void>;
  readonly interrupted: AbortSignal;
  readonly tls: TlsCache;
  readonly lookup: Lookup;
  /** Whether a server accepts a request without credentials, by `routeKey`, once a diagnosis has asked. */
  readonly anonymous: Map<string, Promise<boolean>>;
}

/** A key that routes share if their requests are answered at the same place. It is a hash: certificates can be long. */
export function routeKey({ url, proxy, extraCertificates }: Route): string {
  return createHash("sha256")
    .update(JSON.stringify([url, proxy, extraCertificates]))
    .digest("base64");
}

/** What the caller of a run passes. If `lookup` is left out, the operating system looks up names. The library has no environment. */
type RunContext = Omit<CheckContext, "tls" | "lookup" | "anonymous"> & {
  readonly lookup?: Lookup;
  readonly environment?: Readonly<Record<string, string | undefined>>;
};

/** The context of one run. It shares TLS sessions and lookups under way with no other run. */
export function contextOfRun(run: RunContext): CheckContext {
  const lookup = sharing(run.lookup ?? systemLookup);
  return { ...run, lookup, tls: new TlsCache(run.environment?.SSL_CERT_FILE), anonymous: new Map() };
}
