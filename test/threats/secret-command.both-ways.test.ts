import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { Interrupted } from "../../src/errors.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { contextOf, runInProcess, ways } from "../support/run.ts";
import { serveAlways } from "../support/serve.ts";

/** A home folder whose rc file has these keys. */
const home = (rc: object): string => folderWith({ ".referralrc": rc });

describe.each(ways)("a command that prints the token, %s,", (_, run) => {
  test("gives the token, without one end of line, for `test` and `header` alike", async () => {
    const { url, requests } = await serveAlways();
    const homeFolder = home({ baseUrl: url, tokenCommand: ["echo", planted.token] });
    const result = await run(["test"], { homeFolder });
    expect(result, result.everything).toMatchObject({ exitCode: 0, stderr: "" });
    expect(requests.map(({ headers }) => headers["x-auth-token"])).toEqual([planted.token]);
    const header = await run(["header", "--token"], { homeFolder });
    expect(header.stdout).toBe(`X-Auth-Token: ${planted.token}\n`);
  });

  // test/settings/errors.test.ts says what a command may print.
  test("that fails leaves its account not checked, and nothing of its output is shown", async () => {
    const shell = (text: string) => ["sh", "-c", text];
    const failing: ReadonlyArray<readonly [readonly string[], string]> = [
      [["no-such-program"], "could not be started: no such file or directory (ENOENT)"],
      [["echo", "a".repeat(200_000)], "could not be started: argument list too long (E2BIG)"],
      [shell(`echo ${planted.token}; exit 7`), "failed with exit code 7"],
      [shell(`echo ${planted.token} >&2; exit 1`), "failed with exit code 1"],
      [["true"], "printed nothing; its exit code is 0"],
      [["echo", ` ${planted.token}`], "has a space (U+0020) as its first character"],
      [["head", "-c", "65537", "/dev/zero"], "printed more than 65536 bytes"],
      [shell(`echo ${planted.token}; kill -TERM $$`), "was ended by SIGTERM"],
    ];
    const bad = failing.map(([tokenCommand, message]) => [message, { tokenCommand }]);
    const profiles = { ...Object.fromEntries(bad), good: { token: planted.token } };
    const homeFolder = home({ baseUrl: (await serveAlways()).url, profiles });

    const result = await run(["test", "--all", "--json"], { homeFolder });

    expect(result, result.everything).toMatchObject({ exitCode: 3, stderr: "" });
    const checks: ReadonlyArray<{ outcome: string; findings: [{ message: string }] }> = JSON.parse(
      result.stdout,
    ).checks;
    expect(checks.map(({ outcome }) => outcome)).toEqual([...bad.map(() => "not-checked"), "accepted"]);
    for (const [index, [, message]] of failing.entries())
      expect(checks[index]?.findings[0].message).toContain(message);
  });

  test("is shown by `config` and not run", async () => {
    const homeFolder = home({ baseUrl: "https://api.example", tokenCommand: ["touch", "ran", "a b"] });
    const result = await run(["config"], { homeFolder });
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(result.stdout).toMatch(/^tokenCommand +\["touch","ran","a b"\] .*\.referralrc/m);
    expect(existsSync(join(homeFolder, "ran"))).toBe(false);
  });

  test.each(["test", "config", "header --token"])(
    "is never run from an rc file that was found: %s",
    async (args) => {
      const command = { tokenCommand: ["touch", "ran"] };
      for (const rc of [command, { profiles: { p: command } }]) {
        const given = { workingFolder: home(rc), environment: { REFERRAL_TOKEN: planted.token } };
        const { exitCode, stderr } = await run(args.split(" "), given);
        expect([exitCode, stderr]).toEqual([3, expect.stringContaining("sets tokenCommand")]);
        expect(existsSync(join(given.workingFolder, "ran"))).toBe(false);
      }
    },
  );
});

test("{profile} is filled in without a shell, and needs a profile", async () => {
  const { url, requests } = await serveAlways();
  const tokenCommand = ["echo", "op://{profile}"];
  const homeFolder = home({ baseUrl: url, tokenCommand, profiles: { "$(touch x)": {} } });
  expect((await runInProcess(["test"], { homeFolder })).stderr).toContain("no profile is chosen");
  expect((await runInProcess(["test", "--all"], { homeFolder })).exitCode).toBe(0);
  expect(requests.map(({ headers }) => headers["x-auth-token"])).toEqual(["op://$(touch x)"]);
  expect(existsSync(join(homeFolder, "x"))).toBe(false);
});

test("at most `concurrency` commands run at once", async () => {
  // Each waits until two have started, so that two are seen at once on a slow machine too.
  const mark = `printf + >> log
    until [ "$(tr -d - < log)" != + ]; do sleep 0.01; done
    sleep 0.05
    printf - >> log
    echo ${planted.token}`;
  const rc = {
    baseUrl: (await serveAlways()).url,
    tokenCommand: ["sh", "-c", mark, "{profile}"],
    concurrency: 2,
  };
  const homeFolder = home({ ...rc, profiles: { a: {}, b: {}, c: {}, d: {}, e: {} } });
  expect((await runInProcess(["test", "--all"], { homeFolder })).exitCode).toBe(0);
  const log = readFileSync(join(homeFolder, "log"), "utf8");
  let [now, most] = [0, 0];
  for (const mark of log) {
    now += mark === "+" ? 1 : -1;
    most = Math.max(most, now);
  }
  expect([most, now]).toEqual([2, 0]);
});

test.concurrent.each([
  ["an interruption", 143, ""],
  ["its deadline", 3, "took longer than 1 second"],
])("a command that hangs is ended by %s, and so are all that it started", async (by, exitCode, says) => {
  const hanging = `trap "" TERM; exec 3> held; sleep 600 & echo >&3; wait; sleep 600`;
  const homeFolder = home({ baseUrl: "https://127.0.0.1:1", tokenCommand: ["sh", "-c", hanging] });
  execFileSync("mkfifo", [join(homeFolder, "held")]);
  const held = createReadStream(join(homeFolder, "held"));
  const ended = once(held, "end");
  const controller = new AbortController();
  const own = contextOf(["test"], { homeFolder, interrupted: controller.signal });
  const deadlineSeconds = by === "its deadline" ? 1 : 30;
  const runCommand: typeof own.runCommand = (words, options) =>
    own.runCommand(words, { ...options, deadlineSeconds });
  const run = main({ ...own, runCommand });
  await once(held, "data");
  if (by === "an interruption") controller.abort(new Interrupted("SIGTERM"));

  expect(await run).toBe(exitCode);
  expect(own.stderr.text).toContain(says);
  // It ends when the last of them has.
  await ended;
});
