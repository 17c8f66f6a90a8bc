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

/** The headings of a file's sections, in order. */
export const headingsOf = (file: string): readonly string[] =>
  [...textOf(file).matchAll(/^## (.*)$/gm)].map(([, heading = ""]) => heading);

/** The commands of an indented block, as they are typed: without the remarks behind them. */
export const typed = ({ text }: Block): readonly string[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/ {2,}# .*$/, "").trim());

/** The commands in the first column of a page's tables. */
export function tabledCommands(page: string): readonly string[] {
  return [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, command = ""]) => command);
}

/** The commands of a step of `.ci/run`. Throws where there is no function of that name, or no step that calls it. */
export function ciStep(name: string): string {
  const text = textOf(".ci/run");
  const body = new RegExp(`^${name}\\(\\) \\{(?: (.*); \\}|\\n([\\s\\S]*?)^\\})$`, "m").exec(text);
  const called = new RegExp(`^(?:for .* do )?step "[^"]*" ${name}\\b`, "m").test(text);
  if (body === null || !called) throw new Error(`.ci/run has no step ${name}`);
  return body[1] ?? body[2] ?? "";
}
