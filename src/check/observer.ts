import type { ExchangeRecord } from "./record.ts";

/** Who is told of what happens while a check runs. */
export interface Observer {
  /** Before a further request: which, and why. */
  announce(message: string): Promise<void>;
  /** After each request. The record is made when it is asked for; no secret is in it. */
  observed(record: () => ExchangeRecord): Promise<void>;
}
