import type { Exchange } from "../http/exchange.ts";
import type { Redactor } from "../redaction/redact.ts";
import type { Credential, SentField } from "./credential.ts";
import type { Outcome } from "./outcome.ts";
import type { ClockSkew } from "./result.ts";

/** What a request authenticates with. */
export interface Variant {
  /** Null for a request without credentials. */
  readonly credential: Credential | null;
  /** Added to the clock for Created. */
  readonly shiftSeconds: number;
}

/** One request, its exchange and what it means. */
export interface Attempt {
  readonly sent: readonly SentField[];
  readonly exchange: Exchange;
  readonly outcome: Outcome;
  readonly clock: ClockSkew | null;
  /** Removes the known secrets, and each digest that was sent so far, from a text that others wrote. */
  readonly redact: Redactor;
}
