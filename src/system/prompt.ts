// Asks for a secret on a terminal without showing it.

import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { ReadStream } from "node:tty";
import { FileProblem } from "./file-reading.ts";

/** Asks for a secret on a terminal, and again after the process was stopped. It shows nothing. Rejects with FileProblem or Interrupted. */
export async function askHidden(
  label: string,
  terminal: ReadStream,
  maxBytes: number,
  interrupted: AbortSignal,
): Promise<Uint8Array> {
  interrupted.throwIfAborted();
  // With TERM=dumb, Node takes Backspace and Ctrl-Z for parts of the line. This output moves no cursor.
  delete process.env.TERM;
  // Open this before the question, so that early typing is not shown either.
  const lines = createInterface({
    input: terminal,
    output: new Writable({ write: (_text, _encoding, done) => done() }),
    terminal: true,
    historySize: 0,
    signal: interrupted,
  });
  // Readline reads Ctrl-C itself, so the terminal sends no signal. `process.kill` would end the process at once on Windows.
  lines.on("SIGINT", () => process.emit("SIGINT"));
  // The same for Ctrl-Z. A shell script or npm that waits for this process has to stop too, as after the terminal's signal. The
  // signal stops nothing where no shell could continue it, and the terminal must not show what is typed then.
  lines.on("SIGTSTP", () => {
    terminal.setRawMode(false);
    process.kill(0, "SIGTSTP");
    terminal.setRawMode(true);
  });
  // The shell has used the terminal meanwhile. Node believes that its mode is unchanged, so set it twice.
  const askAgain = (): void => {
    terminal.setRawMode(false);
    terminal.setRawMode(true);
    lines.write(null, { ctrl: true, name: "u" });
    process.stderr.write(`${label}: `);
  };
  process.on("SIGCONT", askAgain);
  process.stderr.write(`${label}: `);
  try {
    const { value = "" } = await lines[Symbol.asyncIterator]().next();
    interrupted.throwIfAborted();
    const bytes = Buffer.from(value);
    if (bytes.length === 0) throw new FileProblem("NOTHING_ENTERED");
    if (bytes.length > maxBytes) throw new FileProblem("TOO_LARGE");
    return bytes;
  } finally {
    process.off("SIGCONT", askAgain);
    lines.close();
    terminal.destroy();
    process.stderr.write("\n");
  }
}
