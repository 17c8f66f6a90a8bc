import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runClientCommand } from "../../src/emulator/session.ts";
import { folderWith } from "../support/folder.ts";
import { contextOf, emptyFolder, runInProcess } from "../support/run.ts";
import { credentials, headerWith, now, startRun, until, wsse } from "./support.ts";

const posix = process.platform !== "win32";
const temporaryFile = (name: string): string => join(folderWith(), name);

/** The arguments of `emulator` that run a script by a shell; its first argument is $0. */
const shell = (script: string, ...args: string[]): string[] => ["--", "/bin/sh", "-c", script, ...args];

test.skipIf(!posix).each([
  ["exit 0", 0],
  ["exit 255", 255],
  ["kill -KILL $$", 137],
] as const)("for the command %s exits %i, and writes nothing of its own", async (script, code) => {
  const run = startRun(shell(script));
  expect(await run.ended).toEqual([code]);
  expect([run.stdout(), run.stderr()]).toEqual(["", ""]);
});

test.each([[[]], [["--"]]])("behind %j, a command gets all words and variables", async (dashes) => {
  const file = temporaryFile("seen.json");
  const script = `require("fs").writeFileSync(process.argv[1], JSON.stringify({ env: process.env, args: process.argv }))`;
  const words = ["--token", "--quiet", "--port", "x", "--", "--version", "--help", "-V", "$HOME; exit 3"];
  // The client refuses a credential that is set twice, and a profile would count before the environment.
  const replaced = { REFERRAL_TOKEN: "a", REFERRAL_TOKEN_FILE: "x", REFERRAL_SECRET_FILE: "y" };
  const kept = { PATH: "/bin", KEPT: "1", REFERRAL_DIGEST: "hex-digest" };
  const environment = { ...kept, ...replaced, REFERRAL_PROFILE: "p" };
  const command = [process.execPath, "-e", script, "--", file, ...words];
  const own = ["emulator", "--explain", "--clock-offset", "-5", ...dashes];
  const { exitCode, everything } = await runInProcess([...own, ...command], { environment });
  expect([exitCode, everything]).toEqual([0, ""]);
  const { env, args } = JSON.parse(readFileSync(file, "utf8"));
  expect(args.slice(2)).toEqual(words);
  const seen = Object.entries(env).filter(([name]) => name.startsWith("REFERRAL_") || name in kept);
  expect(Object.fromEntries(seen)).toEqual({
    ...kept,
    REFERRAL_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    REFERRAL_TOKEN: expect.stringMatching(/^[0-9a-f]{40}$/),
    REFERRAL_USERNAME: expect.stringMatching(/^emulator-[0-9a-f]{6}@example\.com$/),
    REFERRAL_SECRET: expect.stringMatching(/^[\w-]{24}$/),
  });
});

test.each([
  [{}, "127.0.0.1"],
  [{ NO_PROXY: "a.example, .b.example", no_proxy: "c.example" }, "a.example,.b.example,c.example,127.0.0.1"],
  [{ no_proxy: "127.0.0.1" }, "127.0.0.1"],
  [{ NO_PROXY: "*", no_proxy: "a.example" }, "*"],
])("a command with %j sends the emulator's requests to no proxy: %s", async (given, expected) => {
  const script = "fs.writeFileSync(process.argv[1], [process.env.NO_PROXY, process.env.no_proxy].join())";
  const environment = { ...given, HTTP_PROXY: "http://127.0.0.1:1" };
  const file = temporaryFile("seen");
  const command = [process.execPath, "-e", script, file];
  expect((await runInProcess(["emulator", ...command], { environment })).exitCode).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(`${expected},${expected}`);
});

test("logs its refused requests, and accepted ones only for a new note", async () => {
  const usual = "2026-11-21T03:31:00+00:00";
  const sent = (nonce: string, time: string): string => headerWith(nonce, time)["x-wsse"]?.[0] ?? "";
  const other = sent("c", new Date(now).toISOString());
  const script = `(async () => {
    for (const value of process.argv.slice(1))
      await fetch(process.env.REFERRAL_BASE_URL + "/test-authentication", { headers: { "X-WSSE": value } });
  })()`;
  const given = Object.entries(credentials).flatMap(([name, value]) => [`--${name}`, value]);
  const headers = [wsse(), sent("a", usual), sent("b", usual), other, other];
  const run = startRun([...given, "--", process.execPath, "-e", script, ...headers]);
  expect(await run.ended).toEqual([0]);
  const line = "2026-11-21T03:31:00Z GET /test-authentication";
  const notes = "; note: Nonce is not 40 hexadecimal characters";
  const more = `${notes}; note: Created is not of the form YYYY-MM-DDThh:mm:ss+00:00`;
  expect(run.stderr().split("\n")).toEqual([
    `${line} 200 accepted: X-WSSE${notes}`,
    `${line} 200 accepted: X-WSSE${more}`,
    `${line} 401 replayed: the Nonce has been used before. To change: make a new Nonce for every request, also for a retry${more}`,
    "",
  ]);
});

const started = ': > "$0"';
const waits = "while :; do sleep 0.05; done";

test.skipIf(!posix).each([
  ["SIGINT", `trap 'exit 9' INT; ${started}; ${waits}`, 9, {}],
  ["SIGTERM", `trap 'exit 9' TERM; ${started}; ${waits}`, 9, {}],
  ["SIGINT", `${started}; ${waits}`, 130, {}],
  // On Windows it is not sent, since it would end the command: the console has told it.
  ["SIGINT", `${started}; sleep 0.5; exit 9`, 9, { userId: null }],
] as const)("%s is passed on to the command: %s", async (signal, script, code, changes) => {
  const file = temporaryFile("started");
  const run = startRun(shell(script, file), changes);
  await until(() => existsSync(file));
  run.interrupt(signal);
  expect(await run.ended).toEqual([code]);
});

test("a signal before the start prevents it; an interruption without one ends the command by SIGTERM", async () => {
  const words = [process.execPath, "-e", "setTimeout(() => {}, 60000)"];
  const reason = new Error("enough");
  const context = (interrupted: AbortSignal) => contextOf([], { interrupted });
  await expect(runClientCommand(words, {}, context(AbortSignal.abort(reason)))).rejects.toBe(reason);

  const controller = new AbortController();
  const ending = runClientCommand(words, {}, context(controller.signal));
  controller.abort(reason);
  expect(await ending).toBe(143);
});

const missing = (name: string): RegExp =>
  new RegExp(`^Error: The command "${name}" was not found\n {2}try {7}Check its spelling`);
const notExecutable = / cannot be executed \(E[A-Z]+\)\n {2}try {7}Check that it is a program/;
const thisFile = fileURLToPath(import.meta.url);
test.skipIf(!posix).each([
  ["no-such-command-\u001b[31m::error::x", 127, missing('no-such-command-[^"\u001b]*')],
  ["", 127, missing("")],
  ["8080a", 127, missing("8080a")],
  [thisFile, 126, notExecutable],
  [emptyFolder, 126, notExecutable],
])("%j cannot be started: exit %i, a hint, the escaped name", async (name, code, message) => {
  const run = startRun(["--", name]);
  expect(await run.ended).toEqual([code]);
  expect(run.stderr()).toMatch(message);
  expect(run.stderr()).not.toContain("::error");
  expect(run.stdout()).toBe("");
});

test.skipIf(!posix)("ends with the command, not with its background processes", async () => {
  const pid = temporaryFile("pid");
  expect(await startRun(shell(`sleep 60 & echo $! > "$0"; exit 4`, pid)).ended).toEqual([4]);
  // Throws if the background process has ended already.
  process.kill(Number(readFileSync(pid, "utf8")));
});
