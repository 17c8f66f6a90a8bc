import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emulate } from "../../support/emulate.ts";
import { folderWith } from "../../support/folder.ts";
import { leaks, planted } from "../../support/planted.ts";
import { runAsChild } from "../../support/run.ts";

const crlf = (...lines: readonly string[]): string => lines.map((line) => `${line}\r\n`).join("");
const secret = crlf(planted.token);

/** A path of this machine as Windows writes it: wine shows the root folder as the drive Z. */
const windowsPath = (path: string): string => `Z:${path.replaceAll("/", "\\")}`;

const byCmd = ["cmd", "/d", "/c", "job.cmd"];
const username = expect.stringMatching(/^emulator-[0-9a-f]+@example\.com\r?\n$/);
// STATUS_CONTROL_C_EXIT
const controlC = `exit ${0xc000013a | 0}`;
const alone = [".\\job.cmd"];

test.each([
  ["as its command did, with the variables", "echo %REFERRAL_USERNAME%&exit /b 7", byCmd, 7, username, /^$/],
  ["as the batch file that cmd starts", "echo got %1&exit /b 5", [...byCmd, "word"], 5, "got word\r\n", /^$/],
  ["126 where cmd was left out", "", alone, 126, "", /cmd \/c \.\\job\.cmd/],
  ["130 for a command that Ctrl-C ended", controlC, byCmd, 130, "", /^$/],
  ["127 where there is none", "", ["no-such"], 127, "", /"no-such"/],
])("the emulator exits %s", async (_, job, command, exitCode, stdout, stderr) => {
  const workingFolder = folderWith({ "job.cmd": crlf("@echo off", job) });
  const run = await runAsChild(["emulator", "--", ...command], { workingFolder });
  expect(run).toMatchObject({ exitCode, stdout, stderr: expect.stringMatching(stderr) });
});

test("a secret comes by a pipe, and the result goes into one", async () => {
  const line = `type token.txt | "%GIVEN_PROGRAM%" header --token --token-file - | find "X-Auth"`;
  // No planted one: the command prints it.
  const workingFolder = folderWith({ "token.txt": crlf("a-token"), "job.cmd": crlf("@echo off", line) });
  const run = await runAsChild(["emulator", ...byCmd], { workingFolder });
  expect(run.stdout.trim()).toBe("X-Auth-Token: a-token");
});

describe("an rc file with CRLF", () => {
  test.each([
    ["of the home folder", ".referralrc"],
    ["of %APPDATA%", "AppData/Roaming/referral/config.yaml"],
  ])("%s is used and named as Windows names it", async (_, file) => {
    const api = await emulate();
    const homeFolder = folderWith({ [file]: crlf(`baseUrl: ${api.url}`, `token: "${planted.token}"`) });

    expect(await runAsChild(["test"], { homeFolder })).toMatchObject({ exitCode: 0, stderr: "" });
    expect(api.log).toHaveLength(1);

    const { stdout } = await runAsChild(["config", "--json"], { homeFolder });
    const rc = { file: windowsPath(join(homeFolder, file)), trust: "yours" };
    expect(JSON.parse(stdout)).toMatchObject({ rc });
    expect(leaks(stdout)).toEqual([]);
  });

  test("is found from a folder beneath it, and a credential of the environment may not travel to its host", async () => {
    const tree = folderWith({ ".referralrc": crlf("baseUrl: https://foreign.example"), "a/b/file": "" });
    const environment = { REFERRAL_TOKEN: planted.token };
    const { stdout } = await runAsChild(["config", "--json"], {
      workingFolder: join(tree, "a/b"),
      environment,
    });

    expect(JSON.parse(stdout)).toMatchObject({
      rc: { file: windowsPath(join(tree, ".referralrc")), trust: "found" },
      credentials: [{ name: "token", mayTravel: false }],
    });
  });

  test.each([
    ["beside it", ".\\token.txt", 0],
    ["above it", "..\\token.txt", 3],
    ["on the same drive", "\\token.txt", 3],
    ["on another drive", "C:\\windows\\win.ini", 3],
    ["on another drive, from its working folder", "C:token.txt", 3],
    ["on a server", "\\\\localhost\\share\\token.txt", 3],
  ])("in a checkout may name a file %s: `header` with %s exits %i", async (_, tokenFile, exitCode) => {
    const rc = crlf(`tokenFile: '${tokenFile}'`);
    const folder = folderWith({ "token.txt": secret, "tree/token.txt": secret, "tree/.referralrc": rc });
    const run = await runAsChild(["header", "--token"], { workingFolder: join(folder, "tree") });
    expect(run.exitCode, run.everything).toBe(exitCode);
    expect(run.stdout).toBe(exitCode === 0 ? `X-Auth-Token: ${planted.token}\n` : "");
  });
});

test("a token comes from a file with CRLF and a report replaces a file, both by paths of Windows", async () => {
  const api = await emulate();
  const folder = folderWith({ "token.txt": secret, "report.xml": "before" });
  const [token, report] = [join(folder, "token.txt"), join(folder, "report.xml")].map(windowsPath);
  const args = [`--token-file=${token}`, `--junit=${report}`, `--base-url=${api.url}`];
  expect(await runAsChild(["test", "--quiet", ...args])).toMatchObject({ exitCode: 0, everything: "" });
  expect(readFileSync(join(folder, "report.xml"), "utf8")).toContain('tests="1" failures="0"');
});
