// Measures commands as whole processes, for bench.ts.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";

/** The variables that a command gets, and no others. */
export type Environment = Readonly<Record<string, string | undefined>>;
/** A command: its program, arguments and variables. PEAK_MEMORY_FILE names the file of test/faults/peak-memory.cjs. */
export type Command = readonly [program: string, args: readonly string[], environment: Environment];
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
export function measure([program, args, environment]: Command): Cost {
  const before = processorOfChildren();
  const began = process.hrtime.bigint();
  const options = { env: environment, encoding: "utf8", maxBuffer: 1e9 } as const;
  const { status, stderr, error } = spawnSync(program, args, options);
  const wall = Number(process.hrtime.bigint() - began) / 1e6;
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${error ?? `exit ${status}\n${stderr}`}`);
  const peakFile = environment.PEAK_MEMORY_FILE ?? "";
  const megabytes = existsSync(peakFile) ? Number(readFileSync(peakFile, "utf8")) / 1024 : Number.NaN;
  rmSync(peakFile, { force: true });
  return { wall, processor: processorOfChildren() - before, megabytes };
}

/** What commands cost, by their names, round by round. */
export type Costs = ReadonlyMap<string, readonly Cost[]>;

/** Runs all commands in each round. The rounds of `warmUp` do not count. */
export function rounds(commands: ReadonlyMap<string, Command>, number = 40, warmUp = 3): Costs {
  const costs = new Map([...commands.keys()].map((name) => [name, [] as Cost[]]));
  for (let round = -warmUp; round < number; round++)
    for (const [name, command] of commands) {
      const cost = measure(command);
      if (round >= 0) costs.get(name)?.push(cost);
    }
  return costs;
}

function quantile(numbers: readonly number[], part: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.round((numbers.length - 1) * part)] ?? Number.NaN;
}

/** The median of one part of what a command costs. */
export function median(costs: Costs, part: keyof Cost, name: string): number {
  return quantile(
    (costs.get(name) ?? []).map((cost) => cost[part]),
    0.5,
  );
}

/** The median and the quartiles of the ratios of two commands, round by round. */
export function ratio(costs: Costs, part: keyof Cost, name: string, other: string): readonly number[] {
  const others = costs.get(other) ?? [];
  const ratios = (costs.get(name) ?? []).map(
    (cost, round) => cost[part] / (others[round]?.[part] ?? Number.NaN),
  );
  return [0.5, 0.25, 0.75].map((at) => quantile(ratios, at));
}
