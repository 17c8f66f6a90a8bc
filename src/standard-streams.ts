import { fstatSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { OutputFailure } from "./mistake.ts";

/** A stream that a result or a message goes to. */
export interface Output {
  readonly isTerminal: boolean;
  /** The stream itself where it is a terminal, for what moves on it. */
  readonly terminal?: NodeJS.WritableStream | undefined;
  /** Resolves when the text has left the process; rejects with OutputFailure when it could not. */
  write(text: string): Promise<void>;
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/** Writes all of the text, waiting for a reader whose pipe is full. Rejects with OutputFailure. */
async function writeAll(descriptor: number, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      // Whoever shares a pipe with us may have made it one that does not wait by itself.
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) {
        throw new OutputFailure("The result could not be written");
      }
      await pause(10);
    }
  }
}

function isTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice() && isatty(descriptor);
  } catch {
    // It was closed before we began.
    return false;
  }
}

/** Standard output or standard error, by its descriptor: what is written has left the process whatever happens next. */
export function outputOf(descriptor: 1 | 2): Output {
  return {
    get isTerminal() {
      return isTerminal(descriptor);
    },
    get terminal() {
      return isTerminal(descriptor) ? process[descriptor === 1 ? "stdout" : "stderr"] : undefined;
    },
    write: (text) => writeAll(descriptor, text),
  };
}
