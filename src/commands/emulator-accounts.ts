import { openAccounts } from "../accounts/open-accounts.ts";
import { accountKeys, completeAccount, type EmulatorAccount } from "../emulator/accounts.ts";
import type { Context } from "../system/context.ts";

/** The account of the flags. Throws InputError (usage) for a value that no client could send. */
export function flagAccount(
  flags: Parameters<typeof completeAccount>[0],
  { randomBytes }: Context,
): EmulatorAccount {
  return completeAccount(flags, randomBytes, (key) => `--${key}`);
}

/**
 * The accounts of a file as `test --accounts` takes it; what belongs to a check, such as `timeout`, is ignored. The flags are
 * for what a line leaves out. Rejects with InputError if the file or a line is invalid, or if it has no account.
 */
export async function fileAccounts(
  path: string,
  flags: Parameters<typeof completeAccount>[0],
  context: Context,
): Promise<readonly EmulatorAccount[]> {
  const every = { isWanted: () => true, distinguish: false };
  const lines = await openAccounts(path, every, context, context.interrupted);
  const accounts: EmulatorAccount[] = [];
  for await (const { line, profile, own, error } of lines) {
    if (error !== null) throw error;
    const given = Object.fromEntries(
      accountKeys.map((key) => [key, key === "profile" ? profile : (own?.get(key)?.text ?? flags[key])]),
    );
    const nameOf = (key: string): string => `${key} in line ${line} of --accounts`;
    accounts.push(completeAccount(given, context.randomBytes, nameOf));
  }
  return accounts;
}
