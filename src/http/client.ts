import type { Socket } from "node:net";
import { Client } from "undici";

// What Node itself takes; four times as much lets tiny fields cost 20 MB more.
const maxHeaderBytes = 16 * 1024;

/** HTTP on an open connection, for one request. It never connects again, so nothing is sent twice. */
export function clientOn(socket: Socket, origin: string): Client {
  let used = false;
  return new Client(origin, {
    // Not at once: undici is still dispatching then, and would never write the request.
    connect: (_options, callback) =>
      queueMicrotask(() => {
        if (used) return callback(new Error("the connection is closed"), null);
        used = true;
        callback(null, socket);
      }),
    // No second request: undici announces "connection: close" (RFC 9112, section 9.6).
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeaderBytes,
  });
}
