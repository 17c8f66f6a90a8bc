// The file of --accounts, read as its accounts are asked for: lines of JSON or rows of CSV, whichever its first character says.

import { basename } from "node:path";
import { type InputError, orNull, wrongSettings } from "../errors.ts";
import type { Context } from "../system/context.ts";
import { ifUnreadable } from "../system/file-reading.ts";
import { type AccountText, accountInLine, accountInRow, headerOf } from "./account-text.ts";
import { type AccountRecord, maxRecordBytes, recordSplitter } from "./csv.ts";
import { absolutePath, accessOfOthers, howToClose, standardInput } from "./files.ts";
import { shortPath } from "./source.ts";

// Without `distinguish`, only so many names are remembered, since memory must not grow: each later name counts as repeated.
const mostNames = 10_000;

/** An account to check: what is written of it, and its place in the run. */
export interface Account extends AccountText {
  /** The number of its line or row, counted from 1, empty ones included; null for a profile. */
  readonly line: number | null;
  /** The name of the CSV file that it is a row of; null for any other account. */
  readonly csv: string | null;
  /** Its place among the accounts to check, counted from 1; for a line, its number. */
  readonly position: number;
  /** Whether an account before it has the same name. */
  readonly isRepeated: boolean;
  /** Its share of all: how many bytes of the file were read for it; 1 for a profile. */
  readonly share: number;
}

/** The accounts of a run. */
export interface Accounts {
  accounts(warn: (text: string) => Promise<void>): Iterable<Account> | AsyncIterable<Account>;
  /** The accounts that are not finished. Of a stream, only those that were read. */
  readonly left: Set<Account>;
  /** The number of accounts to check; null for a stream, which counts as several. */
  readonly total: number | null;
  /** The sum of their shares; null if nobody knows where the accounts end. */
  readonly whole: number | null;
  /** How many lines or rows were read (null for profiles), and whether that was all. A stream changes them. */
  readonly reading: { readonly linesRead: number | null; readonly isCsv: boolean; readonly allRead: boolean };
}

// The path is not quoted: it may be a secret in the wrong place.
const unreadableAccounts = (what: string): InputError =>
  wrongSettings(
    `--accounts names a file that ${what}`,
    "Check the path and its permissions; - reads standard input",
  );

/**
 * Opens the file of accounts, or standard input for `-`; accounts are read as they are asked for, until `stop`. `distinguish` tells all
 * repeated names apart, which takes memory. Rejects with InputError if it cannot be read, or if others can; reading it, if there is no
 * account.
 */
export async function openAccounts(
  path: string,
  distinguish: boolean,
  context: Pick<Context, "openStream" | "workingFolder" | "homeFolder" | "userId">,
  stop: AbortSignal,
): Promise<Accounts> {
  const place = path === standardInput ? null : absolutePath(path, context.workingFolder, "--accounts");
  const stream = await context.openStream(place, stop).catch((error: unknown) => {
    throw ifUnreadable(error, unreadableAccounts);
  });
  const access = accessOfOthers(stream);
  if (access !== null) {
    stream.close();
    throw wrongSettings(
      `Other users can ${access} the file that --accounts names`,
      howToClose(
        path,
        stream.owner,
        "chmod 600",
        context,
        `; or give it on standard input: --accounts - < ${path}`,
      ),
    );
  }
  const left = new Set<Account>();
  const reading = { linesRead: 0, isCsv: false, allRead: false };
  const shown = place && shortPath(place, context);
  const file = path === standardInput ? "standard input" : basename(path);
  async function* read(warn: (text: string) => Promise<void>): AsyncGenerator<Account> {
    const names = new Set<string>();
    let [isEmpty, taken] = [true, 0];
    try {
      const { head, chunks, isJson } = await firstBytes(stream.chunks);
      if (!isJson) refuseForeign(head, file);
      const isCsv = !isJson && head.some((byte) => !isBlank(byte));
      reading.isCsv = isCsv;
      const marked = head.indexOf(byteOrderMark) === 0 ? byteOrderMark.length : 0;
      const header = isCsv ? headerOf(head.subarray(marked), file) : null;
      if (header !== null && header.ignored !== "") await warn(header.ignored);
      for await (const records of recordsIn(chunks, marked, header))
        for (const record of records) {
          const text = header === null ? accountInLine(record, shown) : accountInRow(record, header, file);
          if (text === null) continue;
          const { row: line, end } = record;
          reading.linesRead = line;
          isEmpty = false;
          const { profile, isLast } = text;
          const isFull = !distinguish && names.size === mostNames;
          const isRepeated = profile !== null && (isFull || names.has(profile));
          if (!isFull && profile !== null) names.add(profile);
          const share = end - taken;
          taken = end;
          const csv = isCsv ? file : null;
          const account: Account = { ...text, line, csv, position: line, isRepeated, share };
          left.add(account);
          yield account;
          if (isLast) return;
        }
    } catch (error) {
      throw ifUnreadable(error, unreadableAccounts);
    } finally {
      stream.close();
    }
    reading.allRead = true;
    if (isEmpty) throw wrongSettings("--accounts has no account", asRows);
  }
  const whole = path === standardInput ? null : stream.size;
  return { accounts: read, left, total: null, whole, reading };
}

const asRows = "Write a header such as profile,token and a row for each account, or one JSON object per line";

/** Throws InputError if a file that begins so, and not with `{`, is no CSV. */
function refuseForeign(head: Buffer, file: string): void {
  const start = head.toString("hex", 0, 4);
  // The beginning can end within a character if more follows.
  const stream = head.length >= maxRecordBytes;
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  const text = orNull(() => utf8.decode(head.subarray(0, maxRecordBytes), { stream }));
  const what =
    (/^(?:504b0304|d0cf11e0)/.test(start) && "is a workbook, not CSV") ||
    (/^(?:fffe|feff|00|..00)/.test(start) && "is UTF-16 text") ||
    (text === null && "is not UTF-8 text");
  if (what) throw wrongSettings(`${file} ${what}`, "Save it as CSV UTF-8 in the program that made it");
  if (/^\s*\[\s*[[{"\]]/.test(text ?? ""))
    throw wrongSettings(
      `${file} is a list in JSON`,
      "jq --compact-output '.[]' FILE | referral-auth test --accounts -",
    );
}

const openingBrace = 0x7b;
const byteOrderMark = Buffer.of(0xef, 0xbb, 0xbf);
const isBlank = (byte: number): boolean => [0x20, 0x09, 0x0a, 0x0d, ...byteOrderMark].includes(byte);

/** The first 64 KiB of a stream, or its first chunk if that begins a line of JSON. `chunks` gives the whole stream, the beginning again. */
async function firstBytes(stream: AsyncIterable<Uint8Array>) {
  const rest = stream[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let [length, isJson, isDecided] = [0, false, false];
  while (length < maxRecordBytes && !isJson) {
    const { value, done } = await rest.next();
    if (done) break;
    first.push(value);
    length += value.length;
    const start = isDecided ? undefined : value.find((byte) => !isBlank(byte));
    isDecided ||= start !== undefined;
    isJson = start === openingBrace;
  }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield* first;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { head: Buffer.concat(first), chunks: chunks(), isJson };
}

/** The records of a stream, as they arrive. The byte order mark and the declaration before a header are no part of them. */
async function* recordsIn(
  chunks: AsyncIterable<Uint8Array>,
  marked: number,
  header: ReturnType<typeof headerOf> | null,
): AsyncGenerator<Iterable<AccountRecord>> {
  const splitter = recordSplitter(header?.separator ?? null);
  let skipped = marked + (header?.start ?? 0);
  for await (const chunk of chunks) {
    const from = Math.min(skipped, chunk.length);
    skipped -= from;
    yield splitter.push(chunk.subarray(from));
  }
  yield splitter.end();
}
