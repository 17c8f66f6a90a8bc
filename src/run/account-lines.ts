import { InputError, orInputError, orNull, wrongSettings } from "../errors.ts";
import { redactorOf } from "../redaction/redact.ts";
import { maxNameLength } from "../settings/definition.ts";
import { type Level, proxySecrets, type SettingText } from "../settings/levels.ts";
import { didYouMean } from "../settings/nearest.ts";
import type { AccountSource } from "../settings/run-settings.ts";
import { definitionOf, lineKeys, type SettingName } from "../settings/table.ts";
import { describeFileProblem, FileProblem } from "../system/file-reading.ts";
import { SeenNames } from "./seen-names.ts";

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

/** The content of one line of `--accounts`. */
type AccountLine = Pick<Account, "profile" | "own" | "error">;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const profileKey = "profile";
const known = [profileKey, ...lineKeys];
const secretKeys: readonly string[] = lineKeys.filter((name) => definitionOf(name).kind === "secret");

/** The most bytes of a line. It bounds what the keys of a wrong line cost, all of which are redacted. */
export const maxLineBytes = 64 * 1024;
// Turning values into text is recursive.
const maxDepth = 32;

/** How deep a JSON text is nested, and how many keys its object has with each duplicate. The text need not be valid. */
function shapeOf(text: string): { readonly depth: number; readonly keys: number } {
  let [open, depth, keys, quoted] = [0, 0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') quoted = !quoted;
    else if (quoted) at += character === "\\" ? 1 : 0;
    else if (character === ":") keys += open === 1 ? 1 : 0;
    else if (character === "{" || character === "[") depth = Math.max(depth, ++open);
    else if (character === "}" || character === "]") open -= 1;
  }
  return { depth, keys };
}

/** Makes the error for a line. */
type Wrong = (problem: string, hint: string) => InputError;

/** The JSON object of a line. Throws InputError if there is none, or if it has a key twice. */
function objectIn(text: string, wrong: Wrong): object {
  const { depth, keys } = shapeOf(text);
  if (depth > maxDepth)
    throw wrong(
      `is nested more than ${maxDepth} levels deep`,
      'Write one flat object: {"profile":"…","token":"…"}',
    );
  // The message of a SyntaxError quotes the text.
  const value: unknown = orNull(() => JSON.parse(text));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw wrong(
      "is not a JSON object",
      'Write one object per line: {"profile":"…","token":"…"}; docs/many-accounts.md has a script that makes them from CSV',
    );
  // The first value is lost, so nobody can tell whether it is a secret that stands elsewhere too.
  if (keys > Object.keys(value).length) throw wrong("sets the same key twice", "Keep one of the two");
  return value;
}

/** What the object sets. Throws InputError if it is not an account. */
function settingsIn(object: object, line: number, wrong: Wrong): Level {
  const own = new Map<SettingName, SettingText>();
  for (const [key, content] of Object.entries(object)) {
    const setting = lineKeys.find((name) => name === key);
    if (setting === undefined && key !== profileKey)
      // The key may be a secret, so name only the one that is meant.
      throw wrong(
        "has a key that is not allowed",
        `${didYouMean(key, known)} Use only these keys: ${known.join(", ")}`.trimStart(),
      );
    // A database writes NULL so for a column without a value.
    if (content === null) continue;
    const type = setting !== undefined && definitionOf(setting).kind === "number" ? "number" : "string";
    // The key is known, so the message may show it.
    if (typeof content !== type)
      throw wrong(
        `sets ${key} to something that is not ${type === "number" ? "a number" : "text"}`,
        type === "number" ? `Write a plain number: "${key}":10` : `Write it in quotes: "${key}":"…"`,
      );
    if (key === profileKey && content.length > maxNameLength)
      throw wrong(`has a profile of more than ${maxNameLength} characters`, "Shorten the name");
    if (setting === undefined) continue;
    if (content === "") throw wrong(`sets ${key} to an empty text`, `Give ${key} a value, or leave it out`);
    own.set(setting, { setting, text: String(content), source: { kind: "account-line", line, key } });
  }
  return own;
}

/** Everything in a wrong line that may be a secret: unknown keys, and all values but those of settings that are shown. */
function secretsIn(text: string): readonly string[] {
  const secrets: string[] = [];
  JSON.parse(text, (key, value) => {
    if (!known.includes(key) || secretKeys.includes(key)) secrets.push(key, String(value));
    if (key === "proxy") for (const secret of proxySecrets(String(value))) secrets.push(secret);
    return value;
  });
  return secrets;
}

/** Parses a line; null for an empty line. An error names the number of the line and never its content. */
export function parseAccount(bytes: Uint8Array | null, line: number): AccountLine | null {
  const wrong: Wrong = (problem, hint) => {
    const message = (number: number | "…"): string => `line ${number} of --accounts ${problem}`;
    return new InputError("settings", message(line), hint, message("…"));
  };
  const refused = (error: InputError, profile: string | null = null) => ({ profile, own: null, error });
  if (bytes === null)
    return refused(wrong("is too long", `Write one account per line, in at most ${maxLineBytes / 1024} KiB`));
  const text = orNull(() => utf8.decode(bytes));
  if (text === null) return refused(wrong("is not UTF-8 text", "Write the accounts as UTF-8 text"));
  if (/^[ \t\r]*$/.test(text)) return null;
  const object = orInputError(() => objectIn(text, wrong));
  if (object instanceof InputError) return refused(object);
  const given = profileKey in object && typeof object.profile === "string" ? object.profile : "";
  const profile = given === "" || given.length > maxNameLength ? null : given;
  const own = orInputError(() => settingsIn(object, line, wrong));
  if (!(own instanceof InputError)) return { profile, own, error: null };
  return refused(own, profile && redactorOf(secretsIn(text))(profile));
}

/** Which accounts of a stream are wanted, and what to find out about them. */
export interface WantedAccounts {
  /** Tells for each next account whether it is wanted. */
  readonly isWanted: () => boolean;
  /** Whether to tell repeated names apart, which takes memory. */
  readonly distinguish: boolean;
}

/** The error for accounts that cannot be read; any other error unchanged. */
export function unreadable(error: unknown): unknown {
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
  readonly #wanted: WantedAccounts;

  constructor(lines: AsyncIterable<Uint8Array | null>, wanted: WantedAccounts) {
    this.#lines = lines;
    this.#wanted = wanted;
  }

  /** Throws InputError at the end if there is no account at all, wanted or not. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Account> {
    const { isWanted, distinguish } = this.#wanted;
    const names = distinguish ? new SeenNames() : null;
    let isEmpty = true;
    try {
      for await (const bytes of this.#lines) {
        this.linesRead += 1;
        const parsed = parseAccount(bytes, this.linesRead);
        if (parsed === null) continue;
        isEmpty = false;
        // A name is told apart from those of all shards, so that it is the same whatever the shard.
        const isRepeated = parsed.profile !== null && names !== null && !names.add(parsed.profile);
        if (!isWanted()) continue;
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
