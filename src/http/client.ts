import type { Socket } from "node:net";
import { Client } from "undici";

// Node's own limit. With four times as much, many tiny fields can take 20 MB more memory.
const maxHeaderBytes = 16 * 1024;

/** HTTP on an open connection, for one request. It never connects again, so nothing is sent twice. */
export function clientFor(socket: Socket, origin: string): Client {
  let used = false;
  return new Client(origin, {
    // Not synchronously: undici is still dispatching, and would never write the request.
    connect: (_options, callback) =>
      queueMicrotask(() => {
        if (used) return callback(new Error("the connection is closed"), null);
        used = true;
        callback(null, socket);
      }),
    // Only one request: undici then sends "connection: close" (RFC 9112, section 9.6).
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeaderBytes,
  });
}
