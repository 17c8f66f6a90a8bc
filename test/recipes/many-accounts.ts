import { textOf } from "./pages.ts";

/** The page about many accounts. */
export const page = textOf("docs/many-accounts.md");

/** The blocks of this language below a heading of the page. Throws if there is none. */
export function blocks(heading: string, language: string): readonly string[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const found = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, name]) => name === language);
  if (found.length === 0) throw new Error(`no ${language} below ${heading}`);
  return found.map(([, , text = ""]) => text);
}

/** The first such block. */
export const recipe = (heading: string, language = "bash"): string => blocks(heading, language)[0] ?? "";
