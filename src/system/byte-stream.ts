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

const lineFeed = 0x0a;
const blank: readonly number[] = [lineFeed, 0x0d, 0x20, 0x09];
const byteOrderMark = Buffer.of(0xef, 0xbb, 0xbf);

/**
 * The lines of a stream, with their numbers from 1, and how many bytes were read at the end of each; null for one of more than
 * `maxBytes`, of which it keeps nothing. A byte order mark at the start of the stream is dropped, and a last line needs no end. Blank
 * lines are counted in one loop and not given: to give each of millions would keep a signal waiting.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<{ readonly bytes: Uint8Array | null; readonly line: number; readonly end: number }> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let line = 1;
  let read = 0;
  const add = (piece: Uint8Array): void => {
    length += piece.length;
    if (length > maxBytes) pieces = [];
    else pieces.push(piece);
  };
  /** The line that is complete. The next one begins empty. */
  const take = (): Uint8Array | null => {
    const bytes = length > maxBytes ? null : Buffer.concat(pieces);
    const isMarked =
      line === 1 && bytes !== null && byteOrderMark.equals(bytes.subarray(0, byteOrderMark.length));
    [pieces, length] = [[], 0];
    return isMarked ? bytes.subarray(byteOrderMark.length) : bytes;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (;;) {
      for (let at = from; length === 0 && blank.includes(chunk[at] ?? 0); at += 1)
        if (chunk[at] === lineFeed) [from, line] = [at + 1, line + 1];
      const end = chunk.indexOf(lineFeed, from);
      if (end < 0) break;
      add(chunk.subarray(from, end));
      from = end + 1;
      yield { bytes: take(), line, end: read + from };
      line += 1;
    }
    add(chunk.subarray(from));
    read += chunk.length;
  }
  if (length > 0) yield { bytes: take(), line, end: read };
}
