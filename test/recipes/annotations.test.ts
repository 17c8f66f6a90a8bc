import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { folderWith } from "../support/folder.ts";
import { type Run, runAsChild } from "../support/run.ts";
import { json, serve } from "../support/serve.ts";
import { holdsOldCommand, parseCommand } from "./workflow-commands.ts";

const attack = "a,file=b:100%25|\r\n::warning file=c::x\n##[error]y <img src=x> [z](http://e.example)";
/** What is left of it: one line, in which nothing is a command, and nothing else is changed. */
const printable =
  "a,file=b:100%25|\\r\\n\\x3a:warning file=c\\x3a:x\\n\\x23#[error]y <img src=x> [z](http://e.example)";

/** A run in GitHub's runner over two accounts that an API refuses with the attack in its answer. */
async function runInGitHub(): Promise<Run & { readonly summary: string }> {
  const api = await serve((_, response) => json(response, 401, { code: 401, message: attack }));
  const profiles = { [attack]: { token: "one" }, "plain 100%": { token: "two" } };
  const folder = folderWith({ rc: stringify({ baseUrl: api.url, profiles }), summary: "earlier step\n" });
  const run = await runAsChild(["test", "--all", "--config", "rc", "--verbose"], {
    workingFolder: folder,
    environment: { GITHUB_ACTIONS: "true", CI: "true", GITHUB_STEP_SUMMARY: join(folder, "summary") },
  });
  return { ...run, summary: readFileSync(join(folder, "summary"), "utf8") };
}

test("the runner reads one error for each refused account and no other command, whatever names and answers say", async () => {
  const run = await runInGitHub();
  const lines = run.everything.split(/\r\n|\r|\n/);
  const commands = lines.map(parseCommand).filter((command) => command !== null);

  expect(run.exitCode).toBe(4);
  expect(commands.map(({ name, properties }) => ({ name, properties }))).toEqual([
    { name: "error", properties: { title: `referral-auth ${printable} token` } },
    { name: "error", properties: { title: "referral-auth plain 100% token" } },
  ]);
  for (const { data } of commands) expect(data).toMatch(/refused|rejected/);
  expect(lines.filter(holdsOldCommand)).toEqual([]);
});

test("the job summary is added to what is there, as a table whose cells hold names and answers as text", async () => {
  const { summary } = await runInGitHub();
  const rows = summary.split("\n").filter((line) => line.startsWith("|"));
  // GitHub Flavored Markdown: every `|` that no backslash precedes ends a cell.
  const cells = rows.map((row) => row.split(/(?<!\\)\|/).slice(1, -1));
  const text = (cell = ""): string =>
    cell.trim().replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

  expect(summary).toMatch(/^earlier step\n### referral-auth: 0 accepted, 2 rejected\n\n/);
  expect(cells.map((row) => row.length)).toEqual([6, 6, 6, 6]);
  expect(cells.slice(2).map(([name]) => text(name))).toEqual([printable, "plain 100%"]);
  expect(rows.slice(2).join("")).not.toMatch(/[<>[\]]|https?:/);
  expect(summary.length).toBeLessThan(1024 * 1024);
});
