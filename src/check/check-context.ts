import { TlsCache } from "../http/trust.ts";
import type { Freshness } from "./credential.ts";

/** What requests need from outside. */
export interface Outside extends Freshness {
  /** Resolves after so many milliseconds; rejects with the reason of `interrupted` when that comes first. */
  wait(milliseconds: number): Promise<void>;
  readonly interrupted: AbortSignal;
}

/** What the requests of one run need, and what they share. */
export interface CheckContext extends Outside {
  readonly tls: TlsCache;
}

/** The context of one run. It shares TLS sessions with no other run. */
export function contextOfRun({ now, randomBytes, wait, interrupted }: Outside): CheckContext {
  return { now, randomBytes, wait, interrupted, tls: new TlsCache() };
}
