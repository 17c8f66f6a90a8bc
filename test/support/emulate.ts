import { onTestFinished } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/library/emulator.ts";
import { planted } from "./planted.ts";

/** An emulator that accepts the planted credentials until the test is finished, and the lines of its log. */
export async function emulate(
  options: EmulatorOptions = {},
): Promise<Emulator & { readonly log: readonly string[] }> {
  const log: string[] = [];
  const emulator = await startEmulator({
    accounts: [planted],
    log: (line) => void log.push(line),
    ...options,
  });
  onTestFinished(() => emulator.close());
  return { ...emulator, log };
}
