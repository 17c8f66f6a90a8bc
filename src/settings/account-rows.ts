// Accounts in the rows of a CSV file. A row can have swallowed others by a quotation mark or a separator that is in a wrong
// place, and any cell of those may be a secret. So no message quotes a cell, and a row of a wrong shape shows no cell at all.

import { type InputError, wrongSettings } from "../errors.ts";
import { didYouMean } from "../options/nearest.ts";
import { type AccountText, profileKey } from "./account-lines.ts";
import { type CsvRecord, csvSplitter, maxRecordBytes } from "./csv.ts";
import { longProfile, maxNameLength } from "./definition.ts";
import type { SettingText } from "./levels.ts";
import { placeInAccounts } from "./source.ts";
import { definitionOf, keyOf, lineKeys, type SettingName } from "./table.ts";

type Column = SettingName | typeof profileKey;

// The case, spaces, dashes and underscores of a column's name do not matter.
const lettersOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const known: ReadonlyMap<string, Column> = new Map<string, Column>([
  ["profile", profileKey],
  ["name", profileKey],
  ["email", "username"],
  ...lineKeys.map((name) => [lettersOf(keyOf(name)), name] as const),
]);
// A longer name can be no known one, and takes no time.
const columnOf = (cell: string): Column | null =>
  cell.length > 100 ? null : (known.get(lettersOf(cell)) ?? null);
const shownColumn = (column: Column): string => (column === profileKey ? column : keyOf(column));
const isKnown = (column: Column | null): column is Column => column !== null;

const lineEnd = /[\r\n]/;

const problems: Readonly<
  Record<NonNullable<CsvRecord["problem"]>, readonly [problem: string, hint: string]>
> = {
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

/** Why a cell of a known column cannot be used. A spreadsheet writes `#N/A`, `#REF!` and `#NAME?` in its user's language. */
const cellProblems: ReadonlyArray<readonly [isSo: RegExp, problem: string, hint: string]> = [
  [lineEnd, "has a line end", "Remove it; or close the quotation mark of a cell before it"],
  [/\0/, "has a NUL byte", "Export the file again: a part of it was not written"],
  [
    /^(?:#(?:\p{Lu}\/\p{Lu}!?|NV|YOK|GETTING_DATA|[¡¿]?[\p{Lu}_]+(?:\/0)?[!?])|#{3,}|Err:\d{3})$/u,
    "has an error of the spreadsheet, such as #N/A,",
    "Correct the formula, or empty the cell",
  ],
];

const headerRows = 5;
const declaration = /^"?sep=([ -~\t])\1*"?(?:\r\n|\r|\n|$)/i;
const example = "profile,token or profile,username,secret";

/** Whether a cell that ends lines has a line with as many separators as the header: then it may hold whole rows. */
const holdsRow = (cell: string, separator: string, { length }: readonly unknown[]): boolean =>
  lineEnd.test(cell) && cell.split(lineEnd).some((line) => line.split(separator).length >= length);

function firstRecords(separator: string, bytes: Uint8Array): readonly CsvRecord[] {
  const splitter = csvSplitter(separator.charCodeAt(0));
  const records: CsvRecord[] = [];
  for (const some of [splitter.push(bytes), splitter.end()])
    for (const record of some) if (records.push(record) === headerRows) return records;
  return records;
}

/**
 * The header of a file that begins with these bytes: of its first five rows the one that names most columns, divided by what a
 * line `sep=;` declares or else by the separator that gives most. Throws InputError if no column is known, or one stands twice.
 * `columns` has null for one that is ignored, `row` is the header's own, `start` is how many bytes stand before the first row.
 */
export function headerOf(head: Uint8Array, file: string) {
  const [line = "", declared] = declaration.exec(Buffer.from(head).toString("latin1", 0, 100)) ?? [];
  const separators = declared === undefined ? [",", ";", "\t"] : [declared];
  const candidates = separators.flatMap((separator) =>
    firstRecords(separator, head.subarray(line.length)).map(({ cells, problem }, index) => {
      const columns = cells.map(columnOf);
      return { separator, cells, problem, row: index + 1, columns, count: columns.filter(isKnown).length };
    }),
  );
  // Of equal ones the first counts.
  const [best] = candidates.toSorted((one, other) => other.count - one.count);
  if (best === undefined || best.count === 0) throw noHeader(head.subarray(line.length), candidates, file);
  const { separator, cells, row } = best;
  const columns = best.columns.slice(0, cells.findLastIndex((cell) => cell.trim() !== "") + 1);
  const place = `The header, ${placeInAccounts(row, file)},`;
  if (cells.some((cell) => holdsRow(cell, separator, columns)))
    throw wrongSettings(
      `${place} has a quotation mark that may hold rows behind it`,
      `Write the header in one line, such as ${example}`,
    );
  const twice = columns.filter(isKnown).find((column, index, all) => all.indexOf(column) < index);
  if (twice !== undefined)
    throw wrongSettings(
      `${place} names ${shownColumn(twice)} twice: in columns ${columns.flatMap((one, index) => (one === twice ? [index + 1] : [])).join(" and ")}`,
      `Rename or remove one of them, so that the header is such as ${[...new Set(columns)].filter(isKnown).map(shownColumn).join(separator)}`,
    );
  return { columns, separator, row, start: line.length, ignored: ignoredColumns(cells, columns, file) };
}

/** The error for a file in whose first rows no column is known. Of its text, it shows words of our own table alone. */
function noHeader(
  head: Uint8Array,
  candidates: ReadonlyArray<Pick<CsvRecord, "cells" | "problem">>,
  file: string,
): InputError {
  const none = `None of the first ${headerRows} rows of ${file} names a column that is known`;
  const isDivided = firstRecords("|", head).some(({ cells }) =>
    cells.some((cell) => columnOf(cell) !== null),
  );
  if (isDivided)
    return wrongSettings(
      `${none}; its cells have | between`,
      "Export it with commas, such as by psql --csv, mysql --batch or sqlite3 -csv; or write sep=| as its first line",
    );
  const renamed = new Map(
    candidates.flatMap(({ cells }) =>
      cells.flatMap((cell) => {
        const ours = synonymOf(cell);
        return ours === undefined ? [] : [[ours, `"${cell.trim()}" to ${ours}`] as const];
      }),
    ),
  );
  const rename = renamed.size > 0 ? `Rename ${[...renamed.values()].join(", ")}; or begin` : "Begin";
  const broken = candidates.find(({ problem }) => problem !== null)?.problem;
  return wrongSettings(
    `${none}${broken ? `; one of them ${problems[broken][0]}` : ""}`,
    `${rename} the file with a row such as ${example}, with commas, semicolons or tabs between; other columns may stand there too`,
  );
}

/** What people and programs call our columns, in letters alone. A column is never read by such a name: it may mean something else. */
const synonyms: Readonly<Record<string, string>> = {
  token:
    "accesstoken apitoken authtoken apikey accesskey xauthtoken referraltoken bearertoken jeton zugriffstoken ficha トークン 令牌 토큰 токен",
  username:
    "user login userid referralusername useremail emailaddress mail benutzername benutzer nutzername anmeldename utilisateur nomdutilisateur identifiant usuario nombredeusuario utente nomeutente gebruikersnaam användarnamn brugernavn ユーザー名 ユーザー 用户名 사용자 пользователь",
  secret:
    "password passwd pwd clientsecret secretkey apisecret referralsecret geheimnis geheim schlüssel passwort kennwort motdepasse contraseña senha segredo clave chiave wachtwoord lösenord パスワード シークレット 密码 密钥 비밀번호 пароль",
  baseUrl: "url endpoint host apiurl referralbaseurl adresse",
  profile:
    "account accountname profilename kunde konto nom nombre nome naam compte cuenta namn navn 名前 名称 이름 имя",
};
const synonymOf = (cell: string): string | undefined =>
  Object.keys(synonyms).find((ours) => synonyms[ours]?.split(" ").includes(lettersOf(cell.slice(0, 100))));

// Without a header, the first row can be an account in which one value looks like a column's name: what may be a credential is not shown.
const isShown = (name: string): boolean =>
  name.split(" ").every((word) => /^(?:[\p{L}_.()/-]{0,30}|[\p{L}\p{N}_.()/-]{0,7})$/u.test(word));
const mostIgnored = 10;

/** The column that is missing and may be meant by another name; an empty text for none. */
function meantBy(name: string, columns: readonly (Column | null)[]): string {
  const free = ["token", "username", "secret", "baseUrl"].filter((one) => !columns.includes(one as Column));
  const own = synonymOf(name) ?? "";
  const near = free.includes(own) ? `Did you mean ${own}?` : didYouMean(name.replace(/^x-auth-/i, ""), free);
  return near && ` (${near})`;
}

function ignoredColumns(cells: readonly string[], columns: readonly (Column | null)[], file: string): string {
  const names = new Map<string, string>();
  for (const [index, cell] of cells.entries()) {
    const name = cell.replace(/\s+/g, " ").trim();
    if (columns[index] === null && name !== "")
      names.set(isShown(name) ? `"${name}"` : `column ${index + 1}`, isShown(name) ? name : "");
  }
  const more = names.size > mostIgnored ? `, and ${names.size - mostIgnored} more` : "";
  const ignored = [...names].slice(0, mostIgnored);
  const shown = ignored.map(([one, name]) => one + meantBy(name, columns)).join(", ");
  return shown && `columns of ${file} that are not known are ignored: ${shown}${more}`;
}

/** A number as a spreadsheet writes it, also with a decimal comma, as JSON writes it; any other text unchanged. */
function numberIn(text: string): string {
  const plain = text.trim().replace(/^(\d+),(\d{1,2})$/, "$1.$2");
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(plain) ? String(Number(plain)) : text;
}

const isUnset = (cell: string): boolean => ["", "NULL", "\\N"].includes(cell);
/** What reports show of an account beside its name. */
const shownColumns = ["username", "baseUrl", "proxy"] as const;

/** Whether a row says nothing: it is blank, dashes as below the header of a table, the header again, or what ends a file of DOS. */
function isSkipped(cells: readonly string[], { columns }: ReturnType<typeof headerOf>): boolean {
  const text = cells.join(" ").replace("\u001a", "").trim();
  // A dash alone may be an account's name.
  return (
    text === "" ||
    (text.includes("--") && /^[\s-]+$/.test(text)) ||
    columns.every((column, index) => column === null || column === columnOf(cells[index] ?? ""))
  );
}

const conflictMarks = ["<<<<<<<", "=======", ">>>>>>>"];

/** What is wrong with the shape of a row, what to do, and whether the rows behind it cannot be read; null for nothing. */
function shapeProblem(
  { cells, problem }: CsvRecord,
  { columns, separator }: ReturnType<typeof headerOf>,
): readonly [problem: string, hint: string, isLast: boolean] | null {
  if (problem !== null) return [...problems[problem], problem === "unclosed"];
  if (conflictMarks.some((mark) => cells[0]?.startsWith(mark)))
    return ["is a mark of a merge conflict", "Resolve it: rows of both sides stand in the file", false];
  const count = columns.filter(isKnown).length;
  if (count > 1 && cells.map(columnOf).filter(isKnown).length >= count)
    return [
      "is another header, so the rows behind it were not read",
      "Give each table a file of its own",
      true,
    ];
  if (cells.slice(columns.length).some((cell) => cell.trim() !== ""))
    return [
      "has more cells than the header",
      `Quote a value that holds the separator: "a${separator}b"; or empty the cell that has no column`,
      false,
    ];
  const index = cells.findIndex((cell, at) => columns[at] === null && holdsRow(cell, separator, columns));
  const swallows = `has whole rows in the cell of column ${index + 1}`;
  return index < 0 ? null : [swallows, "Close its quotation mark, or remove it", false];
}

/** What a record says: an account or its mistake; null for a row that is skipped. */
export function accountInRow(
  record: CsvRecord,
  row: number,
  header: ReturnType<typeof headerOf>,
  file: string,
): AccountText | null {
  const { cells } = record;
  const { columns, separator } = header;
  if (record.problem === null && isSkipped(cells, header)) return null;
  const place = placeInAccounts(row, file);
  const wrong = (what: string, hint: string): InputError => wrongSettings(`${place} ${what}`, hint);
  const [what, mend = "", isLast = false] = shapeProblem(record, header) ?? [];
  if (what !== undefined) return { profile: null, own: null, error: wrong(what, mend), isLast };
  let error: AccountText["error"] = null;
  let profile: string | null = null;
  const own = new Map<SettingName, SettingText>();
  // Programs leave out empty cells at the end of a row, which is right. But if a cell is missing in the middle, those behind it stand
  // in the columns of others, and a report would show a secret as a name. Nor is a file of one column sure to have a header.
  const isShort = cells.length < columns.length || columns.length === 1;
  const isDoubtful = (index: number): boolean =>
    isShort && cells.slice(0, index + 1).some((cell) => /[,;\t\r\n]/.test(cell) || cell.includes(separator));
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? "";
    if (column === null || isUnset(cell)) continue;
    const [, what, hint] = cellProblems.find(([isSo]) => isSo.test(cell)) ?? [];
    if (what !== undefined) error ??= wrong(`${what} in ${shownColumn(column)}`, hint ?? "");
    else if (column === profileKey) {
      if (cell.length > maxNameLength) error ??= longProfile(place);
      else if (!isDoubtful(index)) profile = cell;
    } else {
      const text = definitionOf(column).kind === "number" ? numberIn(cell) : cell;
      own.set(column, {
        setting: column,
        text,
        source: { kind: "account-line", line: row, csv: file, key: keyOf(column) },
      });
      if (shownColumns.some((one) => one === column) && isDoubtful(index))
        error ??= wrong(
          `has fewer cells than the header, so its ${keyOf(column)} may be another cell`,
          "Write all its cells, also empty ones",
        );
    }
  }
  // If all credentials are missing, a separator may be: `north a1b2c3` is a name and its token in one cell.
  const credentials = (["token", "secret"] as const).filter((name) => columns.includes(name));
  const lacksCredential = credentials.length > 0 && !credentials.some((name) => own.has(name));
  if (isShort && lacksCredential && (columns[0] !== profileKey || /\s/.test(profile ?? ""))) profile = null;
  return { profile, own, error, isLast: false };
}
