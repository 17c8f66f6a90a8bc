// What a check is given, what its requests give, what its causes are read from, and what the checks of one run share.

import { type Lookup, sharing, systemLookup } from "../http/lookup.ts";
import type { Network, Route } from "../http/send.ts";
import { BoundedCache, TlsCache } from "../http/trusted-certificates.ts";
import type { Redactor } from "../redaction/redact.ts";
import type { Hints } from "../settings/advice.ts";
import type { Fix } from "../settings/fix.ts";
import type { Secret } from "../settings/secret.ts";
import type { SentCredential } from "./credential.ts";
import type { ExchangeRecord } from "./observer.ts";
import type { Outcome } from "./outcome.ts";
import type { ReadExchange } from "./read/response.ts";
import type { ClockSkew, Finding } from "./result.ts";
import type { turnsOf } from "./turns.ts";

/** One credential to check, and how. */
export interface Check extends Route {
  readonly credential: SentCredential;
  /** Its name as it may be shown. */
  readonly profile: string | null;
  /** The credential and the place where it is set, in words and without the secret. */
  readonly description: string;
  readonly retries: number;
  readonly hints: Hints;
  /** Removes the known secrets from a text that others wrote. */
  readonly redact: Redactor;
  /** Whether to make further requests to find out why the credential is refused. */
  readonly diagnose: boolean;
  /** Reads the token that a diagnosis may try as the secret: from a file or a command, if need be. Null if that is not possible. */
  readonly spareToken: () => Promise<Secret | null>;
}

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

/** Everything that a cause can be read from. The outcome and the response are without secrets; the settings are not. */
export interface Evidence
  extends Pick<Attempt, "outcome" | "exchange" | "clock" | "redact">,
    Pick<Check, "credential" | "baseUrl" | "address" | "hints"> {
  /** Why there was no further attempt although --retry allowed one; null if it did not, or if none was needed. */
  readonly notRetried: string | null;
  /** What further requests showed; empty without a diagnosis. */
  readonly diagnosed: readonly Finding<Fix>[];
}

/** The cause that gives an outcome its headline, and what to do. With an `id` it has evidence, whose sentence is `message`. */
export type Cause = { readonly headline: string } & Pick<Finding<Fix>, "fix"> & Partial<Finding<Fix>>;

/** Looks for one further cause, beside the one that gives the headline; null or false if it does not apply. Pure. */
export type Rule = (evidence: Evidence) => Finding<Fix> | null | false;

/** What the checks of one run share. */
export interface CheckContext extends Network {
  randomBytes(size: number): Uint8Array;
  /** Resolves after this many milliseconds. Rejects when the run ends, with the reason. */
  wait(milliseconds: number): Promise<void>;
  /** Null where no check waits for another: in a run over one account, and in the library. */
  readonly turns: ReturnType<typeof turnsOf> | null;
  /** The longest pause before another attempt that a server may ask for. */
  readonly maxWaitSeconds: number;
  /** Whether a server accepts a request without credentials, by route, once a diagnosis has asked. */
  readonly anonymous: Map<string, Promise<boolean>>;
}

// Each line of a stream can have a route of its own. A route that was dropped is asked again.
const mostRoutes = 10_000;

/** The context of one run, which shares nothing with another run. Without `lookup`, the operating system looks up names. */
export function contextOfRun(
  run: Omit<CheckContext, "tls" | "lookup" | "anonymous"> & { readonly lookup?: Lookup },
): CheckContext {
  return {
    ...run,
    lookup: sharing(run.lookup ?? systemLookup),
    tls: new TlsCache(),
    anonymous: new BoundedCache(mostRoutes),
  };
}
