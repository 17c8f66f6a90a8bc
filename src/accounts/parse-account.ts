import { InputError } from "../errors.ts";
import type { Level, SettingText } from "../settings/levels.ts";
import { definitionOf, type SettingName, settingNames } from "../settings/table.ts";

/** The content of one line of `--accounts`. */
export interface AccountLine {
  readonly profile: string | null;
  readonly own: Level;
}

// The lines may come from a database that others fill, so a line cannot name a file or a command.
const kinds: ReadonlySet<string> = new Set(["url", "text", "secret", "number", "choice"]);
const allowed = settingNames.filter((name) => kinds.has(definitionOf(name).kind) && name !== "concurrency");
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const profileKey = "profile";
const knownKeys = [profileKey, ...allowed].join(", ");

/** The number of keys in the text of a flat JSON object. It counts a duplicate key twice. */
function countKeys(text: string): number {
  // The colon is optional, so that the pattern matches every string as a whole and never starts inside one.
  const texts = text.match(/"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?/g) ?? [];
  return texts.filter((one) => one.endsWith(":")).length;
}

/**
 * Parses a line; null for an empty line. Throws InputError for an invalid line. The error names the number of the line and
 * never its content.
 */
export function parseAccount(bytes: Uint8Array | null, line: number): AccountLine | null {
  const wrong = (problem: string, hint: string): InputError =>
    new InputError("settings", `line ${line} of --accounts ${problem}`, hint);
  if (bytes === null) throw wrong("is too long", "Write one account per line, in at most 1 MiB");
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw wrong("is not UTF-8 text", "Write the accounts as UTF-8 text");
  }
  if (/^[ \t\r]*$/.test(text)) return null;
  const notAnObject = (): InputError =>
    wrong("is not a JSON object", 'Write one object per line: {"profile":"…","token":"…"}');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notAnObject();
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw notAnObject();
  const own = new Map<SettingName, SettingText>();
  let profile: string | null = null;
  const entries = Object.entries(value);
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
    if (setting === undefined) profile = String(content);
    else if (content === "")
      throw wrong(`sets ${key} to an empty text`, `Give ${key} a value, or leave it out`);
    else own.set(setting, { setting, text: String(content), source: { kind: "account-line", line, key } });
  }
  if (countKeys(text) > entries.length) throw wrong("sets the same key twice", "Keep one of the two");
  return { profile, own };
}
