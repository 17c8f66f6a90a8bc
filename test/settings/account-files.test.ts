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
  // Excel in four languages: the separator and the decimal comma are those of the region.
  "Excel, English": `\ufeff${lines("Name,Token,Timeout", `north,${t(1)},2.5`, `"Smith, Jones & Co",${t(2)},`)}`,
  "Excel, German": `\ufeff${lines("Name;Token;Timeout", `Süd;${t(1)};2,5`, `"Müller; Söhne";${t(2)};`)}`,
  "Excel, German, with blank rows and #NV": lines(
    "Name;Token;Notiz;",
    `a;${t(1)};;`,
    ";;;",
    ";;;",
    `b;#NV;;`,
    `c;${t(2)}`,
  ),
  "Excel, French, with sep=": `\ufeff${lines("sep=;", "Nom du client;Name;E-mail;Secret", `1;nord;n@example.com;${t(1)}`, `2;sud;#VALEUR!;${t(2)}`)}`,
  "Excel, Spanish, with a title": lines(
    "Cuentas;;",
    ";;",
    "profile;Token;Retry",
    `norte;${t(1)};3`,
    `sur;#¡REF!;3`,
  ),
  "Excel, Unicode text": utf16(lines("Name\tToken", `north\t${t(1)}`)),
  "Excel, CSV of Windows-1252": latin1(lines("Name;Token", `Süd;${t(1)}`)),
  "Excel, workbook": Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.alloc(40, 1)]),
  "Excel 97, workbook": Buffer.from("d0cf11e0a1b11ae1", "hex"),
  "Excel, web page": lines("<html><body><table>", "<tr><td>Token</td></tr>"),
  "Google Sheets": `profile,token,baseUrl,digest,Retry\nnorth,${t(1)},https://a.example/v1,text-nonce,2\n"line\nend in a name",${t(2)},,,\nlate,#N/A,,,\n`,
  "Google Sheets, a note of two lines": `name,token,notes\nnorth,${t(1)},"called, twice\nno answer"\nsouth,${t(2)},\n`,
  Numbers: `\ufeffTable 1;;\nName;Base URL;Token\nnorth;https://a.example/v1;${t(1)}\n;;\n`,
  "LibreOffice, all quoted": `"profile","token"\n"north","${t(1)}"\n"19"" screen","${t(2)}"\n"x","Err:502"\n`,
  gnumeric: `profile,username,secret,timeout\nnorth,n@example.com,${t(1)},10\n"so,uth",s@example.com,${t(2)},0.5\n`,
  "psql, csv header": `name,token,username,secret\nnorth,${t(1)},,\n"quo""te",,q@example.com,${t(2)}\n`,
  "psql, text": `name\ttoken\nnorth\t${t(1)}\nsouth\t\\N\n`,
  "MySQL, batch": `name\ttoken\ttimeout\nnorth\t${t(1)}\tNULL\nNULL\t${t(2)}\t10\n`,
  DBeaver: `"NAME","TOKEN","CREATED_AT"\n"north","${t(1)}",2026-11-26 12:00:00\n"south",NULL,\n`,
  "pandas, with its index": `,profile,token,retry\n0,north,${t(1)},3.0\n1,south,${t(2)},\n`,
  "Classic Mac": `profile;token\rnorth;${t(1)}\rsouth;${t(2)}`,
  "mixed ends": `profile;token\nnorth;${t(1)}\r\nsouth;${t(2)}\reast;${t(3)}\n`,
  "two exports in one file": `profile,token\nnorth,${t(1)}\nprofile,token\nsouth,${t(2)}\n`,
  "two exports of other columns": `profile,token\nnorth,${t(1)}\ntoken,profile\n${t(2)},south\n${t(3)},east\n`,
  "column names in any case": `PROFILE,base_url,User-Name,E-Mail \n`,
  "the other columns": `${Array.from({ length: 13 }, (_, index) => `col ${index}`).join(",")},token,${t(9)}\n${",".repeat(13)}${t(1)},\n`,
  "passwords of a browser": `name,url,username,password\nnorth,https://a.example,n@example.com,${t(1)}\n`,
  "a column of an API key": `name,X-Auth-Token,status\nnorth,${t(1)},active\n`,
  "no header": `north;${t(1)}\nsouth;${t(2)}\n`,
  "no header, and a value like a column": `north,token,${t(1)}\nsouth,token,${t(2)}\n`,
  "a title like a column, and no header": `Name\nnorth;${t(1)}\nsouth,${t(2)}\n`,
  "one column": `token\n${t(1)}\n${t(2)}\n`,
  "a column twice": `profile;token;Token\nnorth;${t(1)};${t(2)}\n`,
  "the header alone": "profile,token\n",
  nothing: "\n \n",
  "a list in JSON": `[{"profile":"north","token":"${t(1)}"}]`,
  "a mark that stays open": `profile;token\nnorth;${t(1)}\n"south;${t(2)}\neast;${t(3)}\n`,
  "a mark that stays open, in a note": `profile;token;notes\nnorth;${t(1)};"called\nsouth;${t(2)};\n`,
  "a mark that closes rows later": `profile;token;notes\n"north;${t(1)};x\nsouth;${t(2)};x\neast";${t(3)};x\nwest;${t(4)};x\n`,
  "a mark in a token that closes rows later": `profile;token;notes\nnorth;"${t(1)};x\nsouth;${t(2)};x"\nwest;${t(4)};x\n`,
  "a mark in a note that closes rows later": `notes;profile;token\n"x;north;${t(1)}\nx;south;${t(2)}\nx";east;${t(3)}\nx;west;${t(4)}\n`,
  "a mark in a note that closes in the next row's name": `id;notes;profile;token\n1;"x;north;${t(1)}\n2;x;south";${t(2)}\n3;x;west;${t(4)}\n`,
  "a mark in the header": `profile;token;"notes\nnorth;${t(1)};x"\nsouth;${t(2)};x\n`,
  "a mark around a whole row": `profile,token\n"north,${t(1)}"\n`,
  "marks around two cells": `notes;profile;token\n"x;north";${t(1)}\nx;south;${t(2)}\n`,
  "text behind a mark": `profile;token\n"north"x;${t(1)}\n"south" ;${t(2)}\neast;${t(3)}\n`,
  "a separator in an unquoted name": `token;profile\n${t(1)};north; Ltd\n${t(2)};south\n`,
  "another separator in some rows": `profile;token\nnorth;${t(1)}\nsouth,${t(2)}\n`,
  "a separator that is missing": `id;profile;token\n1;north;${t(1)}\n2 south;${t(2)}\n`,
  "a row that ends early": `profile;token;notes\nnorth;${t(1)}\nsouth\n`,
  "a username that may be another cell": `notes;username;secret\n"x;me@example.com";${t(1)}\n`,
  "a line end in a name, and in a token": `profile;token\n"north\n";${t(1)}\nsouth;"${t(2)}\n"\n`,
  "NUL bytes": `profile;token\nno\0rth;${t(1)}\nsouth;${t(2)}\0\n\0\0\0`,
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
  const every = { isWanted: () => true, distinguish: true };
  const said: string[] = [];
  const accounts: Account[] = [];
  try {
    const found = await openAccounts("accounts.csv", every, context, new AbortController().signal);
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
