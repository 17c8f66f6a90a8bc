import { type InputError, wrongSettings } from "../errors.ts";
import type { AccountText } from "./account-lines.ts";
import { type CsvProblem, type CsvRecord, csvSplitter, maxRecordBytes } from "./csv.ts";
import { maxNameLength } from "./definition.ts";
import type { SettingText } from "./levels.ts";
import { placeInAccounts } from "./source.ts";
import { definitionOf, keyOf, lineKeys, type SettingName } from "./table.ts";

// Accounts in the rows of a CSV file. A row can have swallowed others by a quotation mark or a separator that is in a wrong
// place, and any cell of those may be a secret. So no message quotes a cell, and a row of a wrong shape shows no cell at all.

const profileKey = "profile";
type Column = SettingName | typeof profileKey;

// Of letters and digits alone: the case, spaces, dashes and underscores of a column's name do not matter.
const folded = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const columns: ReadonlyMap<string, Column> = new Map<string, Column>([
  [profileKey, profileKey],
  ...lineKeys.map((name) => [folded(keyOf(name)), name] as const),
  ["name", profileKey],
  ["email", "username"],
]);

// A longer name can be no known one, and takes no time.
const columnOf = (cell: string): Column | null =>
  cell.length > 100 ? null : (columns.get(folded(cell)) ?? null);

const lineEnd = /[\r\n]/;

/** What a spreadsheet writes in place of a value that it cannot compute: `#N/A`, `#REF!`, `#NAME?`, in its user's language. */
const spreadsheetError =
  /^(?:#(?:\p{Lu}\/\p{Lu}!?|NV|YOK|GETTING_DATA|[¡¿]?[\p{Lu}_]+(?:\/0)?[!?])|#{3,}|Err:\d{3})$/u;

const problems: Readonly<Record<CsvProblem, readonly [problem: string, hint: string]>> = {
  "too long": ["is too long", `Write one account per row, in at most ${maxRecordBytes / 1024} KiB`],
  "not UTF-8": ["is not UTF-8 text", "Save the spreadsheet as CSV UTF-8"],
  "text behind a mark": [
    "has text behind a closing quotation mark",
    'Write a quotation mark inside quotation marks twice: "19"" screen"',
  ],
  unclosed: [
    "has a quotation mark that does not close, so the rows behind it were not read",
    "Close it, or remove it; programs that write CSV quote a cell as a whole",
  ],
};

const shownColumn = (column: Column): string => (column === profileKey ? column : keyOf(column));

/** The header of a CSV file. */
export interface Header {
  /** The column of each cell, as far as cells have a name; null for one that is ignored. */
  readonly columns: readonly (Column | null)[];
  readonly separator: string;
  /** The number of its row; those before it are titles. */
  readonly row: number;
  /** How many bytes stand before the first row. */
  readonly start: number;
  /** The names of the columns that are ignored, as a warning; null if there is none. */
  readonly ignored: string | null;
}

const headerRows = 5;
const declaration = /^"?sep=([ -~\t])\1*"?(?:\r\n|\r|\n|$)/i;

const example = "profile,token or profile,username,secret";

function* firstRecords(separator: string, bytes: Uint8Array): Generator<CsvRecord> {
  const splitter = csvSplitter(separator.charCodeAt(0));
  let row = 0;
  for (const records of [splitter.push(bytes), splitter.end()])
    for (const record of records) {
      yield record;
      row += 1;
      if (row === headerRows) return;
    }
}

/** Whether a cell that ends lines has a line with as many separators as the header: then it may hold whole rows. */
const holdsRow = (
  cell: string,
  { separator, columns: { length } }: Pick<Header, "separator" | "columns">,
): boolean =>
  lineEnd.test(cell) && cell.split(lineEnd).some((line) => line.split(separator).length >= length);

/**
 * The header of a file that begins with these bytes: of its first five rows the one that names most columns, divided by what a
 * line `sep=;` declares or else by the separator that gives most. Throws InputError if no column is known, or one stands twice.
 */
export function headerOf(head: Uint8Array, file: string): Header {
  const [line = "", declared] = declaration.exec(Buffer.from(head).toString("latin1", 0, 100)) ?? [];
  const body = head.subarray(line.length);
  let best = { known: 0, row: 0, cells: [] as readonly string[], separator: declared ?? "," };
  let broken: CsvProblem | null = null;
  for (const separator of declared === undefined ? [",", ";", "\t"] : [declared]) {
    let row = 0;
    for (const { cells, problem } of firstRecords(separator, body)) {
      row += 1;
      broken ??= problem;
      const known = cells.filter((cell) => columnOf(cell) !== null).length;
      if (known > best.known) best = { known, row, cells, separator };
    }
  }
  const { row, cells, separator } = best;
  const place = placeInAccounts(row, file);
  if (row === 0) {
    const why = broken === null ? "" : `; one of them ${problems[broken][0]}`;
    throw wrongSettings(
      `None of the first ${headerRows} rows of ${file} names a column that is known${why}`,
      `Begin the file with a row such as ${example}; other columns may stand there too`,
    );
  }
  const found = cells.map(columnOf).slice(0, cells.findLastIndex((cell) => cell.trim() !== "") + 1);
  if (cells.some((cell) => holdsRow(cell, { separator, columns: found })))
    throw wrongSettings(
      `The header, ${place}, has a quotation mark that may hold rows behind it`,
      `Write the header in one line, such as ${example}`,
    );
  const twice = found.find((column, index) => column !== null && found.indexOf(column) < index);
  if (twice !== undefined && twice !== null)
    throw wrongSettings(
      `The header, ${place}, names ${shownColumn(twice)} twice: in columns ${found.flatMap((one, index) => (one === twice ? [index + 1] : [])).join(" and ")}`,
      `Rename or remove one of them, so that the header is such as ${[...new Set(found)].flatMap((one) => (one === null ? [] : [shownColumn(one)])).join(separator)}`,
    );
  const ignored = ignoredColumns(cells, found, file);
  return { columns: found, separator, row, start: line.length, ignored };
}

// Without a header, the first row can be an account in which one value looks like a column's name. So only what looks like a name is shown.
const isShown = (name: string): boolean =>
  name.length <= 40 &&
  name
    .split(" ")
    .every((word) => /^[\p{L}\p{N}_./()-]{0,20}$/u.test(word) && (word.length < 8 || !/\d/.test(word)));
const mostIgnored = 10;

function ignoredColumns(
  cells: readonly string[],
  found: readonly (Column | null)[],
  file: string,
): string | null {
  const unknown = cells.flatMap((cell, index) => {
    if (found[index] !== null || cell.trim() === "") return [];
    const name = cell.replace(/\s+/g, " ").trim();
    return isShown(name) ? `"${name}"` : `column ${index + 1}`;
  });
  const names = [...new Set(unknown)];
  if (names.length === 0) return null;
  const more = names.length > mostIgnored ? `, and ${names.length - mostIgnored} more` : "";
  return `columns of ${file} that are not known are ignored: ${names.slice(0, mostIgnored).join(", ")}${more}`;
}

/** A number as a spreadsheet writes it, also with a decimal comma, as JSON writes it; any other text unchanged. */
function numberIn(text: string): string {
  const plain = text.trim().replace(/^(\d+),(\d{1,2})$/, "$1.$2");
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(plain) ? String(Number(plain)) : text;
}

/** Whether the row is a header again: this one, as in files that were joined, or one of other places, behind which every cell is another's. */
function headerAgain(cells: readonly string[], { columns: own }: Header): "same" | "other" | null {
  const known = own.filter((column) => column !== null).length;
  const found = cells.map(columnOf);
  if (own.every((column, index) => column === null || column === found[index])) return "same";
  return known > 1 && found.filter((column) => column !== null).length >= known ? "other" : null;
}

/** What a record says: an account or its mistake; null for a row that is skipped, such as a blank one. */
export function accountInRow(
  { cells, problem }: CsvRecord,
  row: number,
  header: Header,
  file: string,
): AccountText | null {
  const wrong = (what: string, hint: string): InputError =>
    wrongSettings(`${placeInAccounts(row, file)} ${what}`, hint);
  const unnamed = (error: InputError, isLast = false): AccountText => ({
    profile: null,
    own: null,
    error,
    isLast,
  });
  if (problem !== null) {
    const [what, hint] = problems[problem];
    return unnamed(wrong(what, hint), problem === "unclosed");
  }
  if (cells.every((cell) => cell.trim() === "")) return null;
  const again = headerAgain(cells, header);
  if (again === "same") return null;
  if (again === "other")
    return unnamed(
      wrong("is another header, so the rows behind it were not read", "Give each table a file of its own"),
      true,
    );
  const { separator, columns: own } = header;
  if (cells.slice(own.length).some((cell) => cell.trim() !== ""))
    return unnamed(
      wrong("has more cells than the header", `Quote a value that holds the separator: "a${separator}b"`),
    );
  const swallows = cells.findIndex((cell, index) => own[index] === null && holdsRow(cell, header));
  if (swallows >= 0)
    return unnamed(
      wrong(`has whole rows in the cell of column ${swallows + 1}`, "Close its quotation mark, or remove it"),
    );
  let error: InputError | null = null;
  const level = new Map<SettingName, SettingText>();
  for (const [index, key] of own.entries()) {
    const cell = cells[index] ?? "";
    if (key === null || isUnset(cell)) continue;
    const [what, hint] = cellProblem(cell, key) ?? [null, ""];
    if (what !== null) error ??= wrong(what, hint);
    else if (key !== profileKey) {
      const text = definitionOf(key).kind === "number" ? numberIn(cell) : cell;
      const source = { kind: "account-line", line: row, csv: file, key: keyOf(key) } as const;
      level.set(key, { setting: key, text, source });
    }
  }
  // Programs leave out empty cells at the end of a row. If one is missing before, what is shown of a row may be another cell, and secret.
  const isShort = cells.length < own.length;
  const isDoubtful = (index: number): boolean =>
    isShort && cells.slice(0, index + 1).some((cell) => /[,;\t\r\n]/.test(cell) || cell.includes(separator));
  for (const key of shownColumns)
    if (level.has(key) && isDoubtful(own.indexOf(key)))
      error ??= wrong(
        `has fewer cells than the header, so its ${keyOf(key)} may be another cell`,
        "Write all its cells, also empty ones",
      );
  const index = own.indexOf(profileKey);
  const name = cells[index] ?? "";
  // A separator may be missing too, as in `south a1b2c3`.
  const lacksCredential =
    isShort &&
    (index > 0 || /\s/.test(name)) &&
    own.some((key) => key === "token" || key === "secret") &&
    !level.has("token") &&
    !level.has("secret");
  const isName =
    !isUnset(name) && cellProblem(name, profileKey) === null && !isDoubtful(index) && !lacksCredential;
  return { profile: isName ? name : null, own: level, error, isLast: false };
}

/** What reports show of an account beside its name. */
const shownColumns = ["username", "baseUrl", "proxy"] as const;

const isUnset = (cell: string): boolean => ["", "NULL", "\\N"].includes(cell);

/** Why a cell of this column cannot be used, and what to do; null if it may be. */
function cellProblem(cell: string, key: Column): readonly [problem: string, hint: string] | null {
  if (lineEnd.test(cell))
    return [
      `has a line end in ${shownColumn(key)}`,
      "Remove it; or close the quotation mark of a cell before it",
    ];
  if (cell.includes("\0"))
    return [`has a NUL byte in ${shownColumn(key)}`, "Export the file again: a part of it was not written"];
  if (spreadsheetError.test(cell))
    return [
      `has an error of the spreadsheet, such as #N/A, in ${shownColumn(key)}`,
      "Correct the formula, or empty the cell",
    ];
  if (key === profileKey && cell.length > maxNameLength)
    return [`has a profile of more than ${maxNameLength} characters`, "Shorten the name"];
  return null;
}
