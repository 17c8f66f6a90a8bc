import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scripts } from "../../src/completion/scripts.ts";
import { shells } from "../../src/completion/shell.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { ways } from "../support/run.ts";

const profiles = (...names: readonly string[]): string =>
  JSON.stringify({ token: planted.token, profiles: Object.fromEntries(names.map((name) => [name, {}])) });

describe.each(ways)("completion, %s,", (_, run) => {
  test.each(shells)("prints the script of %s", async (shell) => {
    expect(await run(["completion", shell])).toMatchObject({
      exitCode: 0,
      stdout: scripts[shell],
      stderr: "",
    });
  });

  test.each([
    [["completion"], "The argument <shell> is missing"],
    [["completion", "tcsh"], "There is no completion for this shell"],
  ])("%j is wrong usage", async (args, message) => {
    const result = await run(args);

    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    expect(result.stderr).toContain(message);
  });

  const ask = ["completion", "fish", "--", "test"];

  test("suggests the profiles of the found rc file, and prints no secret", async () => {
    const workingFolder = folderWith({ ".referralrc": profiles("live", "staging") });

    const result = await run([...ask, "--profile", ""], { workingFolder });

    expect(result).toMatchObject({ exitCode: 0, stdout: "words\nlive\t\nstaging\t\n", stderr: "" });
    expect(leaks(result.everything)).toEqual([]);
  });

  test("suggests those of the file of --config or REFERRAL_CONFIG; --config counts first", async () => {
    const folder = folderWith({
      ".referralrc": profiles("found"),
      "a.json": profiles("a"),
      "b.json": profiles("b"),
      "home/c.json": profiles("c"),
    });
    const given = {
      workingFolder: folder,
      homeFolder: join(folder, "home"),
      environment: { REFERRAL_CONFIG: join(folder, "b.json") },
    };
    const asked = async (...words: readonly string[]): Promise<string> =>
      (await run([...ask, ...words, "--profile="], given)).stdout;

    expect(await asked()).toBe("words\n--profile=b\t\n");
    expect(await asked("--config", "a.json")).toBe("words\n--profile=a\t\n");
    expect(await asked("--config=~/c.json")).toBe("words\n--profile=c\t\n");
    expect(await asked("--no-config")).toBe("words\n");
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

  test("reads no file of a secret, no standard input and no other setting", async () => {
    const environment = {
      REFERRAL_TOKEN: planted.token,
      REFERRAL_TOKEN_FILE: "/dev/stdin",
      REFERRAL_SECRET_FILE: "missing",
      REFERRAL_TIMEOUT: "nonsense",
    };
    const workingFolder = folderWith({ ".referralrc": profiles("live") });

    const result = await run([...ask, "--secret-file", "-", "--profile", ""], {
      workingFolder,
      environment,
      stdin: planted.secret,
    });

    expect(result).toMatchObject({ exitCode: 0, stdout: "words\nlive\t\n", stderr: "" });
  });

  test("leaves out names that contain control characters", async () => {
    const workingFolder = folderWith({
      ".referralrc": profiles("a\nwords", "b\u001b[2J", "c\u202e", "d\te", "fine"),
    });

    const result = await run([...ask, "--profile", ""], { workingFolder });

    expect(result.stdout).toBe("words\nfine\t\n");
  });

  test("lets the shell complete files, and gives zsh the summaries after a colon", async () => {
    expect((await run([...ask, "--token-file", ""])).stdout).toBe("files\n");
    expect((await run(["completion", "zsh", "--", "header", "--"])).stdout).toMatch(/^--digest:\S.*$/m);
  });

  test("suggests flags after an unknown command", async () => {
    expect((await run(["completion", "fish", "--", "nonsense", ""])).stdout).toMatch(/^--version\t/m);
  });

  test("quotes names for each shell", async () => {
    const workingFolder = folderWith({ ".referralrc": profiles("eu:live $(x)") });
    const asked = async (shell: string, ...words: readonly string[]): Promise<string> =>
      (await run(["completion", shell, "--", ...words], { workingFolder })).stdout;

    expect(await asked("fish", "test", "--profile", "")).toBe("words\neu:live $(x)\t\n");
    expect(await asked("zsh", "test", "--profile", "")).toBe("words\neu\\:live $(x)\n");
    expect(await asked("bash", "referral-auth test --profile ", "")).toBe("words\neu:live\\ \\$\\(x\\)\n");
    expect(await asked("bash", "referral-auth test --profile=eu:l", "l")).toBe("words\nlive\\ \\$\\(x\\)\n");
    expect(await asked("bash", "referral-auth te", "other")).toBe("words\ntest\n");
    expect(await asked("bash", "referral-auth test --profile x", "x")).toBe("words\n");
  });
});
