import { readdirSync, readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);

/** A file of the repository, as text. */
export const textOf = (file: string): string => readFileSync(new URL(file, root), "utf8");

/** The pages for users. */
export const userPages: readonly string[] = [
  "README.md",
  ...readdirSync(new URL("docs", root)).map((name) => `docs/${name}`),
];

/** A block of a page, and the heading above it. The language is empty for an indented block, which holds commands. */
interface Block {
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
