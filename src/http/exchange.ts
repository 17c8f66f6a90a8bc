import type { TransportFailure } from "./failure.ts";

/** A header field of a response, as it was sent (latin1). */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** An HTTP response as it arrived. If `truncated` is true, `body` was cut at its limit. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly HeaderField[];
  readonly body: Uint8Array;
  readonly truncated: boolean;
}

/** The steps of one exchange, in their order. A timeout names the step that did not finish. */
export type Phase = "lookup" | "connect" | "proxy" | "tls" | "request" | "headers" | "body";

/** When a step was reached, in milliseconds since the request began. */
export interface TimelineEntry {
  readonly step: string;
  readonly at: number;
}

/** What every exchange records. `sentAt` and `respondedAt` are in milliseconds since the epoch. */
export interface Trace {
  readonly durationMs: number;
  readonly timeline: readonly TimelineEntry[];
  readonly sentAt: number | null;
  readonly respondedAt: number | null;
}

/** How one request ended. Failures of the transport are values too; nothing is thrown. */
export type Exchange = { readonly trace: Trace } & (
  | { readonly kind: "response"; readonly response: HttpResponse }
  | { readonly kind: "malformed"; readonly problem: string }
  | { readonly kind: "failed"; readonly failure: TransportFailure }
  | { readonly kind: "expired"; readonly phase: Phase }
);

// Compare the lengths first: to write every name in lower case takes memory each time.
const isNamed = (wanted: string, { name }: HeaderField): boolean =>
  name.length === wanted.length && name.toLowerCase() === wanted;

/** The values of a header field, in the order in which they were sent; `name` in lower case. */
export function headerValues({ headers }: Pick<HttpResponse, "headers">, name: string): readonly string[] {
  return headers.filter((field) => isNamed(name, field)).map((field) => field.value);
}

/** The first value of a header field, or null if the response has none. */
export function headerValue({ headers }: Pick<HttpResponse, "headers">, name: string): string | null {
  return headers.find((field) => isNamed(name, field))?.value ?? null;
}
