import { OutputError } from "../errors.ts";

/** A stream that a result or a message goes to. */
export interface Output {
  readonly isTerminal: boolean;
  /** The width of the terminal, if it is known. */
  readonly columns?: number | undefined;
  /** The stream itself where it is a terminal, for what moves on it. */
  readonly terminal?: NodeJS.WritableStream | undefined;
  /** Resolves when the text has left the process; rejects with OutputError when it could not. */
  write(text: string): Promise<void>;
}

/** Standard output or standard error. Most runs need one of the two, and Node makes a stream when it is asked for. */
export function outputOf(name: "stdout" | "stderr"): Output {
  let failed = false;
  let opened: NodeJS.WriteStream | null = null;
  const open = (): NodeJS.WriteStream => {
    if (opened === null) {
      opened = process[name];
      // Without a listener a closed pipe would end the process with a stack trace; the write's own callback reports it.
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
    get terminal() {
      return open().isTTY ? open() : undefined;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        const fail = (): void => reject(new OutputError("The result could not be written"));
        if (failed) return fail();
        open().write(text, (error) => (error ? fail() : resolve()));
      }),
  };
}
