import { Socket } from "node:net";
import type { Readable } from "node:stream";

/**
 * A stream of a named pipe that was opened without waiting. It reads through the event loop: a blocking read, even in
 * another thread, would keep a signal from ending the process.
 */
export function pipeStream(descriptor: number): Readable {
  return new Socket({ fd: descriptor, readable: true, writable: false });
}
