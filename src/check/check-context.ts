import { type Lookup, sharing, systemLookup } from "../http/lookup.ts";
import type { Network } from "../http/send.ts";
import { TlsCache } from "../http/trusted-certificates.ts";
import type { Redactor } from "../redaction/redact.ts";
import type { ClockAndRandom, SentCredential } from "./credential.ts";
import type { ExchangeRecord } from "./observer.ts";
import type { Outcome } from "./outcome.ts";
import type { ReadExchange } from "./read/response.ts";
import type { ClockSkew } from "./result.ts";

/** What a request authenticates with. */
export interface Variant {
  /** Null for a request without credentials. */
  readonly credential: SentCredential | null;
  /** Added to the clock for Created. */
  readonly shiftSeconds: number;
}

/** One request, its exchange and what it means. */
export interface Attempt {
  readonly exchange: ReadExchange;
  readonly outcome: Outcome;
  readonly clock: ClockSkew | null;
  /** Removes the known secrets, and each digest that was sent so far, from a text that others wrote. */
  readonly redact: Redactor;
  /** Makes the record for `--verbose`, which alone shows the response as it came. */
  readonly record: () => ExchangeRecord;
}

/** Why a request is not sent, and what to do. */
export interface NotSent {
  readonly message: string;
  readonly hint: string;
}

/** Gives the requests to an origin their turn. */
export interface Admission {
  /** Waits for something that may need the place of this check. */
  aside(wait: () => Promise<void>): Promise<void>;
  /** Why nothing more is sent to the origin; null while something may be. */
  refusal(origin: string): NotSent | null;
  /**
   * Makes a request when its origin allows it, or resolves with why it is not sent. `isLast` tells that no retry follows. Rejects as
   * `make` does.
   */
  admitted(origin: string, make: () => Promise<Attempt>, isLast: boolean): Promise<Attempt | NotSent>;
}

/** What the checks of one run share. */
export interface CheckContext extends ClockAndRandom, Network {
  /** Resolves after this many milliseconds. Rejects with the reason of `interrupted` if that comes first. */
  wait(milliseconds: number): Promise<void>;
  readonly admission: Admission;
  /** The longest pause before another attempt that a server may ask for. */
  readonly maxWaitSeconds: number;
  /** Whether a server accepts a request without credentials, by route, once a diagnosis has asked. */
  readonly anonymous: Map<string, Promise<boolean>>;
}

/** A random number from 0 up to 1. */
export function randomFraction({ randomBytes }: ClockAndRandom): number {
  return Buffer.from(randomBytes(4)).readUInt32BE(0) / 2 ** 32;
}

/**
 * The context of one run. It shares TLS sessions and lookups under way with no other run. If `lookup` is left out, the operating
 * system looks up names.
 */
export function contextOfRun(
  run: Omit<CheckContext, "tls" | "lookup" | "anonymous" | "admission"> & { readonly lookup?: Lookup },
): CheckContext {
  return {
    ...run,
    lookup: sharing(run.lookup ?? systemLookup),
    admission: { aside: async () => {}, refusal: () => null, admitted: (_, make) => make() },
    tls: new TlsCache(),
    anonymous: new Map(),
  };
}
