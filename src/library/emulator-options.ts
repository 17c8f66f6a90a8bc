import { accountKeys, completeAccount } from "../emulator/accounts.ts";
import type { CompleteOptions } from "../emulator/emulator.ts";
import { type EmulatorOptions, optionRows, readOptions } from "../emulator/options.ts";
import { checkPair } from "../emulator/pem-pair.ts";
import { program } from "../emulator/readers.ts";
import { fieldsNamed } from "./validate.ts";

const optionNames = optionRows.map(([name]) => name);

/** Every option of an emulator, with complete accounts. Throws InputError for an option that is invalid or unknown. */
export function emulatorOptionsOf(
  given: EmulatorOptions,
  randomBytes: (size: number) => Uint8Array,
): CompleteOptions {
  const fields = fieldsNamed(optionNames, "options", given);
  const options = readOptions(fields, program);
  checkPair(options, program);
  const accounts = options.accounts.map((account, index) => {
    const place = `accounts[${index}]`;
    const parts = fieldsNamed(accountKeys, place, account);
    const giver = { ...program, nameOf: (part: string) => `${place}.${part}` };
    return completeAccount(parts, options, randomBytes, giver);
  });
  return { ...options, accounts };
}
