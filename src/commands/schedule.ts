/** What jobs run with, and what they ask for. */
export interface Schedule<Job> {
  /** How many jobs run at once. */
  readonly limit: number;
  readonly originOf: (job: Job) => string;
  /** Runs one job and resolves with the seconds for which its origin wants to be left alone; 0 for none. */
  readonly run: (job: Job) => Promise<number>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** What a free worker does next; `done` where nothing is left to begin. */
type Step<Job> =
  | { readonly kind: "run"; readonly job: Job }
  | { readonly kind: "wait"; readonly milliseconds: number }
  | { readonly kind: "done" };

/**
 * Runs all jobs in their order, so many at once. An origin that asks for a pause is left alone for so long, and the
 * jobs of others go on. Rejects with what the first failing job rejects with, when all that were running have ended.
 */
export async function runScheduled<Job>(jobs: readonly Job[], schedule: Schedule<Job>): Promise<void> {
  const { originOf, run, now, wait } = schedule;
  const pausedUntil = new Map<string, number>();
  const deferred = new Map<string, Job[]>();
  let position = 0;
  let stopped = false;

  function next(): Step<Job> {
    for (const [origin, queue] of deferred) {
      if ((pausedUntil.get(origin) ?? 0) > now()) continue;
      const job = queue.shift();
      if (queue.length === 0) deferred.delete(origin);
      if (job !== undefined) return { kind: "run", job };
    }
    for (; position < jobs.length; position += 1) {
      const job = jobs[position] as Job;
      const origin = originOf(job);
      if ((pausedUntil.get(origin) ?? 0) <= now() && !deferred.has(origin)) {
        position += 1;
        return { kind: "run", job };
      }
      const queue = deferred.get(origin);
      if (queue === undefined) deferred.set(origin, [job]);
      else queue.push(job);
    }
    if (deferred.size === 0) return { kind: "done" };
    const free = Math.min(...[...deferred.keys()].map((origin) => pausedUntil.get(origin) ?? 0));
    return { kind: "wait", milliseconds: Math.max(1, free - now()) };
  }

  async function work(): Promise<void> {
    while (!stopped) {
      const step = next();
      if (step.kind === "done") return;
      if (step.kind === "wait") {
        await wait(step.milliseconds);
        continue;
      }
      const pause = await run(step.job);
      if (pause > 0) pausedUntil.set(originOf(step.job), now() + pause * 1000);
    }
  }

  const workers = Array.from({ length: Math.min(schedule.limit, jobs.length) }, () =>
    work().catch((error: unknown) => {
      stopped = true;
      throw error;
    }),
  );
  const endings = await Promise.allSettled(workers);
  const failure = endings.find((ending) => ending.status === "rejected");
  if (failure !== undefined) throw failure.reason;
}
