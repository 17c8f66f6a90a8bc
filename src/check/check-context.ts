import { type Lookup, systemLookup } from "../http/lookup.ts";
import { TlsCache } from "../http/trusted-certificates.ts";
import type { ClockAndRandom } from "./credential.ts";

/** What requests need from outside. */
export interface CheckEnvironment extends ClockAndRandom {
  /** Resolves after so many milliseconds; rejects with the reason of `interrupted` when that comes first. */
  wait(milliseconds: number): Promise<void>;
  readonly interrupted: AbortSignal;
  /** All addresses of a host name; if it is absent, the operating system's lookup. */
  readonly lookup?: Lookup;
}

/** What the requests of one run need, and what they share. */
export interface CheckContext extends CheckEnvironment {
  readonly tls: TlsCache;
  readonly lookup: Lookup;
}

/** The context of one run. It shares TLS sessions with no other run. */
export function contextOfRun({
  now,
  randomBytes,
  wait,
  interrupted,
  lookup = systemLookup,
}: CheckEnvironment): CheckContext {
  return { now, randomBytes, wait, interrupted, lookup, tls: new TlsCache() };
}
