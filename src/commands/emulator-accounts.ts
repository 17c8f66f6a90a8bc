import { openAccounts } from "../accounts/open-accounts.ts";
import { accountKeys, completeAccount, type EmulatorAccount } from "../emulator/accounts.ts";
import type { Context } from "../system/context.ts";

/**
 * The account of the flags; or, with a path, the accounts of a file as `test --accounts` takes it. Then the flags are for what
 * a line leaves out, and what belongs to a check, such as `timeout`, is ignored. Rejects with InputError for a value that no
 * client could send, and if the file or a line is invalid or if there is no account.
 */
export async function accountsOf(
  path: string | undefined,
  flags: Parameters<typeof completeAccount>[0],
  context: Context,
): Promise<readonly EmulatorAccount[]> {
  const { randomBytes, interrupted } = context;
  if (path === undefined) return [completeAccount(flags, randomBytes, (key) => `--${key}`)];
  const accounts: EmulatorAccount[] = [];
  const every = { isWanted: () => true, distinguish: false };
  for await (const { line, profile, own, error } of await openAccounts(path, every, context, interrupted)) {
    if (error !== null) throw error;
    const given = Object.fromEntries(
      accountKeys.map((key) => [key, key === "profile" ? profile : (own?.get(key)?.text ?? flags[key])]),
    );
    const nameOf = (key: string): string => `${key} in line ${line} of --accounts`;
    accounts.push(completeAccount(given, randomBytes, nameOf));
  }
  return accounts;
}
