import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { combinedExitCode, exitCodeOf, exitCodes } from "../src/exit-codes.ts";
import { definitionOf, settingNames } from "../src/settings/table.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const settingsPage = readFileSync(new URL("../docs/settings.md", import.meta.url), "utf8");

/** The rows of the table below a heading of a page, cell by cell. */
function tableBelow(page: string, heading: string): readonly (readonly string[])[] {
  const section = page.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const code = (text: string): string => `\`${text}\``;

test("the two commands stand on lines of their own", () => {
  const lines = readme.split("\n").map((line) => line.trim());
  expect(lines).toContain("npm ci && npm start");
  expect(lines).toContain("npm ci && npm test");
});

test("the table of exit codes is the program's, and says what to do", () => {
  const rows = tableBelow(readme, "Exit codes");
  expect(rows.map((row) => row.slice(0, 2))).toEqual(exitCodes.map((row) => [String(row.code), row.meaning]));
  expect(rows.filter(([, , advice]) => !advice)).toEqual([]);
});

test("the code that counts of several is the program's", () => {
  const kinds = Object.keys(exitCodeOf) as ReadonlyArray<keyof typeof exitCodeOf>;
  const before = (one: (typeof kinds)[number], other: (typeof kinds)[number]) =>
    combinedExitCode([one, other]) === exitCodeOf[one] ? -1 : 1;
  const failures = kinds.filter((kind) => kind !== "accepted").toSorted(before);
  const codes = failures.map((kind) => String(exitCodeOf[kind]));
  const promises = readFileSync(new URL("../docs/promises.md", import.meta.url), "utf8");
  for (const page of [readme, promises]) {
    expect(page).toContain(`the first of ${codes.slice(0, -1).join(", ")} and ${codes.at(-1)} `);
    expect(page).toContain(`Only ${exitCodeOf.rejected} blames a credential`);
  }
});

test("the table of settings is the program's", () => {
  const expected = settingNames.map((name) => {
    const { flag, variables, fallback } = definitionOf(name);
    return [
      flag === undefined ? "" : code(flag),
      variables.map(code).join(", "),
      code(name),
      fallback === undefined ? "" : code(fallback),
    ];
  });
  expect(tableBelow(settingsPage, "All settings").map((row) => row.slice(1))).toEqual(expected);
});

test("the newest section of the changelog is the package's version, or not released yet", () => {
  const [changelog, manifest] = ["CHANGELOG.md", "package.json"].map((file) =>
    readFileSync(new URL(`../${file}`, import.meta.url), "utf8"),
  );
  const { version } = JSON.parse(manifest as string);
  const [heading, named] = /^## ([\w.-]+).*$/m.exec(changelog as string) ?? [];
  expect(["Unreleased", version]).toContain(named);
  if (named === version) expect(heading).toMatch(/^## \S+ - \d{4}-\d\d-\d\d$/);
});

test("the images in the pages have the package's version", () => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const folder = new URL("../docs/", import.meta.url);
  const pages = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"));
  const tags = [...pages.join("").matchAll(/\/referral-auth:([\w.-]+)/g)].map(([, tag]) => tag);
  expect(tags.length).toBeGreaterThan(2);
  expect(new Set(tags)).toEqual(new Set([version]));
});

test("every file that the pages name exists", () => {
  const root = new URL("../", import.meta.url);
  const docs = readdirSync(new URL("docs", root)).map((name) => `docs/${name}`);
  const pages = ["README.md", "CONTRIBUTING.md", ...docs].map((page) =>
    readFileSync(new URL(page, root), "utf8"),
  );
  const named = pages.flatMap((page) => [
    ...page.matchAll(/[`\s]((?:\.ci|bin|docs|examples|schema|scripts|src|test)\/[\w./-]*)/g),
  ]);
  const files = [...new Set(named.map(([, file]) => file as string))];

  expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
  expect(files.length).toBeGreaterThan(25);
});

test("the map of CONTRIBUTING names the folders of tests that no folder of src has", () => {
  const foldersOf = (folder: string) =>
    readdirSync(new URL(`../${folder}/`, import.meta.url), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  const sources = [...foldersOf("src"), "support"];
  const more = foldersOf("test").filter((name) => !sources.includes(name));

  const page = readFileSync(new URL("../CONTRIBUTING.md", import.meta.url), "utf8");
  expect(page).toContain(`test/                mirrors src/, plus ${more.sort().join(", ")}\n`);
});
