import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { requestLimit } from "../src/check/changes.ts";
import { outcomes } from "../src/check/outcome.ts";
import { optionRows } from "../src/emulator/options.ts";
import { exitCodeOf, exitCodes } from "../src/exit-codes.ts";
import { checkerFields } from "../src/library/checker-options.ts";
import { definitionOf, keyOf, settingNames } from "../src/settings/table.ts";
import { conventionNames, hashNames } from "../src/wsse/digest.ts";
import { findingIds, pages, recipe, tableBelow, textOf, userPages } from "./support/pages.ts";
import { runInProcess } from "./support/run.ts";

const root = new URL("../", import.meta.url);
const json = (file: string) => JSON.parse(textOf(file));
const exists = (file: string): boolean => existsSync(new URL(file, root));
const docs = userPages.filter((page) => page.startsWith("docs/"));
const readme = textOf("README.md");
const code = (text: string | undefined): string => (text === undefined ? "" : `\`${text}\``);

/** What this pattern captures in a text, at each place. */
const captured = (text: string | undefined, pattern: RegExp): readonly string[] =>
  [...(text ?? "").matchAll(pattern)].map(([, found = ""]) => found);

/** The anchors that GitHub gives a page's headings. */
const anchorsOf = (page: string): readonly string[] =>
  captured(textOf(page), /^#+ (.*)$/gm).map((heading) =>
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

/** The lines of a file that are comments. */
const commentsOf = (file: string): string =>
  (textOf(file).match(/^\s*(?:\/\/|\/?\*|#).*$/gm) ?? []).join("\n");

test("every file that the pages and the comments of the code name exists", () => {
  const path = /[`\s]((?:\.ci|\.github|bin|docs|examples|schema|scripts|src|test)\/[\w./-]*\w)/g;
  const below = ["bin", "examples", "scripts", "src", "test"].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" }).map(
      (name) => `${folder}/${name}`,
    ),
  );
  const sources = [".ci/run", "vitest.config.ts", ...below.filter((file) => /\.[cm]?[jt]s$/.test(file))];
  const named = [...pages.map(textOf), ...sources.map(commentsOf)].flatMap((text) => captured(text, path));
  expect(named.filter((file) => !exists(file))).toEqual([]);
  expect(new Set(named).size).toBeGreaterThan(60);
});

test("the README links every page of docs, and has the two commands on lines of their own", () => {
  const lines = readme.trimEnd().split("\n");
  expect(docs.filter((page) => !readme.includes(`](${page}`))).toEqual([]);
  for (const last of ["start", "test"]) expect(lines).toContain(`    npm ci && npm ${last}`);
});

test("the table of exit codes is the program's, and says what to do", () => {
  const rows = tableBelow("Exit codes", "README.md");
  expect(rows.map((row) => row.slice(0, 2))).toEqual(exitCodes.map((row) => [String(row.code), row.meaning]));
  expect(rows.filter(([, , advice]) => !advice)).toEqual([]);
});

test("docs/promises.md says which code of several counts, and the README which one blames a credential", () => {
  const codes = Object.values(outcomes).flatMap(({ code }) => (code === 0 ? [] : code));
  const listed = `${codes.slice(0, -1).join(", ")} and ${codes.at(-1)}`;
  expect(textOf("docs/promises.md")).toContain(`the first of ${listed} that occurred counts`);
  for (const page of ["README.md", "docs/promises.md"])
    expect(textOf(page)).toContain(`Only ${exitCodeOf.rejected} blames a credential`);
});

test("docs/promises.md has the code of every outcome", () => {
  const [, list = ""] = textOf("docs/promises.md").split("By outcome: ");
  const rows = list.split("\n\n", 1)[0]?.matchAll(/`([\w-]+)` (\d)[,.]/g) ?? [];
  const promised = Object.fromEntries([...rows].map(([, outcome, code]) => [outcome, Number(code)]));
  expect(promised).toEqual(exitCodeOf);
});

test("the table of settings is the program's", () => {
  const expected = settingNames.map((name) => {
    const { flag, variables, fallback } = definitionOf(name);
    return [code(keyOf(name)), code(flag), variables.map(code).join(", "), code(fallback)];
  });
  expect(tableBelow("All settings", "docs/settings.md")).toEqual(expected);
});

test("the schema lists the id of every finding; docs/diagnosis.md has the limit of a diagnosis", () => {
  const [, declared = ""] = textOf("src/check/result.ts").split("const explaining = [");
  const [ruleIds] = declared.split("] as const");
  const headlines = Object.values(outcomes).flatMap(({ finding }) => finding ?? []);
  const ids = [...captured(ruleIds, /"([\w-]+)"/g), ...headlines, "not-diagnosed"];
  expect(ids.length).toBeLessThanOrEqual(40);
  expect(findingIds()).toEqual(ids.toSorted());

  expect(textOf("docs/diagnosis.md")).toContain(`at most ${requestLimit} further requests`);
});

test("docs/wsse.md has every digest convention, and every hash", () => {
  const page = textOf("docs/wsse.md");
  const [table] = page.split("## The conventions")[1]?.split("\n`+` joins") ?? [];
  expect(captured(table, /^\| `([\w-]+)`/gm).filter((name) => name !== "--digest")).toEqual(conventionNames);
  for (const name of hashNames) expect(page).toContain(code(name));
});

test("docs/library.md has every option of a checker, and no other", () => {
  const [, table = ""] = textOf("docs/library.md").split("| option of a checker | meaning |");
  expect(captured(table.split("\n\n")[0], /^\| `(\w+)` \|/gm)).toEqual(checkerFields);
});

test("the options of docs/emulator.md are every flag, and every option of startEmulator", async () => {
  const block = recipe("docs/emulator.md", "Options", "ts");
  const { stdout: help } = await runInProcess(["emulator", "--help"]);
  const flags = [...help.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, flag]) => flag);
  const options = optionRows.map(([name]) => name);
  const flagsOfOptions = optionRows.flatMap(([, { flag }]) => flag?.split(" ", 1) ?? []);
  expect(flagsOfOptions.length).toBeGreaterThan(10);
  expect(flags).toEqual(expect.arrayContaining(flagsOfOptions));
  expect(captured(block, /^ {2}(\w+)\?:/gm)).toEqual(expect.arrayContaining(options));
  for (const flag of flags) expect(textOf("docs/emulator.md")).toContain(flag);
});

test("images, tarballs and results in the pages have the package's version; the changelog's newest section has it, or is not released yet", () => {
  const { version } = json("package.json");
  const number = /(?:\/referral-auth:|referral-auth-(?=\d)|"version": ")(\d+\.\d+\.\d+(?:-\w+)?)/g;
  const tags = userPages.flatMap((page) => captured(textOf(page), number));
  expect(tags.length).toBeGreaterThan(4);
  expect(new Set(tags)).toEqual(new Set([version]));

  const [heading, named] = /^## ([\w.-]+).*$/m.exec(textOf("CHANGELOG.md")) ?? [];
  expect(["Unreleased", version]).toContain(named);
  if (named === version) expect(heading).toMatch(/^## \S+ - \d{4}-\d\d-\d\d$/);
});

test("the package has no dependencies and no install script, and those of the build are exact and locked", () => {
  const [manifest, lock] = [json("package.json"), json("package-lock.json")];
  const kinds = ["dependencies", "optionalDependencies", "peerDependencies", "bundleDependencies"];
  expect(kinds.filter((kind) => kind in manifest)).toEqual([]);
  // `prepare` runs in a checkout and where a package is installed from Git, and not for a package of a registry.
  const hooks = ["preinstall", "install", "postinstall", "preprepare", "postprepare", "prepack"];
  expect(hooks.filter((hook) => hook in manifest.scripts)).toEqual([]);
  for (const [name, version] of Object.entries(manifest.devDependencies)) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
    expect(lock.packages[`node_modules/${name}`]).toMatchObject({ version, integrity: expect.any(String) });
  }
});
