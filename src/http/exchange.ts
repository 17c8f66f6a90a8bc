// What one exchange is to the rest of the program: its response as it arrived or its failure, and its trace.

import type { BrokenHttp, Failure } from "./failure.ts";
import type { Trace } from "./record.ts";

export type { BrokenHttp, Failure } from "./failure.ts";
export type { Trace } from "./record.ts";

/** A header field of a response, as it was sent (latin1). */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** An HTTP response as it arrived. If `truncated` is true, `body` was cut at its limit. `reason` is empty if the server sends none. */
export interface HttpResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly HeaderField[];
  readonly body: Uint8Array;
  /** What ends the body (RFC 9112, section 6.3). One that ends with the connection may be incomplete. */
  readonly bodyEnd: "length" | "chunked" | "connection";
  readonly truncated: boolean;
}

/** How one request ended. Failures of the transport are values too; nothing is thrown. */
export type ExchangeEnd =
  | { readonly kind: "response"; readonly response: HttpResponse }
  | { readonly kind: "malformed"; readonly broken: BrokenHttp }
  /** `broken`: what arrived of a head that was cut, or what a proxy answered to CONNECT. */
  | { readonly kind: "failed"; readonly failure: Failure; readonly broken?: BrokenHttp | null };

/** The same with its trace. */
export type Exchange = { readonly trace: Trace } & ExchangeEnd;

/** The fields of a response that undici received. Those of HTTP/1.1 are bytes: names and values take turns. */
export function headerFields({ rawHeaders }: { readonly rawHeaders?: unknown }): readonly HeaderField[] {
  const raw = rawHeaders as readonly Buffer[];
  const fields: HeaderField[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]?.toString("latin1") ?? "";
    fields.push({ name, value: raw[index + 1]?.toString("latin1") ?? "" });
  }
  return fields;
}

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

/** What ends the body of a response with this status and these header fields. */
export function bodyEndOf(response: Pick<HttpResponse, "status" | "headers">): HttpResponse["bodyEnd"] {
  // These statuses have no body, whatever their fields say.
  if (response.status === 204 || response.status === 304) return "length";
  const codings = headerValues(response, "transfer-encoding").join(",").split(",");
  if (/^\s*chunked\s*$/i.test(codings.at(-1) ?? "")) return "chunked";
  return headerValue(response, "content-length") === null ? "connection" : "length";
}

/** The path of a request: that of the base URL, then this one. */
export const pathBelow = ({ pathname }: URL, path: string): string => pathname.replace(/\/$/, "") + path;
