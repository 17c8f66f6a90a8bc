import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess, ways } from "../support/run.ts";
import type { Served } from "../support/serve.ts";
import { accepting, print, script } from "./secret-commands.ts";

const tokensOf = ({ requests }: Served) => requests.map(({ headers }) => headers["x-auth-token"]);

describe.each(ways)("a command that prints the token, %s,", (_, run) => {
  test("gives the token, without one end of line, for `test` and `header` alike", async () => {
    const api = await accepting();
    const tokenCommand = script(`${print}; console.log()`);
    const homeFolder = folderWith({ ".referralrc": { baseUrl: api.url, tokenCommand } });

    const result = await run(["test"], { homeFolder });
    expect(result, result.everything).toMatchObject({ exitCode: 0, stderr: "" });
    expect(tokensOf(api)).toEqual([planted.token]);
    expect(leaks(result.everything)).toEqual([]);
    expect((await run(["header", "--token"], { homeFolder })).stdout).toBe(
      `X-Auth-Token: ${planted.token}\n`,
    );
  });

  test.each([
    ["does not exist", null, "could not be started (ENOENT)"],
    ["fails", `${print}; process.exitCode = 7`, "failed with exit code 7"],
    [
      "fails and prints a secret on standard error",
      `console.error(${JSON.stringify(planted.token)}); process.exit(1)`,
      "failed with exit code 1",
    ],
    ["prints nothing", "", "printed nothing; its exit code is 0"],
    ["prints an end of line", "console.log()", "printed nothing; its exit code is 0"],
    ["prints white space", `console.log(" " + ${JSON.stringify(planted.token)})`, "white space"],
    ["prints more than 64 KiB", `process.stdout.write("a".repeat(65_537))`, "printed more than 65536 bytes"],
    [
      "ends by a signal",
      `${print}; process.kill(process.pid, "SIGTERM"); setTimeout(() => {}, 5_000)`,
      "was ended by SIGTERM",
    ],
  ])(
    "that %s leaves its account not checked, and nothing of its output is shown",
    async (_name, text, message) => {
      const api = await accepting();
      const tokenCommand = text === null ? ["no-such-program"] : script(text);
      const profiles = { bad: { tokenCommand }, good: { token: planted.token } };
      const homeFolder = folderWith({ ".referralrc": { baseUrl: api.url, profiles } });

      const result = await run(["test", "--all", "--json"], { homeFolder });

      expect(result, result.everything).toMatchObject({ exitCode: 3, stderr: "" });
      const [bad, good] = JSON.parse(result.stdout).checks;
      expect(bad).toMatchObject({ profile: "bad", outcome: "not-checked" });
      expect(bad.findings[0].message).toContain(message);
      expect(good).toMatchObject({ profile: "good", outcome: "accepted" });
      expect(leaks(result.everything)).toEqual([]);
    },
  );

  test("is shown by `config` and not run", async () => {
    const tokenCommand = ["touch", "ran", "a b"];
    const homeFolder = folderWith({ ".referralrc": { baseUrl: "https://api.example", tokenCommand } });
    const result = await run(["config"], { homeFolder });
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(result.stdout).toMatch(/^tokenCommand +touch ran "a b" .*\.referralrc/m);
    expect(existsSync(join(homeFolder, "ran"))).toBe(false);
  });

  test.each([
    ["test"],
    ["config"],
    ["header", "--token"],
    ["completion", "fish", "--", "test", "--profile", ""],
  ])("is never run from an rc file that was found: %s", async (...args) => {
    for (const level of ["top", "profile"]) {
      const command = { tokenCommand: ["touch", "ran"] };
      const rc = level === "top" ? command : { profiles: { p: command } };
      const workingFolder = folderWith({ ".referralrc": rc });
      const result = await run(args, { workingFolder, environment: { REFERRAL_TOKEN: planted.token } });
      if (args[0] !== "completion") {
        expect(result, result.everything).toMatchObject({ exitCode: 3, stdout: "" });
        expect(result.stderr).toContain("sets tokenCommand");
      }
      expect(existsSync(join(workingFolder, "ran"))).toBe(false);
    }
  });
});

test("{profile} is filled in without a shell, and needs a profile", async () => {
  const api = await accepting();
  const words = `require("node:fs").writeFileSync("words.json", JSON.stringify(process.argv.slice(1))); ${print}`;
  const rc = {
    baseUrl: api.url,
    tokenCommand: script(words, "op://{profile}"),
    profiles: { "$(touch x)": {} },
  };
  const homeFolder = folderWith({ ".referralrc": rc });
  expect((await runInProcess(["test"], { homeFolder })).stderr).toContain("no profile is chosen");
  expect((await runInProcess(["test", "--all"], { homeFolder })).exitCode).toBe(0);
  expect(JSON.parse(readFileSync(join(homeFolder, "words.json"), "utf8"))).toEqual(["op://$(touch x)"]);
  expect(existsSync(join(homeFolder, "x"))).toBe(false);
});
