import { onTestFinished } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/emulator-options.ts";
import { type Emulator, startEmulator } from "../../src/emulator/server.ts";
import { planted } from "./planted.ts";

/** An emulator that accepts the planted credentials until the test is finished, and the lines of its log. */
export async function emulate(
  options: Partial<EmulatorOptions> = {},
): Promise<Emulator & { readonly log: readonly string[] }> {
  const log: string[] = [];
  const emulator = await startEmulator({
    credentials: planted,
    now: Date.now,
    log: (line) => void log.push(line),
    ...options,
  });
  onTestFinished(() => emulator.close());
  return { ...emulator, log };
}
