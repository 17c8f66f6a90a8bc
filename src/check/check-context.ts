import { TlsCache } from "../http/trusted-certificates.ts";
import type { ClockAndRandom } from "./credential.ts";

/** What the checks of one run need from outside, and what they share. */
export interface CheckContext extends ClockAndRandom {
  /** Resolves after so many milliseconds. Rejects with the reason of `interrupted` if that comes first. */
  wait(milliseconds: number): Promise<void>;
  readonly interrupted: AbortSignal;
  readonly tls: TlsCache;
}

/** The context of one run. It shares TLS sessions with no other run. */
export function contextOfRun({
  now,
  randomBytes,
  wait,
  interrupted,
}: Omit<CheckContext, "tls">): CheckContext {
  return { now, randomBytes, wait, interrupted, tls: new TlsCache() };
}
