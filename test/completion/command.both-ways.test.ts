import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scripts, shells } from "../../src/completion/scripts.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { ways } from "../support/run.ts";

const profiles = (...names: readonly string[]): string =>
  JSON.stringify({ token: planted.token, profiles: Object.fromEntries(names.map((name) => [name, {}])) });

describe.each(ways)("completion, %s,", (_, run) => {
  test.each(shells)("prints the script of %s", async (shell) => {
    const expected = { exitCode: 0, stdout: scripts[shell], stderr: "" };
    expect(await run(["completion", shell])).toMatchObject(expected);
  });

  const ask = ["completion", "fish", "--", "test"];

  test("suggests the profiles of the found rc file, whatever else is set, and prints no secret", async () => {
    const odd = ["a\nwords", "b\u001b[2J", "c\u202e", "d\te"];
    const given = {
      workingFolder: folderWith({ ".referralrc": profiles("live", ...odd, "staging") }),
      environment: { REFERRAL_TOKEN_FILE: "/dev/stdin", REFERRAL_SECRET_FILE: "no", REFERRAL_TIMEOUT: "no" },
      stdin: planted.secret,
    };
    const result = await run([...ask, "--secret-file", "-", "--profile", ""], given);
    // Names with control characters are left out.
    expect(result).toMatchObject({ exitCode: 0, stdout: "words\nlive\t\nstaging\t\n", stderr: "" });
  });

  test.each([
    [[], "words\n--profile=b\t\n"],
    [["--config", "a.json"], "words\n--profile=a\t\n"],
    [["--config=~/c.json"], "words\n--profile=c\t\n"],
    [["--no-config"], "words\n"],
  ])("with REFERRAL_CONFIG and %j, suggests the profiles of the file that counts", async (words, stdout) => {
    const named = { "a.json": profiles("a"), "b.json": profiles("b"), "home/c.json": profiles("c") };
    const workingFolder = folderWith({ ".referralrc": profiles("found"), ...named });
    const environment = { REFERRAL_CONFIG: join(workingFolder, "b.json") };
    const given = { workingFolder, homeFolder: join(workingFolder, "home"), environment };
    expect((await run([...ask, ...words, "--profile="], given)).stdout).toBe(stdout);
  });

  test.each([
    ["is missing", {}],
    ["is broken", { "rc.yaml": `profiles:\n  a: {}\n a: ${planted.secret}` }],
    ["has an unknown key", { "rc.yaml": `tokn: ${planted.secret}\nprofiles: { a: {} }` }],
    ["has no profiles", { "rc.yaml": `token: ${planted.secret}` }],
  ])("suggests nothing and reports no error if the rc file %s", async (_name, files) => {
    const workingFolder = folderWith(files);
    const result = await run([...ask, "--config", "rc.yaml", "--profile", ""], { workingFolder });
    expect(result).toMatchObject({ exitCode: 0, stdout: "words\n", stderr: "" });
  });

  test.each([
    ["lets the shell complete files", ["fish", "--", "test", "--token-file", ""], /^files\n$/],
    ["gives zsh the summaries after a colon", ["zsh", "--", "header", "--"], /^--digest:\S.*$/m],
    ["suggests flags after an unknown command", ["fish", "--", "nonsense", ""], /^--version\t/m],
  ])("%s", async (_title, words, expected) => {
    expect((await run(["completion", ...words])).stdout).toMatch(expected);
  });

  test.each([
    [["fish", "--", "test", "--profile", ""], "eu:live $(x)\t\nit's b\t\n"],
    [["zsh", "--", "test", "--profile", ""], "eu\\:live $(x)\nit's b\n"],
    [["bash", "--", "referral-auth test --profile ", ""], "eu:live\\ \\$\\(x\\)\nit\\'s\\ b\n"],
    [["bash", "--", "referral-auth test --profile=eu:l", "l"], "live\\ \\$\\(x\\)\n"],
    [["bash", "--", "referral-auth  te", "te"], "test\n"],
    [["bash", "--", "referral-auth test --profile x", "x"], ""],
    [["bash", "--", "referral-auth test --profile 'e", "e"], ""],
    [["bash", "--", "referral-auth test --profile it's", "it's"], ""],
    [["bash", "--", "referral-auth test --profile eu:live\\ ", "eu:live\\ "], ""],
  ])("quotes names for the shell: %j", async (words, lines) => {
    const workingFolder = folderWith({ ".referralrc": profiles("eu:live $(x)", "it's b") });
    expect((await run(["completion", ...words], { workingFolder })).stdout).toBe(`words\n${lines}`);
  });
});
