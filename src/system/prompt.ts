import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { ReadStream } from "node:tty";
import { FileProblem } from "./file-reading.ts";

/**
 * Asks for a secret on a terminal, and resolves with the line that is typed. Nothing that is typed is shown. Rejects with
 * FileProblem, or with the reason of `interrupted`.
 */
export async function askHidden(
  label: string,
  terminal: ReadStream,
  maxBytes: number,
  interrupted: AbortSignal,
): Promise<Uint8Array> {
  interrupted.throwIfAborted();
  // Open this before the question, so that early typing is not shown either.
  const lines = createInterface({
    input: terminal,
    output: new Writable({ write: (_text, _encoding, done) => done() }),
    terminal: true,
    historySize: 0,
    signal: interrupted,
  });
  // Readline takes this key from the terminal, which then sends no signal. `process.kill` would end the process at once on Windows.
  lines.on("SIGINT", () => process.emit("SIGINT"));
  process.stderr.write(`${label}: `);
  try {
    const { value = "" } = await lines[Symbol.asyncIterator]().next();
    interrupted.throwIfAborted();
    const bytes = Buffer.from(value);
    if (bytes.length > maxBytes) throw new FileProblem("TOO_LARGE");
    return bytes;
  } finally {
    lines.close();
    terminal.destroy();
    process.stderr.write("\n");
  }
}
