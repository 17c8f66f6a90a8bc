import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { progressLine, progressOf } from "../../src/report/progress.ts";
import { contextOf } from "../support/run.ts";

const known = {
  done: 9_600,
  failed: 80,
  total: null,
  share: 0.48,
  perSecond: 412.3,
  secondsLeft: 25.2,
  heldSeconds: null,
};

test.each<readonly [columns: number, run: object, line: string]>([
  [80, {}, "[##############................] 9600 done, 80 failed, 412/s, about 26 s left"],
  [40, {}, "[###....] 9600 done 80 failed 412/s 26s"],
  [40, { done: 148_000, failed: 12_345 }, "[..] 148000 done 12345 failed 412/s 26s"],
  [
    80,
    { total: 20_000, perSecond: 9.96, secondsLeft: 1_040 },
    "[##########............] 9600 of 20000 done, 80 failed, 10/s, about 18 min left",
  ],
  [40, { total: 20_000, perSecond: 9.96, secondsLeft: 1_040 }, "[##....] 9600 done 80 failed 10/s 18min"],
  [
    80,
    { perSecond: null, secondsLeft: null, done: 0, failed: 0, share: 0 },
    "[..............................] 0 done, 0 failed",
  ],
  [
    80,
    { heldSeconds: 11.5 },
    "[#############................] 9600 done, 80 failed, held back by 429 for 12 s",
  ],
  [40, { heldSeconds: 11.5 }, "9600 done held back by 429 for 12 s"],
  [20, {}, "9600 done 80 failed"],
  [8, {}, "9600"],
  [80, { share: null, secondsLeft: null }, "9600 done, 80 failed, 412/s"],
  [
    80,
    { secondsLeft: 100_000, share: 1 },
    "[##############################] 9600 done, 80 failed, 412/s, about 28 h left",
  ],
])("in %i columns, %j is one line", (columns, run, line) => {
  const shown = progressLine({ ...known, ...run } as typeof known, columns);
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
  const accounts = { several: true, total: null, whole: 1_000 };
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
  const counts = "400 done, 100 failed, 200/s, about 3 s left";
  expect(drawn.at(-1)).toBe(`\r\u001b[2K[############..................] ${counts}`);
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

test("while a 429 holds back the run, the line counts the seconds down, also if nothing is finished", async () => {
  const { progress, writes, pass } = onTerminal();
  let until: number | null = 3_000;
  progress.shows(() => until);
  progress.finished(true, 10);
  await delay(150);
  pass(1_000);
  await delay(250);
  until = null;
  await delay(250);
  progress.end();
  const shown = writes.map((text) => /held back.*|[.\d]+\/s|\d done, \d failed$/.exec(text)?.[0] ?? "");
  expect(shown).toEqual([
    "0 done, 0 failed",
    "held back by 429 for 3 s",
    "held back by 429 for 2 s",
    "1.0/s",
    "",
  ]);
});
