import { onTestFinished } from "vitest";
import {
  type Emulator,
  type EmulatorOptions,
  type PlannedAnswer,
  startEmulator,
} from "../../src/library/emulator.ts";
import { planted } from "./planted.ts";

/** Answers to all requests of a test. */
export const [webPage, hangs] = [
  { status: 200, headers: { "Content-Type": "text/html" }, body: "<title>Sign in</title>", times: 1_000 },
  { delaySeconds: 600, times: 1_000 },
] as const;

/** An emulator that accepts the planted credentials until the test is finished, and the lines of its log. */
export async function emulate({
  answers = [],
  ...options
}: EmulatorOptions & { readonly answers?: readonly PlannedAnswer[] } = {}): Promise<
  Emulator & { readonly log: readonly string[] }
> {
  const log: string[] = [];
  const emulator = await startEmulator({
    accounts: [planted],
    log: (line) => void log.push(line),
    ...options,
  });
  onTestFinished(() => emulator.close());
  emulator.answers(answers);
  return Object.assign(emulator, { log });
}
