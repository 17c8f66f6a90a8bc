import { Command } from "commander";
import { vi } from "vitest";
import { addEmulatorCommand } from "../../src/commands/emulator.ts";
import { Interrupted } from "../../src/errors.ts";
import type { Context } from "../../src/system/context.ts";
import { contextOf } from "../support/run.ts";
import { now } from "./support.ts";

/** Starts `emulator` in this process. Returns what it has written so far, and a promise of the exit codes it chose. */
export function startRun(args: readonly string[], changes: Partial<Context> = {}) {
  const interruption = new AbortController();
  const own = contextOf(args, {
    now,
    interrupted: interruption.signal,
    environment: { PATH: process.env.PATH ?? "" },
  });
  const context: Context = { ...own, ...changes };
  const codes: number[] = [];
  const program = new Command("referral-auth")
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} });
  addEmulatorCommand(program, context, (code) => codes.push(code));
  const ended = program.parseAsync(["emulator", ...args], { from: "user" }).then(() => codes);
  ended.catch(() => {});
  return {
    ended,
    interrupt: (signal: "SIGINT" | "SIGTERM") => interruption.abort(new Interrupted(signal)),
    stdout: () => own.stdout.text,
    stderr: () => own.stderr.text,
  };
}

/** Resolves when the condition holds; rejects if it never does. */
export async function until(condition: () => boolean): Promise<void> {
  await vi.waitUntil(condition, { timeout: 25_000, interval: 5 });
}

/** The variables that `emulator` printed. */
export function variablesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value]),
  );
}
