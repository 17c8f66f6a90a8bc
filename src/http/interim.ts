import type { Socket } from "node:net";

// RFC 9112, sections 4 and 5. 101 is not among them: nobody asked to switch protocols.
const start = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/;
const head =
  /^HTTP\/1\.[01] 1\d\d(?: [\t -~\x80-\xff]*)?\r\n(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t -~\x80-\xff]*\r\n)*\r\n/;
const example = "HTTP/1.1 100 ";
// As much as undici accepts. Whatever is longer, undici refuses.
const maxHeadBytes = 16 * 1024;

/**
 * Removes interim responses (RFC 9110, section 15.2) from the beginning of what a socket receives. A client must accept
 * them even if it did not ask for any, but undici ends a request at a 100, and a CONNECT at all of them. Call it before
 * undici listens to the socket.
 */
export function skipInterimResponses(socket: Socket): void {
  let held = Buffer.alloc(0);
  const skip = (): void => {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) return;
    held = Buffer.concat([held, chunk]);
    for (;;) {
      // The first bytes alone may already show that it is no interim response.
      const text = held.toString("latin1", 0, example.length);
      if (!start.test(text + example.slice(text.length))) break;
      const whole = held.toString("latin1", 0, maxHeadBytes);
      const length = head.exec(whole)?.[0].length;
      if (length !== undefined) held = held.subarray(length);
      else if (/\n\r?\n/.test(whole) || held.length > maxHeadBytes) break;
      else return;
    }
    socket.off("readable", skip);
    socket.unshift(held);
  };
  socket.on("readable", skip);
}
