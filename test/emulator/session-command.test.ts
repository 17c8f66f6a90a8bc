import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../src/emulator/command.ts";
import { folderWith } from "../support/folder.ts";
import { contextOf, emptyFolder, runInProcess } from "../support/run.ts";
import { startRun, until } from "./start-run.ts";

const posix = process.platform !== "win32";

/** The arguments of `emulator` that run a script by Node. */
const node = (script: string, ...args: string[]): string[] => ["--", process.execPath, "-e", script, ...args];

/** A script that sends a request without credentials, which the emulator refuses and logs, and then does something else. */
const requestThen = (then: string): string =>
  `fetch(process.env.REFERRAL_BASE_URL + "/test-authentication").then(() => {}); ${then}`;

const temporaryFile = (name: string): string => join(folderWith(), name);

describe("with a command", () => {
  test.each([0, 1, 7, 255])("exits %i as the command did, and writes nothing of its own", async (code) => {
    const run = startRun(node(`process.exitCode = ${code}`));
    expect(await run.ended).toEqual([code]);
    expect([run.stdout(), run.stderr()]).toEqual(["", ""]);
  });

  test("passes on the four variables, the rest of the environment and the arguments", async () => {
    const file = temporaryFile("seen.json");
    const script = `require("fs").writeFileSync(process.argv[1], JSON.stringify({ env: process.env, args: process.argv }))`;
    const environment = { PATH: "/bin", KEPT: "1", REFERRAL_TOKEN_FILE: "x", REFERRAL_SECRET_FILE: "y" };
    const run = startRun(node(script, file, "$HOME; exit 3", "--port", "-x"), { environment });
    expect(await run.ended).toEqual([0]);
    const { env, args } = JSON.parse(readFileSync(file, "utf8"));
    expect(args.slice(2)).toEqual(["$HOME; exit 3", "--port", "-x"]);
    expect(env).toMatchObject({
      KEPT: "1",
      REFERRAL_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      REFERRAL_TOKEN: expect.stringMatching(/^[0-9a-f]{40}$/),
      REFERRAL_USERNAME: expect.stringMatching(/^emulator-[0-9a-f]{6}@example\.com$/),
      REFERRAL_SECRET: expect.stringMatching(/^[\w-]{24}$/),
    });
    expect(env).not.toHaveProperty("REFERRAL_TOKEN_FILE");
    expect(env).not.toHaveProperty("REFERRAL_SECRET_FILE");
  });

  test.each([
    ["without --", []],
    ["after --", ["--"]],
  ])(
    "%s, the first word that is not an option starts it, and all further words belong to it",
    async (_, dashes) => {
      const file = temporaryFile("args.json");
      const script = `require("fs").writeFileSync(process.argv[1], JSON.stringify(process.argv.slice(2)))`;
      const words = ["--token", "--quiet", "--port", "x", "--", "--version", "--help", "-V"];
      const { exitCode, everything } = await runInProcess([
        ...["emulator", "--explain", "--clock-offset", "-5", ...dashes],
        ...[process.execPath, "-e", script, "--", file, ...words],
      ]);
      expect([exitCode, everything]).toEqual([0, ""]);
      expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(words);
    },
  );

  test("accepts its valid requests, and logs only the others", async () => {
    const script = `
      const { REFERRAL_BASE_URL: base, REFERRAL_TOKEN: token } = process.env;
      const ask = (headers) => fetch(base + "/test-authentication", { headers }).then(({ status }) => status);
      Promise.all([ask({ "X-Auth-Token": token }), ask({})]).then((both) => {
        process.exitCode = String(both) === "200,401" ? 42 : 1;
      });`;
    const run = startRun(node(script));
    expect(await run.ended).toEqual([42]);
    expect(run.stderr()).toBe(
      "2026-11-21T03:31:00Z GET /test-authentication 401 missing: neither X-WSSE nor X-Auth-Token was sent\n",
    );
  });

  test.skipIf(!posix).each([
    ["SIGKILL", 137],
    ["SIGTERM", 143],
  ])("when %s ends the command, it exits %i", async (signal, code) => {
    expect(
      await startRun(node(`process.kill(process.pid, "${signal}"); setTimeout(() => {}, 60000)`)).ended,
    ).toEqual([code]);
  });

  test.skipIf(!posix).each(["SIGINT", "SIGTERM"] as const)(
    "passes %s on, and the command decides what to do",
    async (signal) => {
      const run = startRun(
        node(requestThen(`process.on("${signal}", () => process.exit(9)); setTimeout(() => {}, 60000)`)),
      );
      await until(() => run.stderr().includes(" 401 "));
      run.interrupt(signal);
      expect(await run.ended).toEqual([9]);
    },
  );

  test.skipIf(!posix)("exits 130 when the command does not handle SIGINT", async () => {
    const run = startRun(node(requestThen("setTimeout(() => {}, 60000)")));
    await until(() => run.stderr().includes(" 401 "));
    run.interrupt("SIGINT");
    expect(await run.ended).toEqual([130]);
  });

  test("on Windows, sends no signal that would end the command: the console has told it", async () => {
    const run = startRun(node(requestThen("setTimeout(() => process.exit(9), 1000)")), { userId: null });
    await until(() => run.stderr().includes(" 401 "));
    run.interrupt("SIGINT");
    expect(await run.ended).toEqual([9]);
  });

  test("does not start the command after an interruption, and ends it by SIGTERM if the interruption names no signal", async () => {
    const words = [process.execPath, "-e", "setTimeout(() => {}, 60000)"];
    const reason = new Error("enough");
    const context = (interrupted: AbortSignal) => contextOf([], { interrupted });
    await expect(runCommand(words, {}, context(AbortSignal.abort(reason)))).rejects.toBe(reason);

    const controller = new AbortController();
    const ending = runCommand(words, {}, context(controller.signal));
    controller.abort(reason);
    expect(await ending).toBe(143);
  });

  test("exits 127 for a command that does not exist, and prints a hint and the escaped name", async () => {
    const run = startRun(["--", "no-such-command-\u001b[31m::error::x"]);
    expect(await run.ended).toEqual([127]);
    expect(run.stderr()).toMatch(
      /^Error: The command "no-such-command-[^"]*" was not found\n {2}try {7}Check its spelling/,
    );
    expect(run.stderr()).not.toContain("\u001b");
    expect(run.stderr()).not.toContain("::error");
    expect(run.stdout()).toBe("");
  });

  test("exits 127 for an empty word", async () => {
    expect(await startRun(["--", ""]).ended).toEqual([127]);
  });

  test.skipIf(!posix)("exits 126 for a file that is not a program, and prints a hint", async () => {
    const file = temporaryFile("plain.txt");
    writeFileSync(file, "x", { mode: 0o644 });
    for (const command of [file, `${file}/x`, emptyFolder]) {
      const run = startRun(["--", command]);
      expect(await run.ended).toEqual([126]);
      expect(run.stderr()).toMatch(/ cannot be executed \(E[A-Z]+\)\n {2}try {7}Check that it is a program/);
    }
  });

  test.skipIf(!posix)("ends with the command, not with its background processes", async () => {
    const pid = temporaryFile("pid");
    const run = startRun(["--", "/bin/sh", "-c", `sleep 60 & echo $! > '${pid}'; exit 4`]);
    expect(await run.ended).toEqual([4]);
    // Throws if the background process has ended already.
    process.kill(Number(readFileSync(pid, "utf8")));
  });
});
