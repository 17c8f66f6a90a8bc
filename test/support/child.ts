import { type SpawnOptions, spawn } from "node:child_process";

/** How a child ended, and what it wrote to its pipes. */
export interface Ended {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a child. `ended` rejects if it cannot be started. */
export function started([command = "", ...args]: readonly string[], options: SpawnOptions) {
  const child = spawn(command, args, options);
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
  child.stdin?.on("error", () => {});
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode, signal) => {
      const [stdout, stderr] = [Buffer.concat(out).toString(), Buffer.concat(err).toString()];
      resolve({ exitCode, signal, stdout, stderr });
    });
  });
  return { child, ended };
}
