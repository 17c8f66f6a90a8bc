import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../src/emulator/command.ts";
import { folderWith } from "../support/folder.ts";
import { contextOf, emptyFolder, runInProcess } from "../support/run.ts";

import { credentials, headerWith, now, startRun, until, wsse } from "./support.ts";

const posix = process.platform !== "win32";

/** The arguments of `emulator` that run a script by Node. */
const node = (script: string, ...args: string[]): string[] => ["--", process.execPath, "-e", script, ...args];

/** A script that sends a request without credentials, which the emulator refuses and logs, and then does something else. */
const requestThen = (then: string): string =>
  `fetch(process.env.REFERRAL_BASE_URL + "/test-authentication").then(() => {}); ${then}`;

const temporaryFile = (name: string): string => join(folderWith(), name);
const line = "2026-11-21T03:31:00Z GET /test-authentication";

test.each([0, 1, 7, 255])("exits %i as the command did, and writes nothing of its own", async (code) => {
  const run = startRun(node(`process.exitCode = ${code}`));
  expect(await run.ended).toEqual([code]);
  expect([run.stdout(), run.stderr()]).toEqual(["", ""]);
});

test("passes on the four variables, the rest of the environment and the arguments", async () => {
  const file = temporaryFile("seen.json");
  const script = `require("fs").writeFileSync(process.argv[1], JSON.stringify({ env: process.env, args: process.argv }))`;
  // The client refuses a credential that is set twice, and a profile would count before the environment.
  const replaced = { REFERRAL_TOKEN: "a", REFERRAL_TOKEN_FILE: "x", REFERRAL_SECRET_FILE: "y" };
  const kept = { PATH: "/bin", KEPT: "1", REFERRAL_DIGEST: "hex-digest" };
  const environment = { ...kept, ...replaced, REFERRAL_PROFILE: "p" };
  const run = startRun(node(script, file, "$HOME; exit 3", "--port", "-x"), { environment });
  expect(await run.ended).toEqual([0]);
  const { env, args } = JSON.parse(readFileSync(file, "utf8"));
  expect(args.slice(2)).toEqual(["$HOME; exit 3", "--port", "-x"]);
  const own = Object.entries(env).filter(([name]) => name.startsWith("REFERRAL_") || name in kept);
  expect(Object.fromEntries(own)).toEqual({
    ...kept,
    REFERRAL_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    REFERRAL_TOKEN: expect.stringMatching(/^[0-9a-f]{40}$/),
    REFERRAL_USERNAME: expect.stringMatching(/^emulator-[0-9a-f]{6}@example\.com$/),
    REFERRAL_SECRET: expect.stringMatching(/^[\w-]{24}$/),
  });
});

test.each([[[]], [["--"]]])(
  "behind %j, the first word that is not an option starts it, and all further words belong to it",
  async (dashes) => {
    const file = temporaryFile("args.json");
    const script = `require("fs").writeFileSync(process.argv[1], JSON.stringify(process.argv.slice(2)))`;
    const words = ["--token", "--quiet", "--port", "x", "--", "--version", "--help", "-V"];
    const own = ["emulator", "--explain", "--clock-offset", "-5", ...dashes];
    const { exitCode, everything } = await runInProcess([
      ...[...own, process.execPath, "-e", script, "--", file],
      ...words,
    ]);
    expect([exitCode, everything]).toEqual([0, ""]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(words);
  },
);

test("logs its refused requests, and accepted ones only for a new note", async () => {
  const usual = "2026-11-21T03:31:00+00:00";
  const unusual = ["a", "b"].map((nonce) => headerWith(nonce, usual)["x-wsse"]?.[0] ?? "");
  const other = headerWith("c", new Date(now).toISOString())["x-wsse"]?.[0] ?? "";
  const script = `(async () => {
    for (const value of process.argv.slice(1))
      await fetch(process.env.REFERRAL_BASE_URL + "/test-authentication", { headers: { "X-WSSE": value } });
  })()`;
  const given = Object.entries(credentials).flatMap(([name, value]) => [`--${name}`, value]);
  const run = startRun([...given, ...node(script, wsse(), ...unusual, other, other)]);
  expect(await run.ended).toEqual([0]);
  const [nonce, time] = ["Nonce is not 40 hexadecimal characters", "Created is not of the form"];
  expect(run.stderr().split("\n")).toEqual([
    `${line} 200 accepted: X-WSSE; note: ${nonce}`,
    expect.stringContaining(`${line} 200 accepted: X-WSSE; note: ${nonce}; note: ${time}`),
    expect.stringContaining(`${line} 401 replayed: `),
    "",
  ]);
});

describe("a signal", () => {
  const wait = "setTimeout(() => {}, 60000)";

  test.skipIf(!posix).each([
    ["SIGKILL", 137],
    ["SIGTERM", 143],
  ])("%s that ends the command gives exit code %i", async (signal, code) => {
    const run = startRun(node(`process.kill(process.pid, "${signal}"); ${wait}`));
    expect(await run.ended).toEqual([code]);
  });

  test.skipIf(!posix).each([
    ["SIGINT", 'process.on("SIGINT", () => process.exit(9));', 9],
    ["SIGTERM", 'process.on("SIGTERM", () => process.exit(9));', 9],
    ["SIGINT", "", 130],
  ] as const)("%s is passed on, and the command decides what to do: %s", async (signal, handle, code) => {
    const run = startRun(node(requestThen(`${handle} ${wait}`)));
    await until(() => run.stderr().includes(" 401 "));
    run.interrupt(signal);
    expect(await run.ended).toEqual([code]);
  });

  test("on Windows is not sent, since it would end the command: the console has told it", async () => {
    const run = startRun(node(requestThen("setTimeout(() => process.exit(9), 1000)")), { userId: null });
    await until(() => run.stderr().includes(" 401 "));
    run.interrupt("SIGINT");
    expect(await run.ended).toEqual([9]);
  });

  test("before the start prevents it; an interruption without a signal ends the command by SIGTERM", async () => {
    const words = [process.execPath, "-e", wait];
    const reason = new Error("enough");
    const context = (interrupted: AbortSignal) => contextOf([], { interrupted });
    await expect(runCommand(words, {}, context(AbortSignal.abort(reason)))).rejects.toBe(reason);

    const controller = new AbortController();
    const ending = runCommand(words, {}, context(controller.signal));
    controller.abort(reason);
    expect(await ending).toBe(143);
  });
});

describe("a command that cannot be started", () => {
  test.each([
    ["no-such-command-\u001b[31m::error::x", /^Error: The command "no-such-command-[^"]*" was not found\n/],
    ["", /^Error: The command "" was not found\n/],
  ])("%j exits 127, with a hint and the escaped name", async (name, message) => {
    const run = startRun(["--", name]);
    expect(await run.ended).toEqual([127]);
    expect(run.stderr()).toMatch(message);
    expect(run.stderr()).toContain("\n  try       Check its spelling");
    expect(run.stderr()).not.toMatch(/\p{Cc}(?<!\n)|::error/u);
    expect(run.stdout()).toBe("");
  });

  test.skipIf(!posix)("because it is no program exits 126, with a hint", async () => {
    const file = temporaryFile("plain.txt");
    writeFileSync(file, "x", { mode: 0o644 });
    for (const command of [file, `${file}/x`, emptyFolder]) {
      const run = startRun(["--", command]);
      expect(await run.ended).toEqual([126]);
      expect(run.stderr()).toMatch(/ cannot be executed \(E[A-Z]+\)\n {2}try {7}Check that it is a program/);
    }
  });
});

test.skipIf(!posix)("ends with the command, not with its background processes", async () => {
  const pid = temporaryFile("pid");
  const run = startRun(["--", "/bin/sh", "-c", `sleep 60 & echo $! > '${pid}'; exit 4`]);
  expect(await run.ended).toEqual([4]);
  // Throws if the background process has ended already.
  process.kill(Number(readFileSync(pid, "utf8")));
});
