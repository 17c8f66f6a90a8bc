import fc from "fast-check";
import { expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import { escapeText } from "../../src/redaction/escape.ts";
import { type Account, openAccounts } from "../../src/settings/accounts-file.ts";
import { chunksOf, contextOf } from "./opened.ts";

/** A token that no message may show. */
const t = (number: number): string => `tok3n-${number}-a1b2c3d4e5f6`;

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");
const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const lines = (...all: readonly string[]): string => all.map((line) => `${line}\r\n`).join("");

/** Files as programs write them, and as people break them. The text beside this test shows what each one gives. */
const files: Readonly<Record<string, string | Uint8Array>> = {
  // Excel: the separator and the decimal comma are those of the region.
  "Excel, German": `\ufeff${lines("Name;Token;Timeout", `Süd;${t(1)};2,5`, `"Müller; Söhne";${t(2)};`)}`,
  "Excel, French, with sep=": `\ufeff${lines("sep=;", "Nom du client;Name;E-mail;Secret", `1;nord;n@example.com;${t(1)}`, `2;sud;#VALEUR!;${t(2)}`)}`,
  "Excel, Unicode text": utf16(lines("Name\tToken", `north\t${t(1)}`)),
  "Excel, CSV of Windows-1252": latin1(lines("Name;Token", `Süd;${t(1)}`)),
  "Excel, workbook": Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.alloc(40, 1)]),
  "Google Sheets": `profile,token,baseUrl,digest,Retry\nnorth,${t(1)},https://a.example/v1,text-nonce,2\n"line\nend in a name",${t(2)},,,\nlate,#N/A,,,\nlater,Err:502,,,\n`,
  "psql, text": `name\ttoken\nnorth\t${t(1)}\nsouth\t\\N\n`,
  "two exports of other columns": `profile,token\nnorth,${t(1)}\ntoken,profile\n${t(2)},south\n${t(3)},east\n`,
  "column names in any case": `PROFILE,base_url,User-Name,E-Mail \n`,
  "sqlcmd, with dashes": `profile,token\n-------,-----\nnorth,${t(1)}\n-,${t(2)}\n-,-\n`,
  "one column": `token\n${t(1)}\n${t(2)}\n`,
  "the header alone": "profile,token\n",
  "a list in JSON": `[{"profile":"north","token":"${t(1)}"}]`,
  "sep= and a sign that is found nowhere else": `sep=|\nprofile|token\nnorth|${t(1)}\n`,
  "an empty row before the header": `\nprofile,token\nnorth,${t(1)}\n`,
  "columns that are not known, and some that nearly are": `Token;;Profil;Tokn;55-pass;pass-55;" a  b "\n${t(1)};x;north\n`,
  "columns without a name at the end": `profile;token; ;\n"a, b";${t(1)}\nsouth;${t(2)};;x\n`,
  "line ends in the header and in a note": `profile;token;"a\nnote"\nnorth;${t(1)};"two\nlines"\n`,
  "rows without their empty cells, token first": `token;notes\n${t(1)}\n`,
  "rows without their empty cells, secret first": `secret;notes\n${t(1)}\n`,
  "a mark that stays open": `profile;token\nnorth;${t(1)}\n"south;${t(2)}\neast;${t(3)}\n`,
  "a mark in a token that closes rows later": `profile;token;notes\nnorth;"${t(1)};x\nsouth;${t(2)};x"\nwest;${t(4)};x\n`,
  "a mark in a note that closes rows later": `notes;profile;token\n"x;north;${t(1)}\nx;south;${t(2)}\nx";east;${t(3)}\nx;west;${t(4)}\n`,
  "a mark in the header": `profile;token;"notes\nnorth;${t(1)};x"\nsouth;${t(2)};x\n`,
  "text behind a mark": `profile;token\n"north"x;${t(1)}\n"south" ;${t(2)}\neast;${t(3)}\n`,
  "a separator in an unquoted name": `token;profile\n${t(1)};north; Ltd\n${t(2)};south\n`,
  "another separator in some rows": `profile;token\nnorth;${t(1)}\nsouth,${t(2)}\n`,
  "a separator that is missing": `id;profile;token\n1;north;${t(1)}\n2 south;${t(2)}\n`,
  "a line end in a name, and a NUL in a token": `profile;token\n"north\n";${t(1)}\nsouth;${t(2)}\0\n`,
  "bytes of another encoding behind 64 KiB": Buffer.concat([
    Buffer.from(`profile;token\n${`north;${t(1)}\n`.repeat(3_000).replaceAll("north", "")}`),
    latin1(`Süd;${t(2)}\nsouth;${t(3)}\n`),
  ]),
  "10,000 columns": `token${",x".repeat(9_999)}\n${t(1)}${",".repeat(9_999)}\n`,
  "a row beyond 64 KiB": `profile,token\nnorth,${"x".repeat(70_000)}\nsouth,${t(2)}\n`,
  "a long name": `profile,token\n${"n".repeat(1_001)},${t(1)}\nsouth,${t(2)}\n`,
};

/** What a file gives, without its tokens: the warnings, each account or mistake, and why reading ended. */
async function readingOf(content: string | Uint8Array, size: number): Promise<string> {
  const bytes = Buffer.from(content);
  const context = contextOf(chunksOf(bytes, size), { size: bytes.length });
  const said: string[] = [];
  const accounts: Account[] = [];
  try {
    const found = await openAccounts("accounts.csv", true, context, new AbortController().signal);
    const warn = async (text: string) => void said.push(`warning: ${text}`);
    for await (const account of found.accounts(warn)) accounts.push(account);
    const { linesRead, allRead } = found.reading;
    if (!allRead) said.push(`ended at row ${linesRead}`);
    const total = accounts.reduce((sum, account) => sum + account.share, 0);
    expect(total).toBeLessThanOrEqual(bytes.length);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    said.push(`ends with 3: ${error.message}; ${error.hint}`);
  }
  const texts = accounts.slice(0, 6).map(({ line, profile, own, error }) => {
    const values = [...(own?.values() ?? [])].map(({ setting, text }) =>
      setting === "token" || setting === "secret" ? setting : `${setting} ${text}`,
    );
    return `${line} ${profile ?? "-"}: ${error === null ? values.join(", ") : `${error.message}; ${error.hint}`}`;
  });
  if (accounts.length > 6) {
    const [last] = accounts.slice(-1);
    const wrong = accounts.filter(({ error }) => error !== null);
    texts.push(`… ${last?.line} ${last?.profile}; ${wrong.map(({ error }) => error?.message).join("; ")}`);
  }
  return [...said, ...texts].map((text) => `  ${escapeText(text, 400)}\n`).join("");
}

test("each file gives what the text beside this test shows, however its bytes arrive, and no token", async () => {
  let text = "";
  for (const [name, content] of Object.entries(files)) {
    const reading = await readingOf(content, 65_536);
    expect(await readingOf(content, 997), name).toBe(reading);
    expect(reading, name).not.toContain("tok3n");
    text += `${name}\n${reading}\n`;
  }
  await expect(text).toMatchFileSnapshot("account-files.txt");
});

test("a file whose first row names no column ends with 3 and one sentence, whatever program wrote it, and shows nothing of it", async () => {
  const [cell, end] = [fc.string({ unit: "grapheme", maxLength: 12 }), fc.constantFrom("\n", "\r\n", "\r")];
  const firstRows = fc.oneof(
    fc
      .array(
        cell.map((text) => `zz${text.replace(/["\r\n,;\t]/g, "")}`),
        { minLength: 1, maxLength: 5 },
      )
      .map(String),
    fc.constantFrom(
      "<html><table>",
      "[north]",
      "profiles:",
      "-----BEGIN PGP MESSAGE-----",
      "#TYPE x",
      "Nom;Jeton",
    ),
    fc.constantFrom(
      "| profile | token |",
      "+---+---+",
      "export TOKEN=x",
      "$ANSIBLE_VAULT;1.1;AES256",
      "API Token,Login",
    ),
  );
  await fc.assert(
    fc.asyncProperty(firstRows, end, async (first, end) => {
      const said = await readingOf(`${first}${end}profile,token${end}north,${t(1)}${end}`, 65_536);
      expect(said).toMatch(
        /^ {2}ends with 3: row 1 of accounts\.csv names no column that is known; The header must be the first row, /,
      );
      expect(said).not.toContain("tok3n");
    }),
    { numRuns: 100 },
  );
});

const names = ["profile", "username", "token", "secret", "notes", "Base URL"];

/** A table of accounts, whose tokens and secrets are made by `t`. */
const table = fc
  .record({
    columns: fc
      .shuffledSubarray(names, { minLength: 2 })
      .filter((all) => all.filter((one) => one !== "notes").length > 1),
    separator: fc.constantFrom(",", ";", "\t"),
    isQuoted: fc.boolean(),
    rows: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ columns, separator, isQuoted, rows }) => {
    const row = (cells: readonly string[]) =>
      cells.map((one) => (isQuoted ? `"${one}"` : one)).join(separator);
    const account = (index: number) =>
      row(columns.map((one) => (/token|secret/.test(one) ? t(index) : `a${index}`)));
    return [row(columns), ...Array.from({ length: rows }, (_, index) => account(index)), ""].join("\n");
  });

test("of two tables in one file, whatever their columns, separators and quotation marks, no token is shown as a name", async () => {
  await fc.assert(
    fc.asyncProperty(table, table, async (one, other) => {
      expect(await readingOf(one + other, 65_536)).not.toContain("tok3n");
    }),
    { numRuns: 200 },
  );
});

test("with one or two quotation marks too many, no token is shown as a name", async () => {
  const signs = fc.constantFrom(['"'], ['"', '"']);
  const edited = fc.tuple(table, signs, fc.tuple(fc.nat(), fc.nat())).map(([text, signs, places]) =>
    signs.reduce((all, sign, index) => {
      const at = (places[index] ?? 0) % all.length;
      return all.slice(0, at) + sign + all.slice(at);
    }, text),
  );
  await fc.assert(
    fc.asyncProperty(edited, async (text) => {
      expect(await readingOf(text, 65_536)).not.toContain("tok3n");
    }),
    { numRuns: 300 },
  );
});
