import { InputError, orInputError } from "../errors.ts";
import { redactorOf } from "../redaction/redact.ts";
import type { Level, SettingText } from "../settings/levels.ts";
import { definitionOf, type SettingName, settingNames } from "../settings/table.ts";
import type { Account } from "./account.ts";

/** The content of one line of `--accounts`. */
type AccountLine = Pick<Account, "profile" | "own" | "error">;

// The lines may come from a database that others fill, so a line cannot name a file or a command.
const kinds: ReadonlySet<string> = new Set(["url", "text", "secret", "number", "choice"]);
const allowed = settingNames.filter((name) => kinds.has(definitionOf(name).kind) && name !== "concurrency");
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const profileKey = "profile";
const knownKeys = [profileKey, ...allowed].join(", ");
const shownKeys = new Set([profileKey, ...allowed.filter((name) => definitionOf(name).kind !== "secret")]);

/** The number of keys in the text of a flat JSON object. It counts a duplicate key twice. */
function countKeys(text: string): number {
  // The colon is optional, so that the pattern matches every string as a whole and never starts inside one.
  const texts = text.match(/"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?/g) ?? [];
  return texts.filter((one) => one.endsWith(":")).length;
}

/** Makes the error for a line. */
type Wrong = (problem: string, hint: string) => InputError;

/** The JSON object of a line. Throws InputError if there is none. */
function objectIn(text: string, wrong: Wrong): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The message of a SyntaxError quotes the text.
  }
  throw wrong("is not a JSON object", 'Write one object per line: {"profile":"…","token":"…"}');
}

/** What the object sets. Throws InputError if it is not an account. */
function settingsIn(object: object, text: string, line: number, wrong: Wrong): Level {
  const own = new Map<SettingName, SettingText>();
  const entries = Object.entries(object);
  for (const [key, content] of entries) {
    const setting = allowed.find((name) => name === key);
    if (setting === undefined && key !== profileKey)
      throw wrong("has a key that is not allowed", `Use only these keys: ${knownKeys}`);
    const type = setting !== undefined && definitionOf(setting).kind === "number" ? "number" : "string";
    // The key is known, so the message may show it.
    if (typeof content !== type)
      throw wrong(
        `sets ${key} to something that is not ${type === "number" ? "a number" : "text"}`,
        type === "number" ? `Write a plain number: "${key}":10` : `Write it in quotes: "${key}":"…"`,
      );
    if (setting === undefined) continue;
    if (content === "") throw wrong(`sets ${key} to an empty text`, `Give ${key} a value, or leave it out`);
    own.set(setting, { setting, text: String(content), source: { kind: "account-line", line, key } });
  }
  if (countKeys(text) > entries.length) throw wrong("sets the same key twice", "Keep one of the two");
  return own;
}

/** Everything in a wrong line that may be a secret: unknown keys, and all values but those of settings that are shown. */
function secretsIn(text: string): readonly string[] {
  const secrets: string[] = [];
  JSON.parse(text, (key, value) => {
    if (!shownKeys.has(key)) secrets.push(key, String(value));
    return value;
  });
  return secrets;
}

/** Parses a line; null for an empty line. An error names the number of the line and never its content. */
export function parseAccount(bytes: Uint8Array | null, line: number): AccountLine | null {
  const wrong: Wrong = (problem, hint) =>
    new InputError("settings", `line ${line} of --accounts ${problem}`, hint);
  const unreadable = (problem: string, hint: string): AccountLine => ({
    profile: null,
    own: null,
    error: wrong(problem, hint),
  });
  if (bytes === null) return unreadable("is too long", "Write one account per line, in at most 1 MiB");
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return unreadable("is not UTF-8 text", "Write the accounts as UTF-8 text");
  }
  if (/^[ \t\r]*$/.test(text)) return null;
  const object = orInputError(() => objectIn(text, wrong));
  if (object instanceof InputError) return { profile: null, own: null, error: object };
  const profile = profileKey in object && typeof object.profile === "string" ? object.profile : null;
  const own = orInputError(() => settingsIn(object, text, line, wrong));
  if (!(own instanceof InputError)) return { profile, own, error: null };
  return { profile: profile && redactorOf(secretsIn(text))(profile), own: null, error: own };
}
