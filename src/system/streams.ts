import { fstatSync, writeFileSync } from "node:fs";
import { OutputError, orNull, ReaderGone } from "../errors.ts";
import { errorCode } from "./error-code.ts";

/** A stream for results or messages. */
export interface Output {
  readonly isTerminal: boolean;
  /** The width of the terminal, if it is known. */
  readonly columns?: number | undefined;
  /** Resolves when the text has left the process. Rejects with OutputError if it cannot be written. */
  write(text: string): Promise<void>;
}

/** Whether a descriptor is of a regular file. A closed one, and some pipes and consoles of Windows, cannot be asked. */
const isRegularFile = (descriptor: number): boolean => orNull(() => fstatSync(descriptor).isFile()) ?? false;

/** Standard output or standard error. It is opened on first use, since most runs need only one of the two. */
export function outputOf(name: "stdout" | "stderr"): Output {
  let failure: unknown = null;
  let opened: NodeJS.WriteStream | undefined;
  const descriptor = name === "stdout" ? 1 : 2;
  let isFile: boolean | undefined;
  const open = (): NodeJS.WriteStream => {
    // Without a listener, a closed pipe would end the process with a stack trace. The callback of `write` reports the error.
    opened ??= process[name].on("error", (error) => {
      failure ??= error;
    });
    return opened;
  };
  return {
    get isTerminal() {
      return open().isTTY === true;
    },
    get columns() {
      return open().columns;
    },
    write: async (text) => {
      try {
        if (failure !== null) throw failure;
        // Into a file, Node's stream writes once and takes a part for the whole, so a full disk would go unnoticed.
        isFile ??= isRegularFile(descriptor);
        if (isFile) return writeFileSync(descriptor, text);
        await new Promise<void>((resolve, reject) => {
          open().write(text, (error) => (error ? reject(error) : resolve()));
        });
      } catch (error) {
        failure ??= error;
        const Problem = errorCode(failure) === "EPIPE" ? ReaderGone : OutputError;
        throw new Problem("The result could not be written");
      }
    },
  };
}
