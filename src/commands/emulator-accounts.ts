import { openAccounts } from "../accounts/account-stream.ts";
import { completeAccount, type EmulatorAccount, type PartialAccount } from "../emulator/accounts.ts";
import { choice } from "../emulator/values.ts";
import type { SettingName } from "../settings/table.ts";
import type { Context } from "../system/context.ts";
import { authorizationModes } from "../wsse/authorization.ts";
import { conventionNames, hashNames } from "../wsse/digest.ts";

/** The account of the flags. Throws InputError (usage) for a value that no client could send. */
export function flagAccount(given: PartialAccount, { randomBytes }: Context): EmulatorAccount {
  return completeAccount(given, randomBytes, (key) => `--${key}`);
}

/**
 * The accounts of a file as `test --accounts` takes it; what belongs to a check, such as `timeout`, is ignored. `algorithm`
 * is for lines that name none. Rejects with InputError if the file or a line is invalid, or if there is no account.
 */
export async function fileAccounts(
  path: string,
  algorithm: Pick<PartialAccount, "digest" | "hash" | "authorization">,
  context: Context,
): Promise<readonly EmulatorAccount[]> {
  const every = { isWanted: () => true, distinguish: false };
  const lines = await openAccounts(path, every, context, context.interrupted);
  const accounts: EmulatorAccount[] = [];
  for await (const { line, profile, own, error } of lines.accounts) {
    if (error !== null) throw error;
    const of = (name: SettingName): string | undefined => own?.get(name)?.text;
    const nameOf = (key: string): string => `${key} in line ${line} of --accounts`;
    const chosen = <Name extends string>(key: SettingName, names: readonly Name[]): Name | undefined => {
      const text = of(key);
      return text === undefined ? undefined : choice(nameOf(key), text, names);
    };
    const given = {
      profile,
      token: of("token"),
      username: of("username"),
      secret: of("secret"),
      digest: chosen("digest", conventionNames) ?? algorithm.digest,
      hash: chosen("hash", hashNames) ?? algorithm.hash,
      authorization: chosen("authorization", authorizationModes) ?? algorithm.authorization,
    };
    accounts.push(completeAccount(given, context.randomBytes, nameOf));
  }
  return accounts;
}
