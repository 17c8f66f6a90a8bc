import { TlsCache } from "../http/trusted-certificates.ts";
import type { ClockAndRandom } from "./credential.ts";

/** What requests need from outside. */
export interface CheckEnvironment extends ClockAndRandom {
  /** Resolves after so many milliseconds; rejects with the reason of `interrupted` when that comes first. */
  wait(milliseconds: number): Promise<void>;
  readonly interrupted: AbortSignal;
}

/** What the requests of one run need, and what they share. */
export interface CheckContext extends CheckEnvironment {
  readonly tls: TlsCache;
}

/** The context of one run. It shares TLS sessions with no other run. */
export function contextOfRun({ now, randomBytes, wait, interrupted }: CheckEnvironment): CheckContext {
  return { now, randomBytes, wait, interrupted, tls: new TlsCache() };
}
