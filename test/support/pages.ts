import { readdirSync, readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);

/** A file of the repository, as text. */
export const textOf = (file: string): string => readFileSync(new URL(file, root), "utf8");

const docs = readdirSync(new URL("docs", root)).map((name) => `docs/${name}`);

/** All pages. */
export const pages: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...docs,
];

/** The pages for users. */
export const userPages: readonly string[] = ["README.md", ...docs];

/** The rows of the first table below a heading of a page, cell by cell. */
export function tableBelow(heading: string, file: string): readonly (readonly string[])[] {
  const section = textOf(file).split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  const cells = (row: string): readonly string[] => row.split("|").slice(1, -1);
  return rows.slice(2).map((row) => cells(row).map((cell) => cell.trim()));
}

/** The ids of findings that the schema of results lists. */
export const findingIds = (): readonly string[] =>
  JSON.parse(textOf("schema/result.schema.json")).$defs.check.properties.findings.items.properties.id
    .examples;

/** A block of a page, and the heading above it. The language is empty for an indented block, which holds commands. */
export interface Block {
  readonly heading: string;
  readonly language: string;
  readonly text: string;
}

/** The blocks of a file, in order. */
export function blocksOf(file: string): readonly Block[] {
  const pattern =
    /^#+ (?<heading>.*)$|^```(?<language>\w*)\n(?<fenced>[\s\S]*?)^```$|(?<indented>(?:^ {4}.*\n)+)/gm;
  let heading = "";
  return [...textOf(file).matchAll(pattern)].flatMap(({ groups = {} }) => {
    heading = groups.heading ?? heading;
    const text = groups.fenced ?? groups.indented;
    return text === undefined ? [] : [{ heading, language: groups.language ?? "", text }];
  });
}

/** The blocks of this language below a heading of the file. Throws if there is none. */
export function recipes(file: string, heading: string, language: string): readonly string[] {
  const found = blocksOf(file).filter((block) => block.heading === heading && block.language === language);
  if (found.length === 0) throw new Error(`no ${language} below ${heading} of ${file}`);
  return found.map(({ text }) => text);
}

/** The first such block. */
export const recipe = (file: string, heading: string, language: string): string =>
  recipes(file, heading, language)[0] ?? "";
