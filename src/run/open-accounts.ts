import { wrongSettings } from "../errors.ts";
import { standardInput } from "../settings/inputs.ts";
import { absolutePath } from "../settings/named-file.ts";
import { accessOfOthers } from "../settings/rc-file.ts";
import { linesOf } from "../system/byte-stream.ts";
import type { Context } from "../system/context.ts";
import { AccountLines, maxLineBytes, unreadable, type WantedAccounts } from "./account-lines.ts";

/**
 * Opens the file of accounts, or standard input for `-`, until `stop`. Rejects with InputError if the file cannot be read,
 * or if others can read it or write to it.
 */
export async function openAccounts(
  path: string,
  wanted: WantedAccounts,
  context: Pick<Context, "openStream" | "workingFolder">,
  stop: AbortSignal,
): Promise<AccountLines> {
  const place = path === standardInput ? null : absolutePath(path, context.workingFolder, "--accounts");
  const stream = await context.openStream(place, stop).catch((error: unknown) => {
    throw unreadable(error);
  });
  const access = accessOfOthers(stream);
  if (access !== null) {
    stream.close();
    throw wrongSettings(
      `Other users can ${access} the file that --accounts names`,
      `Close it to others: chmod 600 ${path}; or give it on standard input: --accounts - < ${path}`,
    );
  }
  return new AccountLines(linesOf(stream.chunks, maxLineBytes), wanted);
}
