import { lacksWebAssembly } from "../system/error-code.ts";
import { codeOf } from "./connect.ts";
import type { Exchange } from "./exchange.ts";
import type { TransportFailure } from "./failure.ts";
import { opensslReason } from "./tls.ts";

/** How an exchange ended, without its trace. */
export type ExchangeEnd = Exchange extends infer Kind
  ? Kind extends Exchange
    ? Omit<Kind, "trace">
    : never
  : never;

/** The state of a socket. */
interface SocketState {
  readonly firstError: Error | null;
  /** Whether the peer closed its side without an error. */
  readonly ended: boolean;
}

/** The protocols that servers speak instead of HTTP/1.1, as `brokenRule` names them. */
export const otherProtocols = {
  tls: "TLS instead of HTTP/1.1",
  http2: "HTTP/2 instead of HTTP/1.1",
} as const;

function parserProblem(error: Error & { readonly data?: unknown }): string {
  const data = typeof error.data === "string" ? error.data : "";
  // An alert of TLS (RFC 8446, section 5.1), and the frame with settings that HTTP/2 begins with (RFC 9113, section 4.1).
  if (data.startsWith("\x15\x03")) return otherProtocols.tls;
  if (data.startsWith("\0\0") && data.startsWith("\x04\0\0\0\0\0", 3)) return otherProtocols.http2;
  return /\(([^()]+)\)$/.exec(error.message)?.[1] ?? "parse error";
}

/** The rule of HTTP that a response broke; null if the error names none. The parser's errors have a name instead of a code. */
export function brokenRule(error: Error): string | null {
  const code = codeOf(error);
  if (error.name === "HTTPParserError") return parserProblem(error);
  if (code === "UND_ERR_HEADERS_OVERFLOW") return "Headers too large";
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") return "Contradictory lengths";
  if (error.message === "bad upgrade" || error.message === "bad response")
    return "Unexpected interim response";
  return code === "ERR_ASSERTION" ? "Unexpected status" : null;
}

/**
 * The end of an exchange that failed with this error of a socket or of undici. Throws the error if it shows a bug of ours, or
 * that this process cannot parse a response.
 */
export function exchangeEndOf(error: Error, connection: SocketState, hasBegun: boolean): ExchangeEnd {
  // The first error is the cause: undici may report a later one, such as the end that follows a TLS alert.
  const cause = connection.firstError ?? error;
  const code = codeOf(cause);
  const failed = (failure: TransportFailure): ExchangeEnd => ({ kind: "failed", failure });
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_"))
    return failed({ step: "tls", code, reason: opensslReason(cause, false), certificate: null });
  const received = hasBegun ? "part" : "nothing";
  // An early end counts as a failed response, unless writing the request failed.
  const closed = (name: string): ExchangeEnd =>
    failed({ step: name === "EPIPE" ? "request" : "response", code: name, received });
  // For a response that is cut short, undici reports broken HTTP. The cause is the end of the connection: EOF in libuv.
  if (connection.ended) return closed("EOF");
  const problem = brokenRule(cause);
  if (problem !== null) return { kind: "malformed", problem };
  if (code === "UND_ERR_INVALID_ARG" || lacksWebAssembly(cause)) throw error;
  return closed(code);
}
