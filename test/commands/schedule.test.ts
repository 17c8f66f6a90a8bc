import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { runScheduled } from "../../src/commands/schedule.ts";

/** Runs jobs, each named by its origin and a number, of which these ask for pauses in seconds; gives what happened. */
async function scheduled(
  jobs: readonly string[],
  limit: number,
  pauses: Readonly<Record<string, number>> = {},
): Promise<readonly string[]> {
  const events: string[] = [];
  let now = 0;
  await runScheduled(jobs, {
    limit,
    originOf: (job) => job.charAt(0),
    run: async (job) => {
      events.push(job);
      await turn();
      return pauses[job] ?? 0;
    },
    now: () => now,
    wait: async (milliseconds) => {
      events.push(`${milliseconds} ms`);
      now += milliseconds;
    },
  });
  return events;
}

test("jobs run in their order", async () => {
  expect(await scheduled(["a1", "b1", "a2", "b2"], 1)).toEqual(["a1", "b1", "a2", "b2"]);
});

test("all jobs of an origin that asks for a pause are put off, in their order, and those of others are not", async () => {
  expect(await scheduled(["a1", "a2", "b1", "a3", "a4", "b2"], 1, { a1: 5 })).toEqual([
    "a1",
    "b1",
    "b2",
    "5000 ms",
    "a2",
    "a3",
    "a4",
  ]);
});

test("an origin may ask again, and of two the one that is free first goes first", async () => {
  expect(await scheduled(["a1", "b1", "a2", "b2", "a3"], 1, { a1: 5, b1: 2, a2: 1 })).toEqual([
    "a1",
    "b1",
    "2000 ms",
    "b2",
    "3000 ms",
    "a2",
    "1000 ms",
    "a3",
  ]);
});

test("a job that is a number is run like any other", async () => {
  const ran: number[] = [];
  const run = async (job: number): Promise<number> => ran.push(job) * 0;
  const wait = async (): Promise<void> => expect.unreachable();

  await runScheduled([3, 0, 2], { limit: 1, originOf: String, run, now: () => 0, wait });
  expect(ran).toEqual([3, 0, 2]);
});

test("no more jobs than the limit run at once, and all have ended when one fails", async () => {
  let running = 0;
  let most = 0;
  const run = async (job: string): Promise<number> => {
    running += 1;
    most = Math.max(most, running);
    await turn();
    running -= 1;
    if (job === "3") throw new Error("three");
    return 0;
  };
  const schedule = { limit: 2, originOf: () => "", run, now: () => 0, wait: async () => {} };

  await expect(runScheduled([..."12345678"], schedule)).rejects.toThrow("three");
  expect([most, running]).toEqual([2, 0]);
});
