import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runScheduled, type Slot } from "../../src/commands/schedule.ts";
import { numRuns } from "../properties/runs.ts";

/** A clock that a test moves. It wakes those that wait when nothing else is left to do. */
function fakeClock() {
  let now = 0;
  const sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  return {
    now: () => now,
    wait: (milliseconds: number) =>
      new Promise<void>((wake) => void sleepers.push({ until: now + milliseconds, wake })),
    /** Runs until this is over; each time that nothing happens, moves to the next who waits. */
    async runOut<Value>(over: Promise<Value>): Promise<Value> {
      let isOver = false;
      const done = (): void => {
        isOver = true;
      };
      over.then(done, done);
      while (!isOver) {
        for (let count = 0; count < 20 && !isOver; count += 1) await turn();
        sleepers.sort((one, other) => one.until - other.until);
        const next = isOver ? undefined : sleepers.shift();
        now = Math.max(now, next?.until ?? now);
        next?.wake();
      }
      return over;
    },
  };
}

interface Job {
  readonly name: string;
  /** How long the request takes, in milliseconds. */
  readonly takes?: number;
  /** How long the origin wants to be left alone afterwards. */
  readonly pause?: number;
  /** Pauses between attempts, each of which takes as long as the first. */
  readonly retries?: readonly number[];
}

/** Runs jobs, whose origin is the first letter of their name; gives when each began an attempt and when it ended. */
async function scheduled(jobs: Iterable<Job>, limit: number, ahead = 1_000) {
  const clock = fakeClock();
  const began: string[] = [];
  const ended = new Map<string, number>();
  let running = 0;
  let most = 0;
  const attempt = async ({ name, takes = 0 }: Job): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    began.push(`${name} ${clock.now()}`);
    await (takes > 0 ? clock.wait(takes) : turn());
    running -= 1;
  };
  const run = async (job: Job, slot: Slot): Promise<void> => {
    await attempt(job);
    for (const pause of job.retries ?? []) {
      await slot.wait(pause);
      await attempt(job);
    }
    if (job.pause !== undefined) slot.pauseOrigin(job.pause);
    ended.set(job.name, clock.now());
  };
  const { now, wait } = clock;
  const originOf = ({ name }: Job): string => name.charAt(0);
  await clock.runOut(runScheduled([jobs], { limit, ahead, originOf, run, now, wait }));
  return { began, ended, most };
}

const plain = (...names: readonly string[]): readonly Job[] => names.map((name) => ({ name }));

test("jobs of one origin run in their order", async () => {
  const { began } = await scheduled(plain("a1", "a2", "a3"), 1);
  expect(began).toEqual(["a1 0", "a2 0", "a3 0"]);
});

test("origins take turns, however many jobs one of them has before the others", async () => {
  const { began } = await scheduled(plain("a1", "a2", "a3", "b1", "b2"), 1);
  expect(began).toEqual(["a1 0", "b1 0", "a2 0", "b2 0", "a3 0"]);
});

test("all jobs of an origin that asks for a pause wait, in their order, and those of others do not", async () => {
  const jobs = [{ name: "a1", pause: 5_000 }, ...plain("a2", "b1", "a3", "b2")];
  expect((await scheduled(jobs, 1)).began).toEqual(["a1 0", "b1 0", "b2 0", "a2 5000", "a3 5000"]);
});

test("an origin may ask again, and of two the one that is free first goes first", async () => {
  const jobs = [
    { name: "a1", pause: 5_000 },
    { name: "b1", pause: 2_000 },
    { name: "a2", pause: 1_000 },
    { name: "b2" },
    { name: "a3" },
  ];
  expect((await scheduled(jobs, 1)).began).toEqual(["a1 0", "b1 0", "b2 2000", "a2 5000", "a3 6000"]);
});

test("a slow origin does not hold back another", async () => {
  const slow = Array.from({ length: 100 }, (_, index) => ({ name: `s${index}`, takes: 10_000 }));
  const quick = Array.from({ length: 100 }, (_, index) => ({ name: `q${index}`, takes: 10 }));

  const { ended, most } = await scheduled([...slow, ...quick], 8);

  // Half of the places suffice for all quick jobs.
  expect(Math.max(...quick.map(({ name }) => ended.get(name) ?? Number.NaN))).toBeLessThanOrEqual(250);
  expect(most).toBe(8);
});

test("no job waits for the retry pause of another, of the same origin or not", async () => {
  const retrying = { name: "a1", retries: [60_000, 60_000] };
  const { ended } = await scheduled([retrying, ...plain("a2", "a3", "b1")], 1);
  expect(Object.fromEntries(ended)).toEqual({ a1: 120_000, a2: 0, a3: 0, b1: 0 });
});

test("never more jobs run at once than the limit, whatever they pause for, and each runs once", async () => {
  const anyJob = fc.record({
    origin: fc.constantFrom("a", "b", "c"),
    takes: fc.nat(50),
    pause: fc.nat(50),
    retries: fc.array(fc.nat(50), { maxLength: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyJob, { maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 6 }),
      async (made, limit, ahead) => {
        const jobs = made.map(({ origin, ...job }, index) => ({ ...job, name: `${origin}${index}` }));
        const { ended, most } = await scheduled(jobs, limit, ahead);
        expect(most).toBeLessThanOrEqual(limit);
        expect([...ended.keys()].toSorted()).toEqual(jobs.map(({ name }) => name).toSorted());
      },
    ),
    { numRuns: Math.min(numRuns, 300) },
  );
});

test("jobs are read as they are needed, at most so many ahead", async () => {
  let finished = 0;
  let most = 0;
  let read = 0;
  function* group() {
    do {
      read += 1;
      yield read;
      most = Math.max(most, read - finished);
    } while (read % 25 > 0);
  }
  async function* groups() {
    while (read < 200) yield group();
  }
  const run = async (): Promise<void> => {
    await turn();
    finished += 1;
  };
  const { now, wait } = fakeClock();
  await runScheduled(groups(), { limit: 2, ahead: 10, originOf: () => "", run, now, wait });
  expect(finished).toBe(200);
  expect(most).toBeLessThanOrEqual(11);
});

test("all running jobs have ended when one fails, and no further one begins", async () => {
  const began: number[] = [];
  let running = 0;
  const run = async (job: number): Promise<void> => {
    began.push(job);
    running += 1;
    await turn();
    running -= 1;
    if (job === 3) throw new Error("three");
  };
  const { now, wait } = fakeClock();
  const schedule = { limit: 2, ahead: 100, originOf: () => "", run, now, wait };

  await expect(runScheduled([[1, 2, 3, 4, 5, 6, 7, 8]], schedule)).rejects.toThrow("three");
  expect(running).toBe(0);
  expect(began.length).toBeLessThan(8);
});

test.each([1, 3])("a source that fails after %i jobs ends the run with its error", async (count) => {
  function* tearing<Item>(item: Item) {
    for (let index = 0; index < count; index += 1) yield item;
    throw new Error("torn");
  }
  const run = async (): Promise<void> => turn();
  const { now, wait } = fakeClock();
  for (const groups of [[tearing(1)], tearing([1])]) {
    const schedule = { limit: 1, ahead: 2, originOf: () => "", run, now, wait };
    await expect(runScheduled(groups, schedule)).rejects.toThrow("torn");
  }
});

test("no jobs at all are no reason to wait", async () => {
  expect(await scheduled([], 3)).toMatchObject({ began: [], most: 0 });
});
