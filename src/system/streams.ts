// Standard output and standard error as promises, with errors of their own.

import { fstatSync, writeFileSync } from "node:fs";
import { isatty } from "node:tty";
import { errorCode, OutputError, orNull, ReaderGone } from "../errors.ts";

/** A stream for results or messages. */
export interface Output {
  readonly isTerminal: boolean;
  /** The width of the terminal, if it is known. */
  readonly columns?: number | undefined;
  /** Resolves when the text has left the process. Rejects with OutputError if it cannot be written. */
  write(text: string): Promise<void>;
}

/** The system's words for one of its error codes, and the code; the code alone if it is none of the system's. */
export async function inWords(code: string): Promise<string> {
  const { getSystemErrorMap } = await import("node:util");
  const [, words] = [...getSystemErrorMap().values()].find(([name]) => name === code) ?? [];
  return words === undefined ? code : `${words} (${code})`;
}

/**
 * Whether Node's stream could lose text: it notices no full disk, and writes nothing to a folder or block device. False where the system
 * cannot tell, as for some pipes of Windows.
 */
const losesText = (descriptor: number): boolean =>
  orNull(() => {
    const facts = fstatSync(descriptor);
    return facts.isFile() || facts.isDirectory() || facts.isBlockDevice();
  }) ?? false;

/** Standard output or standard error. It is opened on first use, since most runs need only one of the two. */
export function outputOf(name: "stdout" | "stderr"): Output {
  let failure: unknown = null;
  let opened: NodeJS.WriteStream | undefined;
  const descriptor = name === "stdout" ? 1 : 2;
  let isWrittenDirectly: boolean | undefined;
  const open = (): NodeJS.WriteStream => {
    // Without a listener, a closed pipe would end the process with a stack trace. The callback of `write` reports the error.
    opened ??= process[name].on("error", (error) => {
      failure ??= error;
    });
    return opened;
  };
  return {
    get isTerminal() {
      // To open standard error only to ask takes half a millisecond.
      return isatty(descriptor);
    },
    get columns() {
      return open().columns;
    },
    write: async (text) => {
      try {
        if (failure !== null) throw failure;
        isWrittenDirectly ??= losesText(descriptor);
        if (isWrittenDirectly) return writeFileSync(descriptor, text);
        await new Promise<void>((resolve, reject) => {
          open().write(text, (error) => (error ? reject(error) : resolve()));
        });
      } catch (error) {
        failure ??= error;
        const code = errorCode(failure);
        const message = "The result could not be written";
        if (code === "EPIPE") throw new ReaderGone(message);
        throw new OutputError(code === null ? message : `${message}: ${await inWords(code)}`);
      }
    },
  };
}
