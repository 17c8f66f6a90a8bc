// What one line of JSON or one row of CSV says. An error names the line or row by its number and a key by its place, and quotes
// nothing: a row can have swallowed others by a quotation mark, so one of a wrong shape shows no cell at all.

import { InputError, orInputError, orNull, wrongSettings } from "../errors.ts";
import { nearest } from "../options/nearest.ts";
import { type AccountRecord, maxRecordBytes, recordSplitter } from "./csv.ts";
import { longProfile, maxNameLength } from "./definition.ts";
import { contentProblem, type Level, type SettingText } from "./levels.ts";
import { inOrder, placeInAccounts } from "./source.ts";
import { definitionOf, keyOf, lineKeys, type SettingName } from "./table.ts";

/** An account as it is written: a profile of the rc file, or a line or row of `--accounts`. */
export interface AccountText {
  /** Its name; null if it has none. */
  readonly profile: string | null;
  /** What its line or row sets, as far as it can be read; null for a profile. */
  readonly own: Level | null;
  /** Why it is no account that can be checked; null if it is one. */
  readonly error: InputError | null;
  /** Whether nothing behind it can be read. */
  readonly isLast: boolean;
}

const profileKey = "profile";
type Column = SettingName | typeof profileKey;
const isNumber = (column: Column): boolean => column !== profileKey && definitionOf(column).kind === "number";
const keyOfColumn = (column: Column): string => (column === profileKey ? column : keyOf(column));
const longest = `in at most ${maxRecordBytes / 1024} KiB`;

const columns = new Map(
  ([profileKey, ...lineKeys] as const).map((column) => [keyOfColumn(column), column] as const),
);

/**
 * The keys of a JSON object, in the order of its text. `Object.keys` lists a repeated key once, and numbers first. Those of an object in
 * it stand behind the key that holds it, and no value may be an object.
 */
function keysOf(json: string): readonly string[] {
  const keys: string[] = [];
  let text = "";
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') {
      const start = at;
      for (at += 1; json[at] !== '"'; at += 1) if (json[at] === "\\") at += 1;
      text = json.slice(start, at + 1);
    } else if (character === ":") keys.push(JSON.parse(text));
  }
  return keys;
}

/** What a line sets; null for an empty line. Throws InputError if it is no account. Keys may be secrets, so an error says their place. */
function accountIn({ row, cells, problem }: AccountRecord, file: string | null): AccountText | null {
  const place = placeInAccounts(row, null);
  const wrong = (what: string, hint: string): InputError => wrongSettings(`${place} ${what}`, hint);
  if (problem === "too long") throw wrong("is too long", `Write one account per line, ${longest}`);
  if (problem !== null) throw wrong("is not UTF-8 text", "Write the accounts as UTF-8 text");
  const [text = ""] = cells;
  if (/^[ \t\r]*$/.test(text)) return null;
  // The message of a SyntaxError quotes the text.
  const object: unknown = orNull(() => JSON.parse(text));
  if (typeof object !== "object" || object === null || Array.isArray(object))
    throw wrong(
      "is not a JSON object",
      'Write one object per line, without a comma behind it: {"profile":"…","token":"…"}; jq --compact-output does so',
    );
  const own = new Map<SettingName, SettingText>();
  const source = { kind: "account-line", place: file === null ? place : `${file}:${row}` } as const;
  let profile: string | null = null;
  const seen = new Set<string>();
  for (const [index, key] of keysOf(text).entries()) {
    const column = columns.get(key);
    if (column === undefined)
      throw wrong(
        `has a key that is not allowed, its ${inOrder(index)} key`,
        `Use only these keys: ${[...columns.keys()].join(", ")}`,
      );
    // The key is known from here on, so the message may show it.
    if (seen.has(key)) throw wrong(`sets ${key} twice`, "Keep one of the two");
    seen.add(key);
    const content: unknown = Reflect.get(object, key);
    // Databases write null for a column without a value.
    if (content === null) continue;
    const wanted = isNumber(column) ? "number" : "text";
    const unfit = contentProblem(key, content, wanted);
    if (unfit !== null && !(content === "" && column === profileKey))
      throw wrong(
        unfit,
        wanted === "number" ? `Write a plain number: "${key}":10` : `Write it in quotes: "${key}":"…"`,
      );
    const value = String(content);
    if (column !== profileKey) own.set(column, { setting: column, text: value, source: { ...source, key } });
    else if (value.length > maxNameLength) throw longProfile(place);
    else profile = value || null;
  }
  return { profile, own, error: null, isLast: false };
}

/**
 * What a line of this file says (null: of standard input); null for an empty line. An error names its number and nothing of its content.
 */
export function accountInLine(record: AccountRecord, file: string | null): AccountText | null {
  const account = orInputError(() => accountIn(record, file));
  return account instanceof InputError
    ? { profile: null, own: null, error: account, isLast: false }
    : account;
}

// The case, spaces, dashes and underscores of a column's name do not matter.
const lettersOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const named: ReadonlyMap<string, Column> = new Map<string, Column>([
  ["name", profileKey],
  ["email", "username"],
  ...[...columns].map(([key, column]) => [lettersOf(key), column] as const),
]);
// No known name is longer, and a long one would take time.
const columnOf = (cell: string): Column | null =>
  cell.length > 100 ? null : (named.get(lettersOf(cell)) ?? null);
const isKnown = (column: Column | null): column is Column => column !== null;
const isCredential = (column: Column | null | undefined): boolean =>
  column === "token" || column === "secret";

/** Whether a cell with line ends may hold whole rows: one of its lines has as many separators as the header. */
const holdsRow = (
  cell: string,
  { separator, columns }: { readonly separator: string; readonly columns: readonly unknown[] },
): boolean =>
  /[\r\n]/.test(cell) && cell.split(/[\r\n]/).some((line) => line.split(separator).length >= columns.length);

const separatorNames: Readonly<Record<string, string>> = {
  ",": "a comma",
  ";": "a semicolon",
  "\t": "a tab",
};
const declaration = /^"?sep=([ -~\t])\1*"?(?:\r\n|\r|\n|$)/i;
const mostIgnored = 10;

/**
 * The header of a file that begins with these bytes: its first row, divided as a line `sep=;` declares, or else by the separator that
 * gives most known columns. Throws InputError if no column is known, or one stands twice. A column is null if it is ignored; `start` is
 * where the row begins.
 */
export function headerOf(head: Uint8Array, file: string) {
  const [line = "", declared] = declaration.exec(Buffer.from(head).toString("latin1", 0, 100)) ?? [];
  const candidates = (declared === undefined ? [",", ";", "\t"] : [declared]).map((separator) => {
    const splitter = recordSplitter(separator);
    const [first] = [...splitter.push(head.subarray(line.length)), ...splitter.end()];
    const cells = first?.row === 1 ? first.cells : [];
    const columns = cells.map(columnOf).slice(0, cells.findLastIndex((cell) => cell.trim() !== "") + 1);
    return { separator, cells, columns, count: columns.filter(isKnown).length };
  });
  // `toSorted` is stable: of separators that give as many known columns, the first counts.
  const [best] = candidates.toSorted((one, other) => other.count - one.count);
  const place = placeInAccounts(1, file);
  const wrong = (problem: string): InputError =>
    wrongSettings(
      `${place} ${problem}`,
      "The header must be the first row, such as profile,token or profile,username,secret, with commas, semicolons or tabs between; other columns may stand there too",
    );
  if (best === undefined || best.count === 0) throw wrong("names no column that is known");
  const { separator, cells, columns } = best;
  if (cells.some((cell) => holdsRow(cell, best)))
    throw wrong("has a quotation mark that may hold rows behind it");
  const twice = columns.filter(isKnown).find((column, index, all) => all.indexOf(column) < index);
  if (twice !== undefined) throw wrong(`names ${keyOfColumn(twice)} twice`);
  // In a file without a header, the first row is an account, and a value can look like a column's name. So only words are shown.
  const missing = [...named.values()].filter((column) => !columns.includes(column)).map(keyOfColumn);
  const names = cells.flatMap((cell, index) => {
    const name = cell.replace(/\s+/g, " ").trim();
    if (columns[index] !== null || name === "") return [];
    if (!/^[\p{L} _.()/-]{1,40}$/u.test(name)) return [`column ${index + 1}`];
    const near = nearest(lettersOf(name), missing);
    return [near === undefined ? `"${name}"` : `"${name}" (did you mean ${near}?)`];
  });
  const more = names.length > mostIgnored ? `, and ${names.length - mostIgnored} more` : "";
  const shown = [...new Set(names)].slice(0, mostIgnored).join(", ");
  const ignored = shown && `columns of ${file} that are not known are ignored: ${shown}${more}`;
  return { columns, separator, start: line.length, ignored };
}

/** What is wrong, as the end of a sentence, and what to do; and whether nothing behind it can be read. */
type Fault = readonly [problem: string, hint: string, isLast?: boolean];

const faults: Readonly<Record<NonNullable<AccountRecord["problem"]>, Fault>> = {
  "too long": ["is too long", `Write one account per row, ${longest}`],
  "not UTF-8": ["is not UTF-8 text", "Save the spreadsheet as CSV UTF-8"],
  "text behind a mark": [
    "has text behind a closing quotation mark",
    'Write a quotation mark inside quotation marks twice: "19"" screen"',
  ],
  unclosed: [
    "has a quotation mark that does not close, so the rows behind it were not read",
    "Close it, or remove it; programs that write CSV quote a cell as a whole",
    true,
  ],
};

/** What is wrong with the shape of a row; null if nothing is. */
function shapeFault({ cells, problem }: AccountRecord, header: ReturnType<typeof headerOf>): Fault | null {
  const { columns, separator } = header;
  if (problem !== null) return faults[problem];
  // Behind another header, the cells of its rows would stand in the columns of this one: a token as a name.
  if (cells.filter((cell) => columnOf(cell) !== null).length > 1)
    return [
      "is another header, so the rows behind it were not read",
      "Give each table a file of its own",
      true,
    ];
  if (cells.slice(columns.length).some((cell) => cell.trim() !== ""))
    return [
      "has more cells than the header",
      `Quote a value that holds the separator: "a${separator}b"; or empty the cell that has no column`,
    ];
  // Divided by another separator than the header, a name and its token stand in one cell.
  if (cells.length === 1 && columns.length > 1 && !isCredential(columns[0]))
    return [
      "has one cell, which is no credential, and the header has several columns",
      `Separate its cells as the header does, by ${separatorNames[separator] ?? separator}`,
    ];
  // Programs leave out empty cells at the end of a row. But if a quotation mark or a wrong separator joined two cells, those behind
  // them stand in the columns of others, and a report would show a secret as a name.
  if (
    cells.length < columns.length &&
    cells.some((cell) => /[,;\t\r\n]/.test(cell) || cell.includes(separator))
  )
    return ["has fewer cells than the header", "Write all its cells, also empty ones"];
  if (cells.some((cell, at) => columns[at] === null && holdsRow(cell, header)))
    return ["has whole rows in one cell", "Close its quotation mark, or remove it"];
  return null;
}

/** Why a cell of a known column cannot be used; null if it can. A spreadsheet writes `#N/A` and `#REF!` in its user's language. */
const cellFault = (cell: string): Fault | null =>
  /[\r\n\0]/.test(cell)
    ? ["has a line end or a NUL", "Remove it; or close the quotation mark of a cell before it"]
    : /^(?:#[^1-9a-z\s]+|Err:\d{3})$/.test(cell)
      ? ["has an error of the spreadsheet, such as #N/A,", "Correct the formula, or empty the cell"]
      : null;

/** A number as a spreadsheet writes it, also with a decimal comma, as JSON writes it; any other text unchanged. */
function numberIn(text: string): string {
  const plain = text.trim().replace(/^(\d+),(\d{1,2})$/, "$1.$2");
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(plain) ? String(Number(plain)) : text;
}

const isUnset = (cell: string): boolean => ["", "NULL", "\\N"].includes(cell);

/** The documented form of a token (specification, section 5), anywhere in a text. */
const holdsToken = /[0-9a-f]{40}/i;

/** The account of a row, or its mistake; null for a row without a letter or digit, and for the header. */
export function accountInRow(
  record: AccountRecord,
  header: ReturnType<typeof headerOf>,
  file: string,
): AccountText | null {
  const { cells, row } = record;
  const { columns } = header;
  const isHeader = columns.every((column, at) => column === null || column === columnOf(cells[at] ?? ""));
  // Without a letter or digit it is a blank row, dashes below a header, or the Ctrl-Z at the end of a DOS file.
  if (record.problem === null && (isHeader || !/[\p{L}\p{N}]/u.test(cells.join("")))) return null;
  const place = placeInAccounts(row, file);
  const [wrongShape, rowHint = "", isLast = false] = shapeFault(record, header) ?? [];
  if (wrongShape !== undefined)
    return { profile: null, own: null, error: wrongSettings(`${place} ${wrongShape}`, rowHint), isLast };
  let error: InputError | null = null;
  let profile: string | null = null;
  const own = new Map<SettingName, SettingText>();
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? "";
    if (column === null || isUnset(cell)) continue;
    const key = keyOfColumn(column);
    const [what, hint = ""] = cellFault(cell) ?? [];
    if (what !== undefined) error ??= wrongSettings(`${place} ${what} in ${key}`, hint);
    else if (column !== profileKey)
      own.set(column, {
        setting: column,
        text: isNumber(column) ? numberIn(cell) : cell,
        source: { kind: "account-line", place, key },
      });
    else if (cell.length > maxNameLength) error ??= longProfile(place);
    else profile = cell;
  }
  // A wrong or missing separator can put a token into the cell of the name. Then no name is shown.
  const isJoined = columns.length === 1 ? /[,;\t]/.test(profile ?? "") : cells.length < columns.length;
  if (holdsToken.test(profile ?? "") || (isJoined && !own.has("token") && !own.has("secret"))) profile = null;
  return { profile, own, error, isLast: false };
}
