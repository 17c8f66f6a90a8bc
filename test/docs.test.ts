import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { headlineIds } from "../src/check/outcome.ts";
import { requestLimit } from "../src/check/request-limit.ts";
import { exitCodeOf } from "../src/exit-codes.ts";
import { checkerFields } from "../src/library/options.ts";
import { conventionNames, hashNames } from "../src/wsse/digest.ts";

const root = new URL("../", import.meta.url);
const textOf = (file: string): string => readFileSync(new URL(file, root), "utf8");
const pages = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
  ...readdirSync(new URL("docs", root)).map((name) => `docs/${name}`),
];

/** The anchors that GitHub gives a page's headings. */
const anchorsOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );

test.each(pages)("every link of %s leads to a file and a heading that exist", (page) => {
  const targets = [...textOf(page).matchAll(/\]\((?!https:)([^)#]*)(?:#([^)]*))?\)/g)];
  const dead = targets.filter(([, path = "", anchor]) => {
    const url = new URL(path || page.replace(/.*\//, ""), new URL(page, root));
    if (!existsSync(url)) return true;
    return anchor !== undefined && !anchorsOf(url.href.slice(root.href.length)).includes(anchor);
  });
  expect(dead.map(([link]) => link)).toEqual([]);
});

test("the README has 150 lines at most, and links every page of docs", () => {
  const readme = textOf("README.md");
  expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  for (const page of pages.filter((name) => name.startsWith("docs/"))) expect(readme).toContain(`](${page})`);
});

test("docs/diagnosis.md explains every finding of src/check/outcome.ts, and no other", () => {
  const declared = textOf("src/check/outcome.ts")
    .split("export type RuleId")[1]
    ?.split("/** The id of the finding that says what the headline says")[0];
  const ids = [
    ...[...(declared ?? "").matchAll(/"([\w-]+)"/g)].map(([, id]) => id),
    ...Object.values(headlineIds),
  ];
  const explained = [
    ...(textOf("docs/diagnosis.md")
      .split("## Findings")[1]
      ?.matchAll(/^\| `([\w-]+)` \|/gm) ?? []),
  ];

  expect(ids.length).toBeGreaterThan(40);
  expect(explained.map(([, id]) => id).toSorted()).toEqual(ids.toSorted());
});

test("docs/diagnosis.md promises as many requests as a diagnosis makes", () => {
  expect(textOf("docs/diagnosis.md")).toContain(`at most ${requestLimit} further requests`);
});

test("docs/promises.md has the code of every outcome", () => {
  const rows = [...textOf("docs/promises.md").matchAll(/^\| `([\w-]+)` \| (\d) \|$/gm)];
  const promised = Object.fromEntries(rows.map(([, outcome, code]) => [outcome, Number(code)]));
  expect(promised).toEqual(exitCodeOf);
});

test("docs/wsse.md has every digest convention, and every hash", () => {
  const page = textOf("docs/wsse.md");
  const [table = ""] = page.split("## The conventions")[1]?.split("\n`+` joins") ?? [];
  const rows = [...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name);
  expect(rows.filter((name) => name !== "--digest")).toEqual(conventionNames);
  for (const name of hashNames) expect(page).toContain(`\`${name}\``);
});

test("docs/library.md has every option of a checker, and no other", () => {
  const [, table = ""] = textOf("docs/library.md").split("| option of a checker | meaning |");
  const [rows = ""] = table.split("\n\n");
  expect([...rows.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual(checkerFields);
});
