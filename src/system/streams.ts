import { OutputError } from "../errors.ts";

/** A stream for results or messages. */
export interface Output {
  readonly isTerminal: boolean;
  /** The width of the terminal, if it is known. */
  readonly columns?: number | undefined;
  /** Resolves when the text has left the process. Rejects with OutputError if it cannot be written. */
  write(text: string): Promise<void>;
}

/** Standard output or standard error. It is opened on first use, since most runs need only one of the two. */
export function outputOf(name: "stdout" | "stderr"): Output {
  let failed = false;
  let opened: NodeJS.WriteStream | null = null;
  const open = (): NodeJS.WriteStream => {
    if (opened === null) {
      opened = process[name];
      // Without a listener, a closed pipe would end the process with a stack trace. The callback of `write` reports the error.
      opened.on("error", () => {
        failed = true;
      });
    }
    return opened;
  };
  return {
    get isTerminal() {
      return open().isTTY === true;
    },
    get columns() {
      return open().columns;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        const fail = (): void => reject(new OutputError("The result could not be written"));
        if (failed) return fail();
        open().write(text, (error) => (error ? fail() : resolve()));
      }),
  };
}
