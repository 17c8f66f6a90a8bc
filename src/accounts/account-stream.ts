import { InputError } from "../errors.ts";
import { standardInput } from "../settings/inputs.ts";
import { absolutePath } from "../settings/named-file.ts";
import { isOpenToOthers } from "../settings/rc-file.ts";
import type { ByteStream } from "../system/byte-stream.ts";
import type { Context } from "../system/context.ts";
import { describeFileProblem, FileProblem } from "../system/file-reading.ts";
import type { Account } from "./account.ts";
import { parseAccount } from "./parse-account.ts";
import { SeenNames } from "./seen-names.ts";

/** The accounts of `--accounts`, read as they are asked for. */
export interface AccountStream {
  readonly accounts: AsyncIterable<Account>;
  /** The accounts that were read. Whoever has finished one removes it. */
  readonly left: Set<Account>;
  /** How many lines were read so far, and whether they are all. */
  progress(): { readonly lines: number; readonly isAll: boolean };
}

const maxLineBytes = 1024 * 1024;
const lineFeed = 0x0a;
const byteOrderMark = Buffer.of(0xef, 0xbb, 0xbf);
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

function checkMode(stream: ByteStream, path: string): void {
  const isWritable = stream.mode !== null && (stream.mode & writableByAnyone) !== 0;
  if (!isWritable && !isOpenToOthers(stream)) return;
  throw new InputError(
    "settings",
    `Other users can ${isWritable ? "write to" : "read"} the file that --accounts names`,
    `Close it to others: chmod 600 ${path}`,
  );
}

/** The bytes of the line that is being read. It keeps none of a line that is too long. */
class LineBuffer {
  #pieces: Uint8Array[] = [];
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length > maxLineBytes) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  /** The line without its end, or null if it is too long. The next one begins empty. */
  take(): Uint8Array | null {
    const line = this.#length > maxLineBytes ? null : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    return line;
  }
}

/** The lines of a stream, without a byte order mark at its start. A last line needs no end. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | null> {
  const buffer = new LineBuffer();
  let isFirst = true;
  const next = (): Uint8Array | null => {
    const line = buffer.take();
    const isMarked = isFirst && line !== null && byteOrderMark.equals(line.subarray(0, byteOrderMark.length));
    isFirst = false;
    return isMarked ? line.subarray(byteOrderMark.length) : line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      buffer.add(chunk.subarray(from, end));
      from = end + 1;
      yield next();
    }
    buffer.add(chunk.subarray(from));
  }
  if (!buffer.isEmpty) yield next();
}

/** Which accounts of a stream are wanted, and what to find out about them. */
export interface WantedAccounts {
  /** Tells for each next account whether it is wanted. */
  readonly isWanted: () => boolean;
  /** Whether to tell repeated names apart, which takes memory. */
  readonly distinguish: boolean;
}

/**
 * Opens the file of accounts, or standard input for `-`, until `stop`. Rejects with InputError if the file cannot be read,
 * or if others can read it or write to it. If the stream has no account at all, wanted or not, its end throws InputError.
 */
export async function openAccounts(
  path: string,
  { isWanted, distinguish }: WantedAccounts,
  context: Pick<Context, "openStream" | "workingFolder">,
  stop: AbortSignal,
): Promise<AccountStream> {
  const place = path === standardInput ? null : absolutePath(path, context.workingFolder);
  const stream = await context.openStream(place, stop).catch((error: unknown) => {
    throw unreadable(error);
  });
  try {
    checkMode(stream, path);
  } catch (error) {
    stream.close();
    throw error;
  }
  const names = distinguish ? new SeenNames() : null;
  const left = new Set<Account>();
  let lines = 0;
  let isAll = false;
  async function* accounts(): AsyncGenerator<Account> {
    let isEmpty = true;
    try {
      for await (const bytes of linesOf(stream.chunks)) {
        lines += 1;
        const parsed = parseAccount(bytes, lines);
        if (parsed === null) continue;
        isEmpty = false;
        // A name is told apart from those of all shards, so that it is the same whatever the shard.
        const isRepeated = parsed.profile !== null && names !== null && !names.add(parsed.profile);
        if (!isWanted()) continue;
        const account: Account = { ...parsed, line: lines, position: lines, isRepeated };
        left.add(account);
        yield account;
      }
    } catch (error) {
      throw unreadable(error);
    }
    isAll = true;
    if (isEmpty)
      throw new InputError("settings", "--accounts has no account", "Write one JSON object per line");
  }
  return { accounts: accounts(), left, progress: () => ({ lines, isAll }) };
}
