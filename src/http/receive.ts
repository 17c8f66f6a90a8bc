// Receives one response, within limits, and tells how it ended.

import type { Socket } from "node:net";
import type { Dispatcher } from "undici";
import { withoutCutWord } from "../redaction/cut.ts";
import { Arrived, exchangeEndOf, failedWith } from "./client.ts";
import { bodyEndOf, type ExchangeEnd, type HeaderField, headerFields, headerValue } from "./exchange.ts";
import type { ConnectionRecorder } from "./record.ts";

/** The largest part of a body that is kept: the specified one has two fields (section 2), and a page has its title at the beginning. */
const maxBodyBytes = 64 * 1024;
// undici limits only the bytes of header fields: not their number, nor chunk extensions, interim responses or white space.
// A server that sends more than this is not the API.
const maxHeaderFields = 1_000;
const maxReceivedBytes = 8 * maxBodyBytes;

/** The bytes of a text that was cut, without those of its last word. */
const wholeWords = (bytes: Buffer): Uint8Array =>
  bytes.subarray(0, withoutCutWord(bytes.toString("latin1")).length);

/**
 * undici destroys a connection that is not kept with an error that nobody sees. Its stack trace takes 8 % of the processor time of a run
 * over many accounts. Where intrinsics are frozen, an assignment would throw.
 */
function withoutStackTrace(): void {
  const { stackTraceLimit } = Error;
  Reflect.set(Error, "stackTraceLimit", 0);
  void Promise.resolve().then(() => Reflect.set(Error, "stackTraceLimit", stackTraceLimit));
}

/** Makes undici's handler for one response. It collects what is within the limits and reports the end of the exchange. */
export function receive(
  socket: Socket,
  record: ConnectionRecorder,
  now: () => number,
  /** Called with the end of the exchange; only the first call counts. */
  settle: (ending: ExchangeEnd) => void,
  /** Called with an error that is a bug of ours. */
  fail: (error: unknown) => void,
): {
  readonly handler: Dispatcher.DispatchHandler;
  /** The end of the exchange if nothing more comes: of a body that is announced as longer than its limit, the beginning is enough. */
  atDeadline(): ExchangeEnd;
} {
  let status = 0;
  let reason = "";
  let headers: readonly HeaderField[] = [];
  // One growing buffer: a body in one-byte chunks would be as many objects as bytes.
  let body = Buffer.alloc(0);
  let length = 0;
  let isTooLong = false;

  // The first error of the socket: undici may report a later one.
  let firstError: Error | null = null;
  socket.on("error", (error) => {
    firstError ??= error;
  });

  const arrived = new Arrived(socket);
  const malformed = (problem: string): void => settle({ kind: "malformed", broken: arrived.broken(problem) });
  const responseWith = (truncated: boolean): ExchangeEnd => ({
    kind: "response",
    response: {
      status,
      reason,
      headers,
      body: truncated ? wholeWords(body.subarray(0, length)) : body.subarray(0, length),
      bodyEnd: bodyEndOf({ status, headers }),
      truncated,
    },
  });
  const atDeadline = (): ExchangeEnd =>
    isTooLong ? responseWith(true) : failedWith(record.failure(null), arrived);
  const broken = (error: Error): void => {
    try {
      settle(exchangeEndOf(error, { firstError, ended: socket.readableEnded, arrived }, record));
    } catch (bug) {
      fail(bug);
    }
  };

  record.received = () => (record.respondedAt !== null ? "part" : arrived.isEmpty ? "nothing" : "head");
  const before = socket.bytesRead;
  socket.on("readable", () => {
    if (socket.bytesRead - before <= maxReceivedBytes) return;
    if (record.respondedAt === null) malformed("Headers without an end");
    else settle(responseWith(true));
  });

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => {
      record.sentAt = now();
      record.enter("response");
    },
    onResponseStart: (controller, statusCode) => {
      // 101 switches protocols, and nobody asked for that (RFC 9110, section 15.2.2). Numbers below 100 are no status.
      if (statusCode < 100 || statusCode === 101) return malformed(`Status ${statusCode}`);
      if (statusCode < 200) return;
      record.respondedAt = now();
      status = statusCode;
      ({ reason } = arrived);
      headers = headerFields(controller);
      if (headers.length > maxHeaderFields) return malformed("Too many header fields");
      const announced = headerValue({ headers }, "content-length");
      if (announced !== null) record.body = { came: 0, announced };
      isTooLong = Number(announced) > maxBodyBytes;
    },
    onResponseData: (_controller, chunk) => {
      const kept = chunk.subarray(0, maxBodyBytes - length);
      if (length + kept.length > body.length) {
        const larger = Buffer.allocUnsafe(Math.max(2 * body.length, length + kept.length));
        body.copy(larger, 0, 0, length);
        body = larger;
      }
      kept.copy(body, length);
      length += kept.length;
      if (record.body !== null) record.body = { ...record.body, came: length };
      if (kept.length < chunk.length || (isTooLong && length === maxBodyBytes)) settle(responseWith(true));
    },
    onResponseEnd: () => {
      withoutStackTrace();
      // If the end of the connection ends the body, undici also accepts a reset as the end.
      if (firstError !== null) broken(firstError);
      else settle(responseWith(false));
    },
    onResponseError: (_controller, error) => broken(error),
  };
  return { handler, atDeadline };
}
