import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { answering } from "../faults/peers.ts";
import { allTexts, longKeys, places } from "../properties/hostile-places.ts";
import { type Format, textOf } from "../properties/hostile-runs.ts";
import { folderWith } from "../support/folder.ts";
import { childNode, type Given, launcher, type Run, runAsChild } from "../support/run.ts";

const preload = JSON.stringify(fileURLToPath(new URL("../faults/peak-memory.cjs", import.meta.url)));

/**
 * In milliseconds: from the start to the request of the last account, from there to SIGTERM, so that the hostile text is
 * met by then, and to the end. That is twice a second, for a busy machine.
 */
const [untilLast, untilSignal, untilEnd] = [10_000, 500, 2_000];

/** Starts the built program. */
const started = (args: readonly string[], { environment, homeFolder, workingFolder }: Given): ChildProcess =>
  spawn(childNode, [launcher, ...args], {
    cwd: workingFolder,
    env: { HOME: homeFolder, PATH: process.env.PATH, ...environment },
    stdio: "ignore",
  });

/** Runs the built program and sends it SIGTERM when the other accounts wait for their responses. */
function signalled(): Required<Pick<Format, "args" | "run" | "onLast">> {
  let onLast = (): void => {};
  const run = (args: readonly string[], given: Given): Promise<Run> => {
    const child = started(args, given);
    const end = (): void => void child.kill("SIGKILL");
    let timer = setTimeout(end, untilLast);
    onLast = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        child.kill("SIGTERM");
        timer = setTimeout(end, untilEnd);
      }, untilSignal);
    };
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => {
        clearTimeout(timer);
        resolve({ exitCode: code ?? -1, stdout: "", stderr: "", everything: "" });
      });
    });
  };
  return { args: [], run, onLast: () => onLast() };
}

test("SIGTERM ends a run within a second", async () => {
  const settings = 3;
  const attacks: ReadonlyArray<readonly [title: string, repeated: string, exitCode: number]> = [
    ["a message in JSON", "a", 143],
    ["a page", "<!--", 143],
    ["a proxy's Proxy-Authenticate", '"\\', 143],
    ["names in a certificate", "a", 143],
    ["a line of --accounts: many keys", "a", 143],
    ["a line of --accounts: nested objects", "a", 143],
    ["a found rc file: the whole file", "\\\n", settings],
    ["a found rc file: the proxy", ":", settings],
    ["your rc file: a profile", "a", 143],
    ["your rc file: a secret command's output", "a", 143],
    ["the variable REFERRAL_PROXY", ":", 0],
  ];
  const wanted = attacks.map(([title, , exitCode]) => [title, exitCode]);
  const ended = attacks.map(async ([title, repeated]) => {
    const [, most, start] = places.find(([name]) => name === title) ?? expect.fail(title);
    const attack = await start();
    const text = textOf([repeated], most);
    const { exitCode } = await attack(text, signalled());
    return [title, exitCode];
  });
  expect(await Promise.all(ended)).toEqual(wanted);
});

test.each(['{"token":"t"}', "token\nt"])(
  "SIGTERM ends a run while blank lines come without an end behind %j",
  async (first) => {
    const folder = folderWith();
    const args = ["test", "--accounts", "-", "--base-url", "http://127.0.0.1:1"];
    const child = spawn(childNode, [launcher, ...args], {
      cwd: folder,
      env: { HOME: folder },
      stdio: ["pipe", "ignore", "ignore"],
    });
    const ended = once(child, "close");
    const blank = Buffer.alloc(64 * 1024, " \t\n\n");
    child.stdin?.on("error", () => {});
    child.stdin?.write(`${first}\n`);
    const more = (): void => {
      if (child.stdin?.writable) child.stdin.write(blank, more);
    };
    more();
    let timer = setTimeout(() => {
      child.kill("SIGTERM");
      timer = setTimeout(() => child.kill("SIGKILL"), untilEnd);
    }, untilSignal);
    const [exitCode] = await ended;
    clearTimeout(timer);
    expect(exitCode).toBe(143);
  },
);

// A program with an empty rc file has 60 MiB. A named file may have 1 MiB.
const parsed = [
  ...places
    .filter(([title]) => title.startsWith("a found rc file for config"))
    .map((place) => [...place, 1, 200] as const),
  ...places
    .filter(([title]) => /^a named rc file: (?:the|wrong)/.test(title))
    .map((place) => [...place, 1, 200] as const),
];
test.each(parsed)("the parser takes bounded memory: %s", async (_, most, start, times, limit) => {
  const mebibytes: number[] = [];
  const run: Format["run"] = async (args, given) => {
    const file = join(folderWith(), "peak");
    const peak = { NODE_OPTIONS: `--require ${preload}`, PEAK_MEMORY_FILE: file };
    const ended = await runAsChild(args, { ...given, environment: { ...given.environment, ...peak } });
    mebibytes.push(Number(readFileSync(file, "latin1")) / 1024);
    return ended;
  };
  const attack = await start();
  expect([0, 3]).toContain((await attack(textOf(["]"], times * most), { args: [], run })).exitCode);
  expect(Math.max(...mebibytes)).toBeLessThan(limit);
});

test.each([
  ["all texts at once", allTexts(randomBytes(45_000).toString("base64"))],
  ["the secret and long keys", longKeys("%5c&#37;\\x".repeat(6_000))],
])("SIGTERM is met while many accounts have a long response with %s", async (_, object) => {
  const count = 500;
  const body = JSON.stringify(object);
  const waiting: Socket[] = [];
  // The program stands still until all responses and one signal have arrived: a second one ends it without a code. Then it must
  // meet the signal before it has read them all, however busy the machine is.
  const { url } = await answering((socket) => {
    if (waiting.push(socket) < count) return;
    child.kill("SIGSTOP");
    for (const one of waiting) one.write(`HTTP/1.1 401 No\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    child.kill("SIGTERM");
    child.kill("SIGCONT");
  });
  const lines = Array.from({ length: count }, (_, at) => `{"token":"Zq8XvK2m-${at}"}\n`).join("");
  const accounts = folderWith({ accounts: lines });
  const args = ["test", "--accounts", `${accounts}/accounts`, "--concurrency", `${count}`, "--base-url", url];
  const child = started(args, { homeFolder: accounts, workingFolder: accounts });
  const [exitCode] = await once(child, "close");
  expect(exitCode).toBe(143);
});
