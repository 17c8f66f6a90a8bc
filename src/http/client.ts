// HTTP on a connection that is open already: undici's client for one request, and what its parser says of an answer that is no
// HTTP/1.1.

import type { Socket } from "node:net";
import { Client } from "undici";
import type { BrokenHttp, ExchangeEnd } from "./exchange.ts";
import { codeOf, type Failure, lacksWebAssembly, type Step } from "./failure.ts";
import type { ConnectionRecorder } from "./record.ts";
import { opensslReason } from "./tls.ts";

// Node's own limit. With four times as much, many tiny fields can take 20 MB more memory.
const maxHeaderBytes = 16 * 1024;

/** HTTP on an open connection, for one request. It never connects again, so nothing is sent twice. */
export function clientFor(socket: Socket, origin: string): Client {
  let used = false;
  return new Client(origin, {
    // Not synchronously: undici is still dispatching, and would never write the request.
    connect: (_options, callback) => {
      void Promise.resolve().then(() => {
        if (used) return callback(new Error("the connection is closed"), null);
        used = true;
        callback(null, socket);
      });
    },
    // Only one request: undici then sends "connection: close" (RFC 9112, section 9.6).
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeaderBytes,
  });
}

const emptyLine = "\r\n\r\n";

/** Where in this chunk the head ends; -1 if it does not. `before` is the text just before the chunk: the end may begin there. */
function endOfHead(before: string, chunk: Buffer): number {
  const across = (before + chunk.toString("latin1", 0, 3)).indexOf(emptyLine);
  if (across >= 0) return across + emptyLine.length - before.length;
  const within = chunk.indexOf(emptyLine);
  return within < 0 ? -1 : within + emptyLine.length;
}

// The head of the API's response is shorter.
const keptBytes = 4 * 1024;

/**
 * Keeps the head of a response as bytes while undici reads it: undici gives only the last segment of a reason phrase, and nothing of a
 * broken response. Interim responses, which a client must read past (RFC 9110, section 15.2), are dropped.
 */
export class Arrived {
  #kept = Buffer.alloc(0);
  /** Whether nothing has come, not even an interim response. */
  isEmpty = true;
  // Whether the head may be that of an interim response, and its last characters.
  #mayBeInterim = true;
  #tail = "";
  readonly #socket: Socket;
  readonly #onReadable = (): void => {};
  readonly #onData = (chunk: Buffer): void => {
    this.isEmpty = false;
    this.#read(chunk);
  };

  constructor(socket: Socket) {
    this.#socket = socket;
    // Where somebody listens for `readable`, a listener for `data` starts nothing: it gets what undici reads.
    socket.on("readable", this.#onReadable);
    socket.on("data", this.#onData);
  }

  #read(chunk: Buffer): void {
    let rest = chunk;
    while (this.#mayBeInterim) {
      const known = this.#kept.length;
      const start =
        this.#kept.toString("latin1", 0, 12) + rest.toString("latin1", 0, Math.max(0, 12 - known));
      if (start.length < 12) break;
      this.#mayBeInterim = /^HTTP\/1\.[01] 1(?!01)/.test(start);
      if (!this.#mayBeInterim) break;
      // undici takes a 100 (Continue) for broken HTTP, and reads past a 102. It reads this chunk after this listener.
      if (known < 12 && start.endsWith("100")) rest[11 - known] = 0x32;
      const end = endOfHead(this.#tail, rest);
      if (end < 0) {
        this.#tail = (this.#tail + rest.toString("latin1", Math.max(0, rest.length - 3))).slice(-3);
        break;
      }
      this.#kept = Buffer.alloc(0);
      this.#tail = "";
      rest = rest.subarray(end);
    }
    const room = keptBytes - this.#kept.length;
    if (room > 0) this.#kept = Buffer.concat([this.#kept, rest.subarray(0, room)]);
  }

  /** The reason phrase; empty if there is none, or if it is longer than what is kept: a part of it can be a part of a secret. */
  get reason(): string {
    return /^\s*HTTP\/1\.[01] \d{3} ([^\r\n]*)\r\n/.exec(this.#kept.toString())?.[1] ?? "";
  }

  /** Leaves the socket to another reader. */
  stop(): void {
    this.#socket.off("data", this.#onData);
    this.#socket.off("readable", this.#onReadable);
  }

  /** What had arrived of a response that breaks this rule. */
  broken(problem: string): BrokenHttp {
    return { problem, bytes: this.#kept };
  }
}

/** The protocols that servers speak instead of HTTP/1.1, as `brokenRule` names them. */
export const otherProtocols = {
  tls: "TLS instead of HTTP/1.1",
  http2: "HTTP/2 instead of HTTP/1.1",
} as const;

/** The reason of undici's parser, which its message ends with, in parentheses. `data` is the text that it could not parse. */
function parserProblem(error: Error & { readonly data?: unknown }): string {
  const data = typeof error.data === "string" ? error.data : "";
  // A server of TLS begins with an alert (RFC 8446, section 5.1), one of HTTP/2 with settings (RFC 9113, sections 3.4 and 4.1).
  if (data.startsWith("\x15\x03")) return otherProtocols.tls;
  if (data.startsWith("\0\0") && data.startsWith("\x04\0\0\0\0\0", 3)) return otherProtocols.http2;
  return /\(([^()]+)\)$/.exec(error.message)?.[1] ?? "parse error";
}

/** The rule of HTTP that a response broke; null if the error names none. The parser's errors have a name instead of a code. */
export function brokenRule(error: Error): string | null {
  const code = codeOf(error);
  if (error.name === "HTTPParserError") return parserProblem(error);
  if (code === "UND_ERR_HEADERS_OVERFLOW") return "Headers too large";
  // undici says so of every broken response with a Content-Length, whatever is wrong with it.
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") return "Contradictory lengths, or another broken rule";
  if (error.message === "bad upgrade") return "Status 101";
  if (error.message === "bad response") return "Unexpected interim response";
  return code === "ERR_ASSERTION" ? "Unexpected status" : null;
}

/** An exchange that failed, and what had arrived of the head of its response. */
export const failedWith = (failure: Failure, arrived: Arrived): ExchangeEnd => ({
  kind: "failed",
  failure,
  broken: failure.received === "head" ? arrived.broken("") : null,
});

/**
 * The end of an exchange that failed with this error of a socket or of undici. `ended`: the peer closed its side without an error. Throws
 * the error if it shows a bug of ours, or that this process cannot parse a response.
 */
export function exchangeEndOf(
  error: Error,
  {
    firstError,
    ended,
    arrived,
  }: { readonly firstError: Error | null; readonly ended: boolean; readonly arrived: Arrived },
  record: Pick<ConnectionRecorder, "failure">,
): ExchangeEnd {
  // The first error is the cause: undici may report a later one, such as the end that follows a TLS alert.
  const cause = firstError ?? error;
  const code = codeOf(cause);
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_")) {
    // The handshake had completed.
    const known = { step: "tls", reason: opensslReason(cause, false), received: "part" } as const;
    return { kind: "failed", failure: record.failure(code, known) };
  }
  const closed = (name: string, step?: Step): ExchangeEnd =>
    failedWith(record.failure(name, step && { step }), arrived);
  // For a response that is cut short, undici reports broken HTTP. The cause is the end of the connection: EOF in libuv.
  if (ended) return closed("EOF");
  const problem = brokenRule(cause);
  if (problem !== null) return { kind: "malformed", broken: arrived.broken(problem) };
  if (code === "UND_ERR_INVALID_ARG" || lacksWebAssembly(cause)) throw error;
  // Writing the request failed.
  return code === "EPIPE" ? closed(code, "request") : closed(code);
}
