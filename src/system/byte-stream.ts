// Bytes that are read as they are needed, from files, pipes and standard input, within limits.

import { close, createReadStream, fstatSync, statSync } from "node:fs";
import { Socket } from "node:net";
import { addAbortSignal, type Readable } from "node:stream";
import { orNull } from "../errors.ts";
import {
  asFileProblem,
  FileProblem,
  type OpenedFile,
  openToRead,
  type Permissions,
  permissionsOf,
  readFile,
} from "./file-reading.ts";

/** Bytes that are read as they are needed. */
export interface ByteStream extends Permissions {
  /** How many bytes it has; null if nobody knows where it ends. */
  readonly size: number | null;
  /** Throws FileProblem, or the reason of the signal that the stream was opened with. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Closes the stream, read or not. */
  close(): void;
}

/** A Readable as a ByteStream of unknown owner. The stop signal destroys it. */
export function byteStreamOf(stream: Readable, stop: AbortSignal): ByteStream {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* addAbortSignal(stop, stream) as AsyncIterable<Uint8Array>;
      // Destroying an ended stream throws nothing, so check the signal again.
      stop.throwIfAborted();
    } catch (error) {
      throw stop.aborted ? stop.reason : asFileProblem(error);
    } finally {
      stream.destroy();
    }
  }
  return { mode: null, owner: null, size: null, chunks: chunks(), close: () => void stream.destroy() };
}

/** Standard input as a ByteStream. Throws FileProblem for a folder: Node gives an empty stream in its place. */
export function stdinStream(stop: AbortSignal): ByteStream {
  if (orNull(() => fstatSync(0).isDirectory())) throw new FileProblem("EISDIR");
  return byteStreamOf(process.stdin, stop);
}

/** All bytes of a stream, at most `maxBytes`. Rejects with FileProblem, or with the reason of the stream's signal. */
export async function collect({ chunks }: ByteStream, maxBytes: number): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxBytes) throw new FileProblem("TOO_LARGE");
    all.push(chunk);
  }
  return Buffer.concat(all, length);
}

/** Opens a file, pipe or device that the user named. Rejects with FileProblem. */
export async function openByteStream(path: string, stop: AbortSignal): Promise<ByteStream> {
  let descriptor: number | null = null;
  try {
    descriptor = openToRead(path);
    const facts = fstatSync(descriptor);
    if (facts.isDirectory()) throw new FileProblem("EISDIR");
    // A pipe is read through the event loop: a blocking read, even in another thread, would keep a signal from ending the process.
    const stream = facts.isFIFO()
      ? new Socket({ fd: descriptor, readable: true, writable: false })
      : createReadStream("", { fd: descriptor });
    return {
      ...byteStreamOf(stream, stop),
      ...permissionsOf(facts),
      size: facts.isFile() ? facts.size : null,
    };
  } catch (error) {
    if (descriptor !== null) close(descriptor);
    throw asFileProblem(error);
  }
}

/** At most `maxBytes` of a file, pipe or device that the user named; it waits for their data. Rejects as `collect` does. */
export async function readNamedFile(
  path: string,
  maxBytes: number,
  interrupted: AbortSignal,
): Promise<OpenedFile> {
  // Nothing has to be waited for, and a stream takes 4 ms. Look first: to open a FIFO and close it again would end its writer.
  if (orNull(() => statSync(path).isFile())) return readFile(path, maxBytes);
  const stream = await openByteStream(path, interrupted);
  return { bytes: await collect(stream, maxBytes), mode: stream.mode, owner: stream.owner };
}
