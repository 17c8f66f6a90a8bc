import { InputError } from "../errors.ts";
import { standardInput } from "../settings/inputs.ts";
import type { Level } from "../settings/levels.ts";
import { absolutePath } from "../settings/named-file.ts";
import { isOpenToOthers } from "../settings/rc-file.ts";
import type { ByteStream } from "../system/byte-stream.ts";
import type { Context } from "../system/context.ts";
import { describeFileProblem, FileProblem } from "../system/file-reading.ts";
import { type Line, linesOf } from "./lines.ts";
import { parseAccount } from "./parse-account.ts";

/** One account of the stream. `own` is what its line sets, or the error of an invalid line. */
export interface StreamedAccount {
  /** Counted from 1, empty lines included. */
  readonly line: number;
  readonly profile: string | null;
  readonly own: Level | InputError;
}

/** The accounts of `--accounts`, read as they are asked for, in groups as `linesOf` gives them. */
export interface AccountStream {
  readonly groups: AsyncIterable<Iterable<StreamedAccount>>;
  /** How many lines were read so far. */
  linesRead(): number;
}

const maxLineBytes = 1024 * 1024;
const writableByAnyone = 0o002;

function unreadable(error: unknown): unknown {
  if (!(error instanceof FileProblem)) return error;
  // The path is not quoted: it may be a secret in the wrong place.
  return new InputError(
    "settings",
    `--accounts names a file that ${describeFileProblem(error)}`,
    "Check the path and its permissions; - reads standard input",
  );
}

function checkMode(stream: ByteStream): void {
  const isWritable = stream.mode !== null && (stream.mode & writableByAnyone) !== 0;
  if (!isWritable && !isOpenToOthers(stream)) return;
  throw new InputError(
    "settings",
    `Other users can ${isWritable ? "write to" : "read"} the file that --accounts names`,
    "Close it to others: chmod 600 FILE",
  );
}

function accountOf(bytes: Uint8Array | null, line: number): StreamedAccount | null {
  try {
    const parsed = parseAccount(bytes, line);
    return parsed === null ? null : { line, ...parsed };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { line, profile: null, own: error };
  }
}

/**
 * Opens the file of accounts, or standard input for `-`, until `stop`. Rejects with InputError if it cannot be read, or
 * if others can read it or write to it.
 */
export async function openAccounts(
  path: string,
  context: Pick<Context, "openStream" | "workingFolder">,
  stop: AbortSignal,
): Promise<AccountStream> {
  const place = path === standardInput ? null : absolutePath(path, context.workingFolder);
  const stream = await context.openStream(place, stop).catch((error: unknown) => {
    throw unreadable(error);
  });
  try {
    checkMode(stream);
  } catch (error) {
    stream.close();
    throw error;
  }
  let read = 0;
  function* accountsOf(lines: Iterable<Line>): Generator<StreamedAccount> {
    for (const { number, bytes } of lines) {
      read = number;
      const account = accountOf(bytes, number);
      if (account !== null) yield account;
    }
  }
  async function* groups(): AsyncGenerator<Iterable<StreamedAccount>> {
    try {
      for await (const lines of linesOf(stream.chunks, maxLineBytes)) yield accountsOf(lines);
    } catch (error) {
      throw unreadable(error);
    }
  }
  return { groups: groups(), linesRead: () => read };
}
