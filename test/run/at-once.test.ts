import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Places } from "../../src/check/turns.ts";
import { runAtOnce } from "../../src/run/at-once.ts";
import { numRuns } from "../properties/runs.ts";

interface Job {
  readonly name: string;
  /** How many turns of the event loop it runs before and after it waits aside. */
  readonly takes?: number;
  /** How many turns it waits aside, once for each number. */
  readonly waits?: readonly number[];
}

const turns = async (count: number): Promise<void> => {
  for (let done = 0; done < count; done += 1) await turn();
};

/** Runs the jobs, and gives which began and ended in which order, and the most that ran at once. */
async function ran(jobs: Iterable<Job> | AsyncIterable<Job>, limit: number) {
  const began: string[] = [];
  const ended: string[] = [];
  let running = 0;
  let mostRunning = 0;
  const work = async (count: number): Promise<void> => {
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    await turns(count);
    running -= 1;
  };
  const places = new Places(limit);
  await runAtOnce(jobs, places, new AbortController(), async ({ name, takes = 1, waits = [] }) => {
    began.push(name);
    await work(takes);
    for (const wait of waits) {
      await places.aside(turns(wait));
      await work(takes);
    }
    ended.push(name);
  });
  return { began, ended, mostRunning };
}

const plain = (count: number): readonly Job[] =>
  Array.from({ length: count }, (_, index) => ({ name: `${index}` }));

test("a job that waits aside holds back no other, and is the next to go on", async () => {
  const { ended } = await ran([{ name: "waits", waits: [6, 2] }, ...plain(20)], 1);
  expect(ended).toHaveLength(21);
  expect(ended.indexOf("waits")).toBeGreaterThan(3);
  expect(ended.indexOf("waits")).toBeLessThan(15);
});

test("never more jobs run than the limit, and each runs once", async () => {
  const job = fc.record({ takes: fc.nat(3), waits: fc.array(fc.nat(60), { maxLength: 2 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(job, { maxLength: 80 }),
      fc.integer({ min: 1, max: 3 }),
      async (made, limit) => {
        const jobs = made.map((one, index) => ({ ...one, name: `${index}` }));
        const { began, ended, mostRunning } = await ran(jobs, limit);
        expect(mostRunning).toBeLessThanOrEqual(limit);
        expect(began).toEqual(jobs.map(({ name }) => name));
        expect(ended.toSorted()).toEqual(began.toSorted());
      },
    ),
    { numRuns: Math.min(numRuns, 200) },
  );
});

test("a source is read until 4,096 jobs wait aside", async () => {
  const places = new Places(2);
  let read = 0;
  function* source() {
    while (read < 5_000) {
      read += 1;
      yield read;
    }
  }
  let end = (): void => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const run = runAtOnce(source(), places, new AbortController(), () => places.aside(over));
  // All that can be read is read in one turn.
  await turns(3);
  expect(read).toBe(4_098);
  end();
  await run;
  expect(read).toBe(5_000);
});

test("if a job fails, no further one begins, the running ones end, and a source that waits is told", async () => {
  const stop = new AbortController();
  const began: number[] = [];
  let running = 0;
  async function* source() {
    yield* [1, 2, 3, 4];
    // Like standard input that stays open.
    await new Promise((_, reject) => stop.signal.addEventListener("abort", () => reject(stop.signal.reason)));
  }
  const job = async (item: number): Promise<void> => {
    began.push(item);
    running += 1;
    await turns(item === 4 ? 2 : 10);
    running -= 1;
    if (item === 4) throw new Error("four");
  };
  await expect(runAtOnce(source(), new Places(8), stop, job)).rejects.toThrow("four");
  expect([began, running]).toEqual([[1, 2, 3, 4], 0]);

  const long = runAtOnce(plain(100), new Places(2), new AbortController(), async ({ name }) => {
    began.push(Number(name));
    await turn();
    if (name === "7") throw new Error("seven");
  });
  await expect(long).rejects.toThrow("seven");
  expect(began.at(-1)).toBeLessThan(10);
});
