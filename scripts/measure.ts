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

/** What a command costs. Throws if the command fails, since failing may be quicker. */
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

/** The number below which this part of the numbers lies. */
export function quantile(numbers: readonly number[], part: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.round((numbers.length - 1) * part)] ?? Number.NaN;
}

/** The times of all commands, by name, when the caches are warm. */
export function rounds(commands: ReadonlyMap<string, Command>): ReadonlyMap<string, readonly number[]> {
  const times = new Map([...commands.keys()].map((name) => [name, [] as number[]]));
  for (let round = -3; round < 40; round++)
    for (const [name, command] of commands) {
      const { wall } = measure(command);
      if (round >= 0) times.get(name)?.push(wall);
    }
  return times;
}

/** The median and the quartiles of the ratios of two commands, round by round. */
export function ratio(
  times: ReadonlyMap<string, readonly number[]>,
  name: string,
  other: string,
): readonly number[] {
  const others = times.get(other) ?? [];
  const ratios = (times.get(name) ?? []).map((time, round) => time / (others[round] ?? Number.NaN));
  return [0.5, 0.25, 0.75].map((part) => quantile(ratios, part));
}
