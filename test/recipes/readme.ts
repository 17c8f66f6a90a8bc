import { readFileSync } from "node:fs";

const { RECIPES } = process.env;
const page = readFileSync(RECIPES ?? new URL("../../README.md", import.meta.url), "utf8");
const section = page.split("## Recipes\n")[1]?.split(/\n## /)[0] ?? "";

/** The one code block below a heading of the recipes, as it stands there. Throws where there is none, or several. */
export function recipe(heading: string, language: "bash" | "yaml"): string {
  const text = section.split(`\n### ${heading}\n`)[1]?.split("\n### ")[0] ?? "";
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const [block] = blocks;
  if (blocks.length !== 1 || block?.[1] !== language || block[2] === undefined) {
    throw new Error(
      `"${heading}" of the recipes has not one block of ${language}, but ${blocks.length} blocks`,
    );
  }
  return block[2];
}

/** The headings of the recipes, in order. */
export const headings: readonly string[] = [...section.matchAll(/^### (.*)$/gm)].map(
  ([, heading = ""]) => heading,
);
