import { close, createReadStream, fstatSync } from "node:fs";
import type { Readable } from "node:stream";
import { asFileProblem, FileProblem, type OpenedFile, openToRead } from "./file-reading.ts";
import { pipeStream } from "./pipe.ts";

/** Bytes that are read as they are needed; `mode` and `owner` are null for anything but a regular file on POSIX. */
export interface ByteStream extends Pick<OpenedFile, "mode" | "owner"> {
  /** Throws FileProblem, or the reason of the signal that the stream was opened with. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Closes the stream, read or not. */
  close(): void;
}

/** A Readable as a ByteStream of unknown owner. The stop signal destroys it. */
export function byteStreamOf(stream: Readable, stop: AbortSignal): ByteStream {
  const end = (): void => void stream.destroy(stop.reason);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      stop.throwIfAborted();
      stop.addEventListener("abort", end, { once: true });
      yield* stream as AsyncIterable<Uint8Array>;
      // Destroying an ended stream throws nothing, so check the signal again.
      stop.throwIfAborted();
    } catch (error) {
      throw asFileProblem(error);
    } finally {
      stop.removeEventListener("abort", end);
      stream.destroy();
    }
  }
  return { mode: null, owner: null, chunks: chunks(), close: () => void stream.destroy() };
}

/** Opens a file, pipe or device that the user named. Rejects with FileProblem. */
export async function openByteStream(path: string, stop: AbortSignal): Promise<ByteStream> {
  let descriptor: number | null = null;
  try {
    descriptor = openToRead(path);
    const facts = fstatSync(descriptor);
    if (facts.isDirectory()) throw new FileProblem("EISDIR");
    if (facts.isFIFO()) {
      return byteStreamOf(pipeStream(descriptor), stop);
    }
    const stream = byteStreamOf(createReadStream("", { fd: descriptor }), stop);
    const known = facts.isFile() && process.platform !== "win32";
    return known ? { ...stream, mode: facts.mode, owner: facts.uid } : stream;
  } catch (error) {
    if (descriptor !== null) close(descriptor);
    throw asFileProblem(error);
  }
}
