import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runAsChild } from "../support/run.ts";

/** A path of this machine as Windows writes it: wine shows the root folder as the drive Z. */
const windowsPath = (path: string): string => `Z:${path.replaceAll("/", "\\")}`;

const roaming = "AppData/Roaming/referral";
const rcOf = (lines: readonly string[]): string => lines.map((line) => `${line}\r\n`).join("");
const token = `token: "${planted.token}"`;

describe("an rc file with CRLF", () => {
  test.each([
    ["of the home folder", ".referralrc"],
    ["of %APPDATA%", `${roaming}/config.yaml`],
  ])("%s is used and named as Windows names it", async (_, file) => {
    const api = await emulate();
    const homeFolder = folderWith({ [file]: rcOf([`baseUrl: ${api.url}`, token]) });

    expect(await runAsChild(["test"], { homeFolder })).toMatchObject({ exitCode: 0, stderr: "" });
    expect(api.log).toHaveLength(1);

    const { stdout } = await runAsChild(["config", "--json"], { homeFolder });
    const shown = JSON.parse(stdout);
    expect(shown.rc).toMatchObject({ file: windowsPath(join(homeFolder, file)), trust: "yours" });
    expect(leaks(stdout)).toEqual([]);
  });

  test("is found from a folder beneath it, and a credential of the environment may not travel to its host", async () => {
    const tree = folderWith({ ".referralrc": rcOf(["baseUrl: https://foreign.example"]), "a/b/file": "" });

    const { stdout } = await runAsChild(["config", "--json"], {
      workingFolder: join(tree, "a/b"),
      environment: { REFERRAL_TOKEN: planted.token },
    });

    const shown = JSON.parse(stdout);
    expect(shown.rc).toMatchObject({ file: windowsPath(join(tree, ".referralrc")), trust: "found" });
    expect(shown.credentials).toEqual([expect.objectContaining({ name: "token", mayTravel: false })]);
  });

  test("names the line of a mistake", async () => {
    const homeFolder = folderWith({ ".referralrc": rcOf(["timeout: 5", "tokn: x"]) });
    const { exitCode, stderr } = await runAsChild(["config"], { homeFolder });
    expect(exitCode).toBe(3);
    expect(stderr.replace(/\s+/g, " ")).toMatch(/\.referralrc.*line 2/);
  });

  test.each([
    ["beside it", ".\\token.txt", 0],
    ["above it", "..\\token.txt", 3],
    ["on the same drive", "\\token.txt", 3],
    ["on another drive", "C:\\windows\\win.ini", 3],
    ["on another drive, from its working folder", "C:token.txt", 3],
    ["on a server", "\\\\localhost\\share\\token.txt", 3],
  ])("in a checkout may name a file %s: exit code of `config` is %s, %i", async (_, tokenFile, exitCode) => {
    const folder = folderWith({
      "token.txt": `${planted.token}\r\n`,
      "tree/token.txt": `${planted.token}\r\n`,
      "tree/.referralrc": rcOf([`tokenFile: '${tokenFile}'`]),
    });
    const run = await runAsChild(["header", "--token"], { workingFolder: join(folder, "tree") });
    expect(run.exitCode, run.everything).toBe(exitCode);
    expect(run.stdout).toBe(exitCode === 0 ? `X-Auth-Token: ${planted.token}\n` : "");
  });
});

test("a token in a file with CRLF loses that line end alone", async () => {
  const api = await emulate();
  const file = join(folderWith({ "token.txt": `${planted.token}\r\n` }), "token.txt");
  const run = await runAsChild(["test", "--token-file", windowsPath(file), "--base-url", api.url]);
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
});

test("--junit replaces a file, by a path of Windows", async () => {
  const api = await emulate();
  const file = join(folderWith({ "report.xml": "before" }), "report.xml");
  const run = await runAsChild(["test", "--quiet", "--junit", windowsPath(file)], {
    environment: { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: planted.token },
  });
  expect(run).toMatchObject({ exitCode: 0, everything: "" });
  expect(readFileSync(file, "utf8")).toContain('tests="1" failures="0"');
});
