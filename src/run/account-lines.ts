import { InputError, orInputError, orNull, wrongSettings } from "../errors.ts";
import { maxNameLength } from "../settings/definition.ts";
import { standardInput } from "../settings/inputs.ts";
import type { SettingText } from "../settings/levels.ts";
import { absolutePath } from "../settings/named-file.ts";
import { accessOfOthers } from "../settings/rc-file.ts";
import type { AccountSource } from "../settings/run-settings.ts";
import { definitionOf, lineKeys, type SettingName } from "../settings/table.ts";
import { linesOf } from "../system/byte-stream.ts";
import type { Context } from "../system/context.ts";
import { describeFileProblem, FileProblem } from "../system/file-reading.ts";

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

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const profileKey = "profile";
const allowed = [profileKey, ...lineKeys].join(", ");

/** The most bytes of a line. */
const maxLineBytes = 64 * 1024;

/** The keys of a JSON object, in the order of its text. `Object.keys` has a key that stands twice once, and numbers first. */
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

/** What a line sets. Throws InputError if it is not an account. Its keys may be secrets, so they are named by their place. */
function settingsIn(text: string, line: number): Pick<Account, "profile" | "own"> {
  const wrong = (problem: string, hint: string): InputError =>
    wrongSettings(`line ${line} of --accounts ${problem}`, hint);
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
    const setting = lineKeys.find((name) => name === key);
    if (setting === undefined && key !== profileKey)
      throw wrong(`has a key that is not allowed, its ${ordinal} key`, `Use only these keys: ${allowed}`);
    // The key is known from here on, so the message may show it.
    if (seen.has(key)) throw wrong(`sets ${key} twice`, "Keep one of the two");
    seen.add(key);
    const content: unknown = Reflect.get(object, key);
    // A database writes NULL so for a column without a value.
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
  const refused = (error: InputError) => ({ profile: null, own: null, error });
  const wrong = (problem: string, hint: string) =>
    refused(wrongSettings(`line ${line} of --accounts ${problem}`, hint));
  if (bytes === null)
    return wrong("is too long", `Write one account per line, in at most ${maxLineBytes / 1024} KiB`);
  const text = orNull(() => utf8.decode(bytes));
  if (text === null) return wrong("is not UTF-8 text", "Write the accounts as UTF-8 text");
  if (/^[ \t\r]*$/.test(text)) return null;
  const settings = orInputError(() => settingsIn(text, line));
  return settings instanceof InputError ? refused(settings) : { ...settings, error: null };
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

/** The wanted accounts of a stream, read as they are asked for. */
export class AccountLines implements AsyncIterable<Account> {
  /** The accounts that were read. Whoever has finished one removes it. */
  readonly left = new Set<Account>();
  /** How many lines were read, and whether they are all. */
  linesRead = 0;
  allRead = false;
  readonly #lines: AsyncIterable<Uint8Array | null>;
  readonly #isWanted: () => boolean;
  readonly #distinguish: boolean;

  constructor(lines: AsyncIterable<Uint8Array | null>, isWanted: () => boolean, distinguish: boolean) {
    this.#lines = lines;
    this.#isWanted = isWanted;
    this.#distinguish = distinguish;
  }

  /** Throws InputError at the end if there is no account at all, wanted or not. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Account> {
    const names = new Set<string>();
    let isEmpty = true;
    try {
      for await (const bytes of this.#lines) {
        this.linesRead += 1;
        const parsed = parseAccount(bytes, this.linesRead);
        if (parsed === null) continue;
        isEmpty = false;
        // A name is told apart from those of all shards, so that it is the same whatever the shard.
        const isRepeated = parsed.profile !== null && names.has(parsed.profile);
        if (this.#distinguish && parsed.profile !== null) names.add(parsed.profile);
        if (!this.#isWanted()) continue;
        const account: Account = { ...parsed, line: this.linesRead, position: this.linesRead, isRepeated };
        this.left.add(account);
        yield account;
      }
    } catch (error) {
      throw unreadable(error);
    }
    this.allRead = true;
    if (isEmpty) throw wrongSettings("--accounts has no account", "Write one JSON object per line");
  }
}

/**
 * Opens the file of accounts, or standard input for `-`, until `stop`. `isWanted` tells for each next account whether it is
 * wanted, and `distinguish` to tell repeated names apart, which takes memory. Rejects with InputError if the file cannot be
 * read, or if others can read it or write to it.
 */
export async function openAccounts(
  path: string,
  { isWanted, distinguish }: { readonly isWanted: () => boolean; readonly distinguish: boolean },
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
  return new AccountLines(linesOf(stream.chunks, maxLineBytes), isWanted, distinguish);
}
