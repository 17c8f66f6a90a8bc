import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { progressLine, progressOf } from "../../src/report/progress.ts";
import { contextOf } from "../support/run.ts";

test.each([
  [80, {}, "[#########...........] 9600 done, 80 failed, about 26 s left"],
  [80, { seconds: 2_001, share: 0.4 }, "[########............] 9600 done, 80 failed, about 51 minutes left"],
  [80, { seconds: 0.9 }, "[#########...........] 9600 done, 80 failed"],
  [80, { done: 0, failed: 0, share: 0 }, "[....................] 0 done, 0 failed"],
  [80, { share: 1 }, "[####################] 9600 done, 80 failed"],
  [80, { share: null }, "9600 done, 80 failed"],
  [40, {}, "[#########...........] 9600 done, 80"],
])("in %i columns, %j is one line", (columns, run, line) => {
  const { share, ...counts } = { done: 9_600, failed: 80, share: 0.48, seconds: 23.5, ...run };
  const shown = progressLine(counts, share, columns);
  expect(shown).toBe(line);
  expect(shown.length).toBeLessThan(columns);
});

/** What a terminal gets while the checks of a file of 1,000 bytes are finished. */
function onTerminal({ quiet = false, isTerminal = true, environment = {} } = {}) {
  const writes: string[] = [];
  const write = async (text: string) => void writes.push(text);
  const given = contextOf(["test"], { environment: { TERM: "xterm", ...environment } });
  let now = 0;
  const context = { ...given, stderr: { isTerminal, columns: 80, write }, now: () => now };
  const accounts = { total: null, whole: 1_000 };
  const progress = progressOf({ quiet, json: false, verbose: false }, accounts, context);
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { progress, writes, pass };
}

test("the line is drawn at most ten times a second, however many checks are finished and printed", async () => {
  const { progress, writes, pass } = onTerminal();
  const begun = performance.now();
  for (let index = 0; index < 400; index += 1) {
    pass(5);
    progress.finished(index % 4 !== 0, 1);
    await progress.context.stderr.write("a result\n");
    await delay(0);
  }
  await delay(250);
  progress.end();
  const most = (performance.now() - begun) / 100 + 2;
  const drawn = writes.filter((text) => text.includes(" done, "));
  expect(drawn.length).toBeLessThan(most);
  const counts = "400 done, 100 failed, about 3 s left";
  expect(drawn.at(-1)).toBe(`\r\u001b[2K[########............] ${counts}`);
  expect(writes.filter((text) => text === "a result\n")).toHaveLength(400);
  expect(writes.at(-1)).toBe("\r\u001b[2K");
});

test.each([
  ["a pipe", { isTerminal: false }],
  ["CI", { environment: { CI: "true" } }],
  ["--quiet", { quiet: true }],
  ["a dumb terminal", { environment: { TERM: "dumb" } }],
])("nothing is drawn with %s", (_, options) => {
  const { progress, writes } = onTerminal(options);
  progress.finished(true, 500);
  progress.end();
  expect(writes).toEqual([]);
});
