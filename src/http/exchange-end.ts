import { codeOf } from "./connect.ts";
import type { Exchange } from "./exchange.ts";

/** How an exchange ended, without its trace. */
export type ExchangeEnd = Exchange extends infer Kind
  ? Kind extends Exchange
    ? Omit<Kind, "trace">
    : never
  : never;

/** What the sockets of an exchange did, which undici does not tell. */
export interface SocketState {
  readonly firstError: Error | null;
  /** The peer ended its side in an orderly way. */
  readonly ended: boolean;
}

/** The rule of HTTP that an answer broke, where the error says so. The parser's errors carry no code, but a name. */
export function brokenRule(error: Error): string | null {
  const code = codeOf(error);
  if (error.name === "HTTPParserError") return /\(([^()]+)\)$/.exec(error.message)?.[1] ?? "parse error";
  if (code === "UND_ERR_HEADERS_OVERFLOW") return "Headers too large";
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") return "Contradictory lengths";
  if (error.message === "bad upgrade" || error.message === "bad response") return "Unexpected interim answer";
  return code === "ERR_ASSERTION" ? "Unexpected status" : null;
}

/** The ending that an error of the connection or of undici stands for. Throws the error where it shows a bug of ours. */
export function exchangeEndOf(error: Error, connection: SocketState, received: boolean): ExchangeEnd {
  // The first error is the cause: undici may report a later one, such as the end that follows a TLS alert.
  const cause = connection.firstError ?? error;
  const code = codeOf(cause);
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_")) {
    return { kind: "failed", failure: { kind: "tls", code, certificate: null } };
  }
  const closed = (name: string): ExchangeEnd => ({
    kind: "failed",
    failure: { kind: "closed", code: name, received: received ? "part" : "nothing" },
  });
  // An answer that is cut short breaks HTTP too, and undici says so; libuv's name for the cause is EOF.
  if (connection.ended) return closed("EOF");
  const problem = brokenRule(cause);
  if (problem !== null) return { kind: "malformed", problem };
  if (code === "UND_ERR_INVALID_ARG") throw error;
  return closed(code);
}
