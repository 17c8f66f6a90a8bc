import { type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { started } from "../support/child.ts";
import { folderWith, namedPipe } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { childHome, childNode, emptyFolder, launcher, runAsChild } from "../support/run.ts";
import { serve, serveAlways } from "../support/serve.ts";
import { inShell } from "./shell.ts";

const token = { REFERRAL_TOKEN: planted.token };

/** Starts the program; gives the child, and how it ended with what it wrote. */
function start(args: readonly string[], baseUrl = "http://127.0.0.1:1", stdio: StdioOptions = "pipe") {
  const env = { ...childHome, ...token, REFERRAL_BASE_URL: baseUrl };
  const run = started([childNode, launcher, ...args], { cwd: emptyFolder, env, stdio });
  onTestFinished(() => void run.child.kill("SIGKILL"));
  return run;
}

// A sentence and what to do, wrapped at will; no stack trace.
const onlyTheError =
  /^Error: .*(?:could not be written: [a-z ]+ \(E[A-Z]+\)|no (?:such )?option[^\n]*)\n {2}try(?![\s\S]*\n\s+at )/;

test.each([
  ["test", 200, 1],
  ["test --json", 200, 1],
  ["header --token", 200, 0],
  ["test --help", 200, 0],
  ["--version", 200, 0],
  ["test --json --nothing", 200, 0],
])(
  "on a full disk and into a folder, %s exits 1: a verdict that nobody got is none (status %i)",
  async (args, status, requests) => {
    for (const output of [openSync("/dev/full", "w"), openSync(emptyFolder, "r")]) {
      const api = await serveAlways(status);
      const { ended } = start(args.split(" "), api.url, ["ignore", output, "pipe"]);
      const { exitCode, stderr } = await ended;
      expect([exitCode, api.requests.length, leaks(stderr)]).toEqual([1, requests, []]);
      expect(stderr).toMatch(onlyTheError);
    }
  },
);

const devices = readdirSync("/dev").map((name) => `/dev/${name}`);
const blockDevices = devices.filter((path) => statSync(path, { throwIfNoEntry: false })?.isBlockDevice());
// Only root may write to one. With O_PATH anybody may open it, and Node's own stream loses text there too, without an error.
const byPath = 0o10000000;

test.each(blockDevices.slice(0, 1))("on the block device %s, test exits 1", async (path) => {
  const api = await serveAlways(200);
  const { ended } = start(["test"], api.url, ["ignore", openSync(path, byPath), "pipe"]);
  const { exitCode, stderr } = await ended;
  expect([exitCode, api.requests.length, leaks(stderr)]).toEqual([1, 1, []]);
  expect(stderr).toMatch(onlyTheError);
});

// Written as JSON each of these letters takes six bytes: of a hundred accounts more than a pipe holds.
const long = "é".repeat(500);
const lines = `yes '{"token":"Zq8XvK2m"}' | head -n 100`;
test.each([
  ["a reader that closes the pipe after one byte makes a long document exit 1", "head -c 1", 1, /^$/],
  ["a slow reader gets all of it", "{ sleep 0.5; cat > read; }", 0, /^$/],
])("%s", async (_, reader, exitCode, stderr) => {
  const api = await serveAlways(200, { code: 200, message: long });
  const place = folderWith({ read: "" });
  const environment = { ...childHome, REFERRAL_BASE_URL: api.url };
  await inShell(
    `{ ${lines} | $RUN test --json --accounts -; echo $? > code; } 2> err | ${reader}`,
    environment,
    place,
  );
  const [code, err, read] = ["code", "err", "read"].map((name) => readFileSync(join(place, name), "utf8"));
  expect([Number(code), err]).toEqual([exitCode, expect.stringMatching(stderr)]);
  if (exitCode === 0) expect(read?.match(/"(?:\\u00e9){299}\\u2026"/g)).toHaveLength(100);
});

test("a write that never ends exits 1, since no result is proven", async () => {
  const mute = `
    process.stdout.write = () => true;
    require("node:fs").writeSync = () => {
      throw new Error("nobody reads");
    };
  `;
  const preload = join(folderWith({ "mute.cjs": mute }), "mute.cjs");
  const environment = { ...token, NODE_OPTIONS: `--require ${JSON.stringify(preload)}` };
  for (const args of [["--version"], ["config"], ["header", "--token"]])
    expect(await runAsChild(args, { environment })).toMatchObject({ exitCode: 1, stdout: "" });
});

test.each([
  ["emulator --json", "stdout"],
  ["emulator", "stderr"],
] as const)("SIGTERM ends %s even if nobody reads its %s, which is full", async (args, unread) => {
  const { child, ended } = start(args.split(" "));
  const [first] = await once(child.stdout ?? child, "data");
  child[unread]?.removeAllListeners("data").pause();
  const [url = ""] = /http:[^"']*/.exec(String(first)) ?? [];
  // More than a pipe of 64 KiB and Node's buffer hold, in lines of the log.
  for (let count = 0; count < 1_500; count += 1) await (await fetch(url)).text();
  child.kill("SIGTERM");
  const [exitCode] = await once(child, "exit");
  child[unread]?.resume();
  expect([exitCode, (await ended).signal]).toEqual([143, null]);
});

const nothingChecked = "interrupted: 0 accepted, 1 not checked\n";

/** Runs `test` with these arguments against a server that answers in part and sends the signal. */
async function interrupted(
  signal: NodeJS.Signals,
  args: readonly string[],
  answer: (response: ServerResponse, kill: () => void) => void,
) {
  const api = await serve((_request, response) => answer(response, () => void child.kill(signal)));
  const { child, ended } = start(["test", ...args], api.url);
  const end = await ended;
  expect(api.requests).toHaveLength(1);
  return end;
}

test.each([
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)(
  "%s ends a request or an answer under way with %i, and says what was not checked",
  async (signal, exitCode) => {
    const text = await interrupted(signal, [], (_, kill) => kill());
    expect(text).toEqual({ exitCode, signal: null, stdout: nothingChecked, stderr: "" });
    const begun = await interrupted(signal, [], (response, kill) => {
      response.writeHead(200, { "content-type": "application/json" }).write("{", kill);
    });
    expect(begun).toEqual(text);
    const { stdout } = await interrupted(signal, ["--json"], (_, kill) => kill());
    const document = { ok: false, exitCode, checks: [], notChecked: 1, error: null };
    expect(JSON.parse(stdout)).toMatchObject(document);
  },
);

test.each([
  ["the pause before another attempt", ["--retry", "3", "--timeout", "600"], 1],
  ["waiting for standard input", ["--username", "a@b", "--secret", planted.secret, "--token-file", "-"], 0],
])("SIGINT ends %s", async (_, args, requests) => {
  const api = await serve((_request, response) => response.writeHead(503, { "retry-after": "60" }).end());
  const { child, ended } = start(["test", ...args], api.url);
  // The pause is announced when it begins, and the warning about --secret is written before anything is read.
  child.stderr?.once("data", () => child.kill("SIGINT"));
  const { exitCode, stdout, stderr } = await ended;
  expect([exitCode, stdout, api.requests.length]).toEqual([130, nothingChecked, requests]);
  expect(stderr).toMatch(/^[^\n]+\n$/);
});

test("SIGINT ends waiting for a pipe that a user named", async () => {
  const pipe = namedPipe();
  const { child, ended } = start(["header", "--token-file", pipe]);
  // A writer that opens the pipe gets through only when the program has opened it as well.
  const writer = spawn("/bin/sh", ["-c", `exec 3> "${pipe}"; echo open; sleep 20`]);
  onTestFinished(() => void writer.kill("SIGKILL"));
  writer.stdout.once("data", () => child.kill("SIGINT"));
  const { exitCode, signal, stdout, stderr } = await ended;
  expect([exitCode, stdout + stderr]).toEqual(signal === null ? [130, ""] : [null, ""]);
});

test("SIGINT ends waiting for the reader of a report, and the JSON document says so", async () => {
  // A report of so many accounts is more than a pipe holds.
  const profiles = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`account-${index}`, {}]));
  const config = join(folderWith({ "rc.json": { profiles } }), "rc.json");
  const pipe = namedPipe();
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(reader));
  const { child, ended } = start(["test", "--all", "--config", config, "--json", "--junit", pipe]);

  // Without a writer it reads nothing, and with one that has written nothing it fails.
  await vi.waitFor(() => expect(readSync(reader, Buffer.alloc(1))).toBe(1), { timeout: 50_000 });
  child.kill("SIGINT");

  const { exitCode, stdout } = await ended;
  const document = JSON.parse(stdout);
  expect([exitCode, document.checks.length]).toEqual([130, 600]);
  expect(document).toMatchObject({ ok: false, exitCode: 130, notChecked: 0, error: null });
});
