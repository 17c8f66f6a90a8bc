import { readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);

/** A file of the repository, as text. */
export const textOf = (file: string): string => readFileSync(new URL(file, root), "utf8");

/** A block of a page: what is indented or fenced as bash, and the heading above it. */
export interface Block {
  readonly heading: string;
  readonly lines: readonly string[];
  readonly fenced: boolean;
}

/** The blocks of a page, in order; those in other languages are left out. */
export function blocksOf(page: string): readonly Block[] {
  const pattern =
    /^#+ (?<heading>.*)$|^```(?<language>\w*)\n(?<fenced>[\s\S]*?)^```$|(?<indented>(?:^ {4}.*\n)+)/gm;
  let heading = "";
  return [...page.matchAll(pattern)].flatMap(({ groups = {} }) => {
    heading = groups.heading ?? heading;
    const text = groups.language === "bash" ? groups.fenced : groups.indented;
    if (text === undefined) return [];
    return [{ heading, lines: text.trimEnd().split("\n"), fenced: groups.language === "bash" }];
  });
}

/** A line of an indented block as it is typed: without the remark behind it. */
export const typed = (line: string): string => line.replace(/ {2,}# .*$/, "").trim();

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
