import type { ReadStream } from "node:tty";
import { FileProblem } from "./file-reading.ts";

const endsInput = new Set(["\r", "\n", "\u0004"]);
const backspaces = new Set(["\u007f", "\b"]);
const controlC = "\u0003";
const controlU = "\u0015";

/**
 * Asks for a secret on a terminal, and resolves with what is typed up to the end of the line. Nothing that is typed is
 * shown. Rejects with FileProblem, or with the reason of `interrupted`.
 */
export function askHidden(
  label: string,
  terminal: ReadStream,
  maxBytes: number,
  interrupted: AbortSignal,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    interrupted.throwIfAborted();
    let typed: readonly string[] = [];
    const leave = (): void => {
      interrupted.removeEventListener("abort", stop);
      terminal.setRawMode(false);
      terminal.destroy();
      process.stderr.write("\n");
    };
    const stop = (): void => {
      leave();
      reject(interrupted.reason);
    };
    const take = (key: string): boolean => {
      if (endsInput.has(key)) return false;
      // In raw mode the terminal sends no signal for this key.
      if (key === controlC) process.kill(process.pid, "SIGINT");
      else if (key === controlU) typed = [];
      else typed = backspaces.has(key) ? typed.slice(0, -1) : [...typed, key];
      return true;
    };
    interrupted.addEventListener("abort", stop, { once: true });
    terminal.setEncoding("utf8");
    // Set this before the question, so that early typing is not shown either.
    terminal.setRawMode(true);
    process.stderr.write(`${label}: `);
    terminal.on("data", (keys: string) => {
      const isOpen = [...keys].every(take);
      const bytes = Buffer.from(typed.join(""));
      if (isOpen && bytes.length <= maxBytes) return;
      leave();
      if (bytes.length > maxBytes) reject(new FileProblem("TOO_LARGE"));
      else resolve(bytes);
    });
  });
}
