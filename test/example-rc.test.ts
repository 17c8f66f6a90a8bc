import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { definitionOf, settingNames } from "../src/settings/table.ts";
import { folderWith } from "./support/folder.ts";
import { runInProcess } from "./support/run.ts";
import { json, serve, success } from "./support/serve.ts";

const example = new URL("../.referralrc.example", import.meta.url);

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "referral-auth-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test("the example works when copied", async () => {
  const home = folder();
  copyFileSync(example, join(home, ".referralrc"));
  chmodSync(join(home, ".referralrc"), 0o644);

  const result = await runInProcess(["config", "--json"], { homeFolder: home });

  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(result.stdout).settings).toContainEqual(
    expect.objectContaining({ name: "baseUrl", value: "https://api.example.com/v1" }),
  );
});

test("every commented key of the example is one that the tool knows", async () => {
  const home = folder();
  const path = join(home, ".referralrc");
  // A secret, its file and its command exclude each other, so each of the three is tried.
  for (const kept of ["", "File", "Command"]) {
    const text = readFileSync(example, "utf8")
      .replace(/^# (?:token|secret)(File|Command|):.*$/gm, (line, kind) => (kind === kept ? line : ""))
      .replace(/^# {1,5}(?=[a-zA-Z]+:(?: |$))/gm, (mark) => mark.slice(2));
    writeFileSync(path, text, { mode: 0o600 });
    const result = await runInProcess(["config", "--json"], { homeFolder: home });
    expect(result.everything).not.toContain("unknown key");
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(result.stdout).settings).toContainEqual(
      expect.objectContaining({ name: "username", value: "me@example.com" }),
    );
  }
});

/** The example with this base URL and these commented lines in use. */
function exampleWith(baseUrl: string, ...lines: readonly string[]): string {
  const text = readFileSync(example, "utf8");
  for (const line of lines) expect(text.split("\n")).toContain(`# ${line}`);
  return lines
    .reduce((changed, line) => changed.replace(`# ${line}\n`, `${line}\n`), text)
    .replace(/^baseUrl: .*$/m, `baseUrl: ${baseUrl}`);
}

const tokenFile = "tokenFile: ./referral-token";
const token = 'token: "0123456789abcdef0123456789abcdef01234567"';
const fileToken = "fedcba9876543210fedcba9876543210fedcba98";

test.each([
  ["token in the home folder", "home", token, [], "token"],
  ["tokenFile in the home folder", "home", tokenFile, [], "file"],
  ["token in a project's folder", "project", token, [], "token"],
  ["tokenFile in a project's folder, which needs more", "project", tokenFile, [], null],
  ["tokenFile in a project's folder, with --base-url", "project", tokenFile, ["--base-url"], "file"],
  [
    "tokenFile in a project's folder, with --config",
    "project",
    tokenFile,
    ["--config", ".referralrc"],
    "file",
  ],
] as const)("the example says truly what works where: %s", async (_, place, line, args, arrives) => {
  const api = await serve((_request, response) => json(response, 200, success));
  const files = { ".referralrc": exampleWith(api.url, line), "referral-token": `${fileToken}\n` };
  const given = place === "home" ? { homeFolder: folderWith(files) } : { workingFolder: folderWith(files) };

  const run = await runInProcess(["test", ...args, ...(args[0] === "--base-url" ? [api.url] : [])], given);

  expect(run.exitCode, run.everything).toBe(arrives === null ? 3 : 0);
  const expected = { token: /\w{40}/.exec(token)?.[0], file: fileToken };
  expect(api.requests.map(({ headers }) => headers["x-auth-token"])).toEqual(
    arrives === null ? [] : [expected[arrives]],
  );
  if (arrives === null) {
    expect(run.stderr.replace(/\s+/g, " ")).toMatch(
      /give --base-url yourself, or .* --config \S+\.referralrc/,
    );
  }
});

test("every key of the settings is in the example, commented or not, and every choice is named", () => {
  const text = readFileSync(example, "utf8");
  const choices = settingNames.flatMap((name) => definitionOf(name).choices ?? []);
  const named = new Set(text.match(/[\w-]+/g));

  expect(settingNames.filter((key) => !new RegExp(`^(?:# )?${key}: `, "m").test(text))).toEqual([]);
  expect(choices.filter((choice) => !named.has(choice))).toEqual([]);
  expect(choices.length).toBeGreaterThan(5);
});
