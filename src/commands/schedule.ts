/** What a running job can ask for. */
export interface Slot {
  /** Waits this many milliseconds. Meanwhile another job can run. */
  wait(milliseconds: number): Promise<void>;
  /** Starts no further job of this origin for this many milliseconds. */
  pauseOrigin(milliseconds: number): void;
}

/** How jobs are run. */
export interface Schedule<Job> {
  /** How many jobs run at once. */
  readonly limit: number;
  /** The largest number of jobs that are read and not finished. */
  readonly ahead: number;
  readonly originOf: (job: Job) => string;
  readonly run: (job: Job, slot: Slot) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** The jobs of one origin that have not begun, and how many of its jobs run. */
interface Origin<Job> {
  readonly waiting: Job[];
  running: number;
  pausedUntil: number;
}

/** Jobs in groups: those that can be read without waiting. */
type JobGroups<Job> = Iterable<Iterable<Job>> | AsyncIterable<Iterable<Job>>;

/**
 * Runs all jobs and reads them as they are needed. A free place goes to the origin with the fewest running jobs, so that a
 * slow origin does not delay another. If a job or the source fails, it waits until the running jobs have ended, and rejects
 * with the first error.
 */
export async function runScheduled<Job>(groups: JobGroups<Job>, schedule: Schedule<Job>): Promise<void> {
  const scheduler = new Scheduler(schedule);
  await scheduler.runAll(groups);
}

class Scheduler<Job> {
  readonly #schedule: Schedule<Job>;
  readonly #origins = new Map<string, Origin<Job>>();
  /** Resumes the jobs that have waited and need a free place. */
  readonly #returning: Array<() => void> = [];
  #running = 0;
  #begun = 0;
  #unfinished = 0;
  #allRead = false;
  #fillIsDue = false;
  #timerUntil = Number.POSITIVE_INFINITY;
  #failure: { readonly error: unknown } | null = null;
  #readOn: (() => void) | null = null;
  #end: () => void = () => {};

  constructor(schedule: Schedule<Job>) {
    this.#schedule = schedule;
  }

  async runAll(groups: JobGroups<Job>): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#end = resolve;
      this.#read(groups).catch((error: unknown) => this.#fail(error));
    });
    if (this.#failure !== null) throw this.#failure.error;
  }

  async #read(groups: JobGroups<Job>): Promise<void> {
    for await (const group of groups) {
      for (const job of group) {
        this.#add(job);
        while (this.#unfinished >= this.#schedule.ahead && this.#failure === null) {
          await new Promise<void>((resolve) => {
            this.#readOn = resolve;
          });
        }
        if (this.#failure !== null) return;
      }
    }
    this.#allRead = true;
    this.#fill();
  }

  #add(job: Job): void {
    const name = this.#schedule.originOf(job);
    const origin = this.#origins.get(name) ?? { waiting: [], running: 0, pausedUntil: 0 };
    this.#origins.set(name, origin);
    origin.waiting.push(job);
    this.#unfinished += 1;
    if (this.#fillIsDue) return;
    this.#fillIsDue = true;
    // First read all jobs that are available now: then there are more origins to choose from.
    setImmediate(() => {
      this.#fillIsDue = false;
      this.#fill();
    });
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#readOn?.();
    this.#fill();
  }

  #fill(): void {
    const { limit } = this.#schedule;
    while (this.#running < limit) {
      const resume = this.#returning.shift();
      if (resume !== undefined) {
        this.#running += 1;
        resume();
      } else if (this.#failure !== null || !this.#startNext()) break;
    }
    const isOver = this.#failure === null ? this.#allRead && this.#unfinished === 0 : this.#begun === 0;
    if (isOver) this.#end();
    else if (this.#failure === null && this.#running < limit) this.#wakeAfterPause();
  }

  /** Starts a job of the origin with the fewest running jobs. Returns false if none can start now. */
  #startNext(): boolean {
    const now = this.#schedule.now();
    let next: readonly [string, Origin<Job>] | null = null;
    for (const [name, origin] of this.#origins) {
      if (origin.pausedUntil > now) continue;
      if (origin.waiting.length === 0) {
        if (origin.running === 0) this.#origins.delete(name);
        continue;
      }
      if (next === null || origin.running < next[1].running) next = [name, origin];
      if (origin.running === 0) break;
    }
    if (next === null) return false;
    const [name, origin] = next;
    // Origins with equally few jobs take turns.
    this.#origins.delete(name);
    this.#origins.set(name, origin);
    this.#start(origin.waiting.shift() as Job, origin);
    return true;
  }

  #start(job: Job, origin: Origin<Job>): void {
    const { run, now, wait } = this.#schedule;
    const take = (change: 1 | -1): void => {
      this.#running += change;
      origin.running += change;
    };
    take(1);
    this.#begun += 1;
    const slot: Slot = {
      wait: async (milliseconds) => {
        take(-1);
        this.#fill();
        await wait(milliseconds).finally(() => {
          origin.running += 1;
          return new Promise<void>((resolve) => {
            this.#returning.push(resolve);
            this.#fill();
          });
        });
        if (this.#failure !== null) throw this.#failure.error;
      },
      pauseOrigin: (milliseconds) => {
        origin.pausedUntil = Math.max(origin.pausedUntil, now() + milliseconds);
      },
    };
    run(job, slot)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        take(-1);
        this.#begun -= 1;
        this.#unfinished -= 1;
        this.#readOn?.();
        this.#fill();
      });
  }

  /** Tries again when the first pause of an origin with waiting jobs is over. */
  #wakeAfterPause(): void {
    const pauses = [...this.#origins.values()]
      .filter(({ waiting }) => waiting.length > 0)
      .map(({ pausedUntil }) => pausedUntil);
    const first = Math.min(...pauses);
    const now = this.#schedule.now();
    if (pauses.length === 0 || first >= this.#timerUntil) return;
    this.#timerUntil = first;
    this.#schedule.wait(Math.max(1, first - now)).then(
      () => {
        if (this.#timerUntil === first) this.#timerUntil = Number.POSITIVE_INFINITY;
        this.#fill();
      },
      (error: unknown) => this.#fail(error),
    );
  }
}
