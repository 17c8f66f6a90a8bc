import { expect, test } from "vitest";
import { pages, textOf } from "./recipes/pages.ts";

/** The most words of each page, outside fenced blocks. */
const limits: Readonly<Record<string, number>> = {
  "README.md": 950,
  "CONTRIBUTING.md": 1_100,
  "SECURITY.md": 900,
  "CHANGELOG.md": 400,
  "docs/benchmarks.md": 300,
  "docs/ci.md": 850,
  "docs/diagnosis.md": 1_250,
  "docs/emulator.md": 750,
  "docs/library.md": 550,
  "docs/maintaining.md": 350,
  "docs/many-accounts.md": 800,
  "docs/promises.md": 700,
  "docs/settings.md": 900,
  "docs/troubleshooting.md": 750,
  "docs/wsse.md": 650,
};
const most = 11_200;

/** How many words a text has outside fenced blocks: what has a letter or a digit, between white space. */
const wordsOf = (text: string): number =>
  text
    .replace(/^```[\s\S]*?^```$/gm, "")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

test("words are counted in tables, and neither in blocks nor in signs", () => {
  expect(wordsOf("# Two words\n\n| `a` | – |\n|---|---|\n\n```bash\nnone here\n```\n\nÄ 1\n")).toBe(5);
});

test("every page has a limit of words and keeps it", () => {
  const tooLong = pages.filter((page) => !(wordsOf(textOf(page)) <= (limits[page] ?? 0)));
  expect(tooLong.map((page) => `${page}: ${wordsOf(textOf(page))} of ${limits[page]}`)).toEqual([]);
  expect(Object.keys(limits).toSorted()).toEqual(pages.toSorted());
});

test(`all pages together have at most ${most} words`, () => {
  expect(pages.reduce((sum, page) => sum + wordsOf(textOf(page)), 0)).toBeLessThanOrEqual(most);
});
