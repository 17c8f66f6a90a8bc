import type { Socket } from "node:net";

/** A whole interim response (RFC 9112, sections 4 and 5). 101 is none: it switches protocols (RFC 9110, section 15.2.2). */
const interim =
  /^HTTP\/1\.[01] 1(?!01)\d\d(?: [\t -~\x80-\xff]*)?\r\n(?:[\w!#$%&'*+.^`|~-]+:[\t -~\x80-\xff]*\r\n)*\r\n/;
const beginning = "HTTP/1.1 1";

/**
 * Leaves interim responses out of what `read` of this socket gives. A client must be able to read them although it asks for none
 * (RFC 9110, section 15.2), but undici closes the connection at a 100. It still judges those that are malformed or larger than
 * `maxBytes`, which is also the largest number of bytes that are held back.
 */
export function skipInterimResponses(socket: Socket, maxBytes: number): void {
  const read = socket.read.bind(socket);
  let held = "";
  let passed = false;
  socket.read = (size?: number): Buffer | null => {
    const chunk: Buffer | null = read(size);
    if (passed || chunk === null) return chunk;
    held += chunk.toString("latin1");
    const lengthOfNext = (): number => interim.exec(held)?.[0].length ?? Number.POSITIVE_INFINITY;
    for (let length = lengthOfNext(); length <= maxBytes; length = lengthOfNext()) held = held.slice(length);
    const isIncomplete = beginning.startsWith(held.slice(0, beginning.length)) && !held.includes("\r\n\r\n");
    if (isIncomplete && held.length <= maxBytes) return null;
    passed = true;
    return Buffer.from(held, "latin1");
  };
}
