// Measures commands as whole processes, for the benchmarks.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";

/** A command: its program, its arguments, and the only variables that it gets. PEAK_MEMORY_FILE names the file of test/faults/peak-memory.cjs. */
export type Command = readonly [
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
];
/** What a command costs: milliseconds on the clock and of the processor, and its peak of memory, if it was measured. */
export interface Cost {
  readonly wall: number;
  readonly processor: number;
  readonly megabytes: number;
}

/** The processor time of all children that have ended, in milliseconds (proc(5): cutime and cstime, in ticks of 10 ms). */
function processorOfChildren(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return 10 * (Number(fields[13]) + Number(fields[14]));
}

/** What a command costs. Throws if the command fails, since a failure may be faster. */
function measure([program, args, environment]: Command): Cost {
  const before = processorOfChildren();
  const began = performance.now();
  const options = { env: environment, encoding: "utf8", maxBuffer: 1e9 } as const;
  const { status, stderr, error } = spawnSync(program, args, options);
  const wall = performance.now() - began;
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${error ?? `exit ${status}\n${stderr}`}`);
  const peakFile = environment.PEAK_MEMORY_FILE ?? "";
  const megabytes = existsSync(peakFile) ? Number(readFileSync(peakFile, "utf8")) / 1024 : Number.NaN;
  rmSync(peakFile, { force: true });
  return { wall, processor: processorOfChildren() - before, megabytes };
}

/** The median and the quartiles of these numbers. */
function quartiles(numbers: readonly number[]) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/**
 * Runs both commands in each round, so that a slow moment of the machine affects both. Returns a part of the cost of the first,
 * and its ratio to the second. Of many rounds the first three do not count.
 */
export function compare([one, other]: readonly [Command, Command], part: keyof Cost, rounds = 40) {
  const costs = Array.from(
    { length: rounds < 10 ? rounds : rounds + 3 },
    () => [measure(one)[part], measure(other)[part]] as const,
  );
  const counted = costs.slice(-rounds);
  return {
    own: quartiles(counted.map(([own]) => own)),
    ratio: quartiles(counted.map(([own, others]) => own / others)),
  };
}
