import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { Interrupted } from "../../src/errors.ts";
import { folderWith } from "../support/folder.ts";
import { contextOf } from "../support/run.ts";
import { accepting, print, script } from "./secret-commands.ts";

test("at most `concurrency` commands run at once", async () => {
  const api = await accepting();
  // Each waits until two have started, so that two are seen at once on a slow machine too.
  const mark = `const fs = require("node:fs");
    fs.appendFileSync("log", "+");
    const timer = setInterval(() => {
      if (fs.readFileSync("log", "latin1").split("+").length < 3) return;
      clearInterval(timer);
      setTimeout(() => { fs.appendFileSync("log", "-"); ${print} }, 50);
    }, 10)`;
  const tokenCommand = script(mark, "{profile}");
  const profiles = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, {}]));
  const homeFolder = folderWith({
    ".referralrc": { baseUrl: api.url, tokenCommand, concurrency: 2, profiles },
  });
  expect(await main(contextOf(["test", "--all"], { homeFolder }))).toBe(0);
  let [now, most] = [0, 0];
  for (const mark of readFileSync(join(homeFolder, "log"), "utf8")) {
    now += mark === "+" ? 1 : -1;
    most = Math.max(most, now);
  }
  expect([most, now]).toEqual([2, 0]);
});

const alive = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
};

/** A command that starts another one, writes down both process ids and hangs. */
const hanging = script(
  `const child = require("node:child_process").spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"], { stdio: ["ignore", "inherit", "ignore"] });
   require("node:fs").writeFileSync("ids", process.pid + " " + child.pid);
   process.on("SIGTERM", () => {});
   setTimeout(() => {}, 60_000);`,
);

/** The processes of a command, once they run, are gone before the run is over. */
async function expectAllEnded(homeFolder: string, run: Promise<number>, interrupt: () => void, code: number) {
  const file = join(homeFolder, "ids");
  while (!existsSync(file) || readFileSync(file, "utf8") === "") await delay(20);
  const ids = readFileSync(file, "utf8").split(" ").map(Number);
  interrupt();
  expect(await run).toBe(code);
  // A killed process stays until its parent has seen it.
  for (let waited = 0; waited < 2_000 && ids.some(alive); waited += 20) await delay(20);
  expect(ids.filter(alive)).toEqual([]);
}

test("an interruption ends a command that hangs, and all processes that it started", async () => {
  const controller = new AbortController();
  const homeFolder = folderWith({ ".referralrc": { baseUrl: "https://127.0.0.1:1", tokenCommand: hanging } });
  const run = main(contextOf(["test"], { homeFolder, interrupted: controller.signal }));
  await expectAllEnded(homeFolder, run, () => controller.abort(new Interrupted("SIGTERM")), 143);
});

test("a command that hangs is ended at its deadline", async () => {
  const homeFolder = folderWith({ ".referralrc": { baseUrl: "https://127.0.0.1:1", tokenCommand: hanging } });
  const own = contextOf(["test"], { homeFolder });
  let deadline = 0;
  const runCommand: typeof own.runCommand = (words, options) => {
    deadline = options.deadlineSeconds;
    return own.runCommand(words, { ...options, deadlineSeconds: 1 });
  };
  await expectAllEnded(homeFolder, main({ ...own, runCommand }), () => {}, 3);
  expect(deadline).toBe(30);
  expect(own.stderr.text).toContain("took longer than 1 seconds");
});
