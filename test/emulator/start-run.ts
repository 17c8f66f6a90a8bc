import { Command } from "commander";
import { expect, vi } from "vitest";
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

/** Starts `emulator` without a command, and resolves when it listens. `stop` interrupts it, and expects that this ends it. */
export async function listening(args: readonly string[], changes: Partial<Context> = {}) {
  const run = startRun(args, changes);
  await until(() => run.stdout() !== "");
  const printed = [...run.stdout().matchAll(/^export (\w+)='(.*)'$/gm)];
  const variables = Object.fromEntries(printed.map(([, name, value = ""]) => [name, value]));
  const { url, ...document } = variables.REFERRAL_BASE_URL
    ? { url: variables.REFERRAL_BASE_URL }
    : JSON.parse(run.stdout());
  async function stop(signal: "SIGINT" | "SIGTERM" = "SIGINT"): Promise<readonly string[]> {
    run.interrupt(signal);
    await expect(run.ended).rejects.toMatchObject({ name: "Interrupted", signal });
    return run.stderr().split("\n").slice(0, -1);
  }
  return { ...run, variables, document, url, stop };
}
