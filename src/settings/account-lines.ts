import { InputError, orInputError, orNull, wrongSettings } from "../errors.ts";
import { linesOf } from "../system/byte-stream.ts";
import type { Context } from "../system/context.ts";
import { describeFileProblem, FileProblem } from "../system/file-reading.ts";
import { maxNameLength } from "./definition.ts";
import type { SettingText } from "./levels.ts";
import { absolutePath, standardInput } from "./named-file.ts";
import { accessOfOthers } from "./rc-file.ts";
import type { AccountSource } from "./run-settings.ts";
import { definitionOf, keyOf, lineKeys, type SettingName } from "./table.ts";

/** An account to check: a profile of the rc file, or a line of `--accounts`. */
export interface Account extends AccountSource {
  /** The number of its line, counted from 1, empty lines included; null for a profile. */
  readonly line: number | null;
  /** Its place among the accounts to check, counted from 1; for a line, its number. */
  readonly position: number;
  /** Whether an account before it has the same name. */
  readonly isRepeated: boolean;
  /** Why the line is invalid; null for any other account. */
  readonly error: InputError | null;
}

/** The accounts of a run. */
export interface Accounts {
  readonly accounts: Iterable<Account> | AsyncIterable<Account>;
  /** The accounts that are not finished. Of a stream, only those that were read. */
  readonly left: Set<Account>;
  /** Whether several were chosen, however many of them belong to the shard. */
  readonly several: boolean;
  /** The number of accounts to check; null for a stream. */
  readonly total: number | null;
  /** How many lines of `--accounts` were read, null without it; and whether all accounts were read. A stream changes both. */
  readonly reading: { readonly linesRead: number | null; readonly allRead: boolean };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const profileKey = "profile";
const allowed = [profileKey, ...lineKeys.map(keyOf)].join(", ");

const maxLineBytes = 64 * 1024;

/** The keys of a JSON object, in the order of its text. `Object.keys` lists a repeated key once, and numbers first. */
function keysOf(json: string): readonly string[] {
  const keys: string[] = [];
  let [open, text] = [0, ""];
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') {
      const start = at;
      for (at += 1; json[at] !== '"'; at += 1) if (json[at] === "\\") at += 1;
      text = json.slice(start, at + 1);
    } else if (character === ":" && open === 1) keys.push(JSON.parse(text));
    else if (character === "{" || character === "[") open += 1;
    else if (character === "}" || character === "]") open -= 1;
  }
  return keys;
}

const ordinals = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");

/** What a line sets; null for an empty line. Throws InputError if it is not an account. Its keys may be secrets, so they are named by their place. */
function accountIn(bytes: Uint8Array | null, line: number): Pick<Account, "profile" | "own"> | null {
  const wrong = (problem: string, hint: string): InputError =>
    wrongSettings(`line ${line} of --accounts ${problem}`, hint);
  if (bytes === null)
    throw wrong("is too long", `Write one account per line, in at most ${maxLineBytes / 1024} KiB`);
  const text = orNull(() => utf8.decode(bytes));
  if (text === null) throw wrong("is not UTF-8 text", "Write the accounts as UTF-8 text");
  if (/^[ \t\r]*$/.test(text)) return null;
  // The message of a SyntaxError quotes the text.
  const object: unknown = orNull(() => JSON.parse(text));
  if (typeof object !== "object" || object === null || Array.isArray(object))
    throw wrong(
      "is not a JSON object",
      'Write one object per line: {"profile":"…","token":"…"}; docs/many-accounts.md has a script that makes them from CSV',
    );
  const own = new Map<SettingName, SettingText>();
  let profile: string | null = null;
  const seen = new Set<string>();
  for (const [index, key] of keysOf(text).entries()) {
    const ordinal = ordinals[index] ?? `${index + 1}th`;
    const setting = lineKeys.find((name) => keyOf(name) === key);
    if (setting === undefined && key !== profileKey)
      throw wrong(`has a key that is not allowed, its ${ordinal} key`, `Use only these keys: ${allowed}`);
    // The key is known from here on, so the message may show it.
    if (seen.has(key)) throw wrong(`sets ${key} twice`, "Keep one of the two");
    seen.add(key);
    const content: unknown = Reflect.get(object, key);
    // Databases write null for a column without a value.
    if (content === null) continue;
    const type = setting !== undefined && definitionOf(setting).kind === "number" ? "number" : "string";
    if (typeof content !== type)
      throw wrong(
        `sets ${key} to something that is not ${type === "number" ? "a number" : "text"}`,
        type === "number" ? `Write a plain number: "${key}":10` : `Write it in quotes: "${key}":"…"`,
      );
    const value = String(content);
    if (setting !== undefined) {
      if (value === "") throw wrong(`sets ${key} to an empty text`, `Give ${key} a value, or leave it out`);
      own.set(setting, { setting, text: value, source: { kind: "account-line", line, key } });
    } else if (value.length > maxNameLength)
      throw wrong(`has a profile of more than ${maxNameLength} characters`, "Shorten the name");
    else profile = value === "" ? null : value;
  }
  return { profile, own };
}

/** Parses a line; null for an empty line. The error of a wrong one names its number and nothing of its content. */
export function parseAccount(
  bytes: Uint8Array | null,
  line: number,
): Pick<Account, "profile" | "own" | "error"> | null {
  const account = orInputError(() => accountIn(bytes, line));
  if (account instanceof InputError) return { profile: null, own: null, error: account };
  return account && { ...account, error: null };
}

/** The error for accounts that cannot be read; any other error unchanged. */
function unreadable(error: unknown): unknown {
  if (!(error instanceof FileProblem)) return error;
  // The path is not quoted: it may be a secret in the wrong place.
  return wrongSettings(
    `--accounts names a file that ${describeFileProblem(error)}`,
    "Check the path and its permissions; - reads standard input",
  );
}

/**
 * Opens the file of accounts, or standard input for `-`; the accounts are read as they are asked for, until `stop`. `isWanted` tells
 * for each next account whether it is wanted, and `distinguish` to tell repeated names apart, which takes memory. Rejects with
 * InputError if the file cannot be read, or if others can read it or write to it. Reading rejects with one if there is no account.
 */
export async function openAccounts(
  path: string,
  { isWanted, distinguish }: { readonly isWanted: () => boolean; readonly distinguish: boolean },
  context: Pick<Context, "openStream" | "workingFolder">,
  stop: AbortSignal,
): Promise<Accounts> {
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
  const left = new Set<Account>();
  const reading = { linesRead: 0, allRead: false };
  async function* read(): AsyncGenerator<Account> {
    const names = new Set<string>();
    let isEmpty = true;
    try {
      for await (const bytes of linesOf(stream.chunks, maxLineBytes)) {
        reading.linesRead += 1;
        const line = reading.linesRead;
        const parsed = parseAccount(bytes, line);
        if (parsed === null) continue;
        isEmpty = false;
        // A name is told apart from those of all shards, so that it is the same whatever the shard.
        const isRepeated = parsed.profile !== null && names.has(parsed.profile);
        if (distinguish && parsed.profile !== null) names.add(parsed.profile);
        if (!isWanted()) continue;
        const account: Account = { ...parsed, line, position: line, isRepeated };
        left.add(account);
        yield account;
      }
    } catch (error) {
      throw unreadable(error);
    }
    reading.allRead = true;
    if (isEmpty) throw wrongSettings("--accounts has no account", "Write one JSON object per line");
  }
  return { accounts: read(), left, several: true, total: null, reading };
}
