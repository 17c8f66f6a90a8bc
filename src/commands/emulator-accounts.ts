import { accountKeys, completeAccount, type EmulatorAccount } from "../emulator/accounts.ts";
import type { AllOptions } from "../emulator/options.ts";
import { openAccounts } from "../run/account-lines.ts";
import type { Context } from "../system/context.ts";

/** The flags that name accounts. */
export type AccountFlags = Partial<Record<"token" | "username" | "secret", unknown>> & {
  readonly accounts?: string;
};

/**
 * The account of the flags; or, with a path, the accounts of a file as `test --accounts` takes it. Then the options are for what
 * a line leaves out, and what belongs to a check, such as `timeout`, is ignored. Rejects with InputError for a value that no
 * client could send, and if the file or a line is invalid or if there is no account.
 */
export async function accountsOf(
  { accounts: path, token, username, secret }: AccountFlags,
  options: AllOptions,
  context: Context,
): Promise<readonly EmulatorAccount[]> {
  const { randomBytes, interrupted } = context;
  const kind = "usage";
  if (path === undefined) {
    const nameOf = (key: string): string => `--${key}`;
    return [completeAccount({ token, username, secret }, options, randomBytes, { kind, nameOf })];
  }
  const accounts: EmulatorAccount[] = [];
  const every = { isWanted: () => true, distinguish: false };
  for await (const { line, profile, own, error } of await openAccounts(path, every, context, interrupted)) {
    if (error !== null) throw error;
    const texts = accountKeys.map((key) => [key, key === "profile" ? profile : own?.get(key)?.text]);
    const nameOf = (key: string): string => `${key} in line ${line} of --accounts`;
    accounts.push(completeAccount(Object.fromEntries(texts), options, randomBytes, { kind, nameOf }));
  }
  return accounts;
}
