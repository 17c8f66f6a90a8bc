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

/** What commands cost, by their names, round by round. */
type Costs = ReadonlyMap<string, readonly Cost[]>;

/** Runs all commands in each round, so that a slow moment of the machine affects all. Of many rounds the first three do not count. */
export function rounds(commands: Readonly<Record<string, Command>>, number = 40): Costs {
  const costs = new Map<string, Cost[]>(Object.keys(commands).map((name) => [name, []]));
  for (let round = number < 10 ? 0 : -3; round < number; round++)
    for (const [name, command] of Object.entries(commands)) {
      const cost = measure(command);
      if (round >= 0) costs.get(name)?.push(cost);
    }
  return costs;
}

/** The median and the quartiles of a part of the cost; with `other`, of the ratio to that command in the same round. */
export function quartiles(costs: Costs, part: keyof Cost, name: string, other?: string) {
  const others = other === undefined ? [] : costs.get(other);
  const numbers = (costs.get(name) ?? [])
    .map((cost, round) => cost[part] / (others?.[round]?.[part] ?? 1))
    .sort((a, b) => a - b);
  const at = (share: number): number => numbers[Math.round((numbers.length - 1) * share)] ?? Number.NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}
