// Accounts in lines of JSON. An error names a line by its number and a key by its place, and quotes nothing of the line.

import { InputError, orInputError, orNull, wrongSettings } from "../errors.ts";
import { maxRecordBytes } from "./csv.ts";
import { longProfile, maxNameLength, notNumber } from "./definition.ts";
import type { SettingText } from "./levels.ts";
import type { AccountSource } from "./run-settings.ts";
import { inOrder, placeInAccounts } from "./source.ts";
import { definitionOf, keyOf, lineKeys, type SettingName } from "./table.ts";

/** What a line or a row of `--accounts` says. */
export interface AccountText extends AccountSource {
  /** Why it is no account that can be checked; null if it is one. */
  readonly error: InputError | null;
  /** Whether nothing behind it can be read. */
  readonly isLast: boolean;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** The key or column that names an account. */
export const profileKey = "profile";
const allowed = [profileKey, ...lineKeys.map(keyOf)].join(", ");

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

/** How to write a line that is no object in JSON. */
function howToWrite(text: string): string {
  if (/^\s*\{\s*$/.test(text))
    return "Write each object in one line: jq --compact-output . FILE | referral-auth test --accounts -";
  if (/\}\s*,\s*$/.test(text)) return "Take the comma behind it away: each line is JSON of its own";
  if (/^\s*\{\s*'/.test(text)) return 'Write double quotes, as json.dumps(…) of Python does: {"token":"…"}';
  return 'Write one object per line: {"profile":"…","token":"…"}; a file that begins otherwise is read as CSV';
}

/** What to do where the accounts stand in a list or an object below a key. */
function inside(content: unknown): string {
  if (typeof content !== "object" || content === null) return "";
  const filter = Array.isArray(content) ? ".[][]" : "to_entries[] | { profile: .key } + .value";
  return `; if the accounts stand in it: jq --compact-output '${filter}' FILE | referral-auth test --accounts -`;
}

/** What a line sets; null for an empty line. Throws InputError if it is not an account. Its keys may be secrets, so they are named by their place. */
function accountIn(bytes: Uint8Array | null, line: number, file: string | null): AccountSource | null {
  const place = placeInAccounts(line, null);
  const wrong = (problem: string, hint: string): InputError => wrongSettings(`${place} ${problem}`, hint);
  if (bytes === null)
    throw wrong("is too long", `Write one account per line, in at most ${maxRecordBytes / 1024} KiB`);
  const text = orNull(() => utf8.decode(bytes));
  if (text === null) throw wrong("is not UTF-8 text", "Write the accounts as UTF-8 text");
  if (/^[ \t\r]*$/.test(text)) return null;
  // The message of a SyntaxError quotes the text.
  const object: unknown = orNull(() => JSON.parse(text));
  if (typeof object !== "object" || object === null || Array.isArray(object))
    throw wrong("is not a JSON object", howToWrite(text));
  const own = new Map<SettingName, SettingText>();
  const source = { kind: "account-line", line, csv: null, ...(file !== null && { shown: file }) } as const;
  let profile: string | null = null;
  const seen = new Set<string>();
  for (const [index, key] of keysOf(text).entries()) {
    const ordinal = inOrder(index);
    const setting = lineKeys.find((name) => keyOf(name) === key);
    if (setting === undefined && key !== profileKey)
      throw wrong(
        `has a key that is not allowed, its ${ordinal} key`,
        `Use only these keys: ${allowed}${inside(Reflect.get(object, key))}`,
      );
    // The key is known from here on, so the message may show it.
    if (seen.has(key)) throw wrong(`sets ${key} twice`, "Keep one of the two");
    seen.add(key);
    const content: unknown = Reflect.get(object, key);
    // Databases write null for a column without a value.
    if (content === null) continue;
    const type = setting !== undefined && definitionOf(setting).kind === "number" ? "number" : "string";
    if (typeof content !== type)
      throw wrong(
        `sets ${key} to ${type === "number" ? notNumber(content, "a file of accounts") : "something that is not text"}`,
        type === "number" ? `Write a plain number: "${key}":10` : `Write it in quotes: "${key}":"…"`,
      );
    const value = String(content);
    if (setting !== undefined) {
      if (value === "") throw wrong(`sets ${key} to an empty text`, `Give ${key} a value, or leave it out`);
      own.set(setting, { setting, text: value, source: { ...source, key } });
    } else if (value.length > maxNameLength) throw longProfile(place);
    else profile = value === "" ? null : value;
  }
  return { profile, own };
}

/**
 * Parses a line of this file, null for standard input; null for an empty line. The error of a wrong one names its number and nothing
 * of its content.
 */
export function accountInLine(
  bytes: Uint8Array | null,
  line: number,
  file: string | null,
): AccountText | null {
  const account = orInputError(() => accountIn(bytes, line, file));
  if (account instanceof InputError) return { profile: null, own: null, error: account, isLast: false };
  return account && { ...account, error: null, isLast: false };
}
