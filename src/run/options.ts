import type { CheckSettings } from "../check/prepare/prepare.ts";
import { wrongUsage } from "../errors.ts";
import type { FileReport } from "../report/report.ts";
import { standardInput } from "../settings/inputs.ts";
import type { Options } from "../settings/run-settings.ts";
import type { Context } from "../system/context.ts";
import type { Shard } from "./accounts.ts";
import { outputPath } from "./output-paths.ts";

/**
 * Every report that `test` writes to a file, by the name of its flag (`--junit <file>`): the description of the flag, and what
 * loads the code of the report.
 */
export const fileFormats = {
  junit: {
    summary: "write a JUnit report to this file as well",
    load: async () => (await import("../report/junit.ts")).junitReport,
  },
  metrics: {
    summary: "write metrics for Prometheus to this file as well",
    load: async () => (await import("../report/metrics.ts")).metricsReport,
  },
} as const satisfies Record<Lowercase<string>, { summary: string; load: () => Promise<FileReport> }>;

/** The name of a format. */
export type FormatName = keyof typeof fileFormats;
/** The names of all formats, in the order of the help. */
export const formatNames = Object.keys(fileFormats) as readonly FormatName[];

/** The options of `test` as commander parses them, and the methods that they select. */
export interface TestOptions extends Options, CheckSettings {
  readonly shard?: Shard;
  readonly json: boolean;
  readonly ndjson: boolean;
  readonly failedOnly: boolean;
  readonly quiet: boolean;
  /** Whether to show what is sent and received. */
  readonly verbose: boolean;
  readonly color: boolean;
}

/** One run of `test`: its options, and what follows from them. */
export interface TestRun extends TestOptions {
  /** Further reports to write to files; the paths are absolute. */
  readonly files: ReadonlyArray<{ readonly format: FormatName; readonly path: string }>;
}

function checkAccounts({ accounts, shard, all, profile, tokenFile, secretFile }: TestOptions): void {
  // Without several accounts, every machine of a matrix would check the same one.
  if (shard !== undefined && all !== true && profile === undefined && accounts === undefined)
    throw wrongUsage(
      "--shard divides accounts, and no account is chosen",
      "Add --all, --accounts, or --profile for each",
    );
  if (accounts === "")
    throw wrongUsage("--accounts is empty", "Write a path after it, or - for standard input");
  if (accounts === standardInput && [tokenFile, secretFile].includes(standardInput))
    throw wrongUsage(
      "The accounts and a secret cannot both come from standard input",
      "Read one of them from a file",
    );
}

/** The run that these options ask for. Throws InputError if they contradict each other. */
export function testRun(options: TestOptions, context: Context): TestRun {
  checkAccounts(options);
  const files = formatNames.flatMap((format) => {
    const { [format]: path } = options;
    return typeof path === "string" ? [{ format, path: outputPath(`--${format}`, path, context) }] : [];
  });
  return { ...options, files };
}
