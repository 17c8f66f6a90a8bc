/**
 * The emulator of the API for the tests of a client: `import { startEmulator } from "referral-auth/emulator"`. Importing it
 * has no effects. It reads no environment variables and no files.
 */
import { type Emulator, type EmulatorOptions, openGiven } from "../emulator/emulator.ts";
import { system } from "./system.ts";

export type {
  Emulator,
  EmulatorAccount,
  EmulatorOptions,
  PartialAccount,
  PlannedAnswer,
  Reason,
  ReceivedRequest,
} from "../emulator/emulator.ts";
export { InputError } from "../errors.ts";
export type { ConventionName, HashName } from "../wsse/digest.ts";
export type { AuthorizationMode } from "../wsse/header.ts";

/**
 * Starts a server of the API on this machine, and resolves when it listens. Without options it accepts one account with random
 * credentials, on a free port of 127.0.0.1. Close it when the tests are done: it keeps the process alive, unless `unref` is true. Rejects with
 * InputError for an option that it cannot use, or a port that it cannot open.
 *
 * @example
 * const emulator = await startEmulator();
 * const [account] = emulator.accounts;
 * await myClient(emulator.url, account.token);
 * expect(emulator.requests).toMatchObject([{ status: 200, account: 0 }]);
 * await emulator.close();
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  return openGiven(options, system);
}
