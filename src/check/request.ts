import type { Redactor } from "../redaction/redact.ts";
import type { Credential } from "./credential.ts";
import type { ExchangeRecord } from "./observer.ts";
import type { Outcome } from "./outcome.ts";
import type { ReadExchange } from "./read/response.ts";
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
  readonly exchange: ReadExchange;
  readonly outcome: Outcome;
  readonly clock: ClockSkew | null;
  /** Removes the known secrets, and each digest that was sent so far, from a text that others wrote. */
  readonly redact: Redactor;
  /** Makes the record for `--verbose`, which alone shows the response as it came. */
  readonly record: () => ExchangeRecord;
}
