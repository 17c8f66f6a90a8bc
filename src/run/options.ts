// The options of `test` together: which contradict each other, which reports go to files, and which accounts are chosen.

import type { CheckSettings } from "../check/prepare/prepare.ts";
import { wrongUsage } from "../errors.ts";
import type { FileReport } from "../report/report.ts";
import type { Account, Accounts } from "../settings/accounts-file.ts";
import { outputPath, standardInput } from "../settings/files.ts";
import type { Options } from "../settings/run-settings.ts";
import type { Context } from "../system/context.ts";

/** Every report that `test` writes to a file, by the name of its flag: the flag's description, and what loads the report's code. */
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

/** The names of all formats, in the order of the help. */
export const formatNames = Object.keys(fileFormats) as ReadonlyArray<keyof typeof fileFormats>;

/** One run of `test`: its options as commander parses them, and what follows from them. */
export interface TestRun
  extends Options,
    CheckSettings,
    Readonly<Partial<Record<keyof typeof fileFormats, string>>> {
  readonly json: boolean;
  readonly ndjson: boolean;
  readonly failedOnly: boolean;
  readonly quiet: boolean;
  /** Whether to show what is sent and received. */
  readonly verbose: boolean;
  readonly color: boolean;
  /** Further reports to write to files; the paths are absolute. */
  readonly files: ReadonlyArray<{ readonly format: keyof typeof fileFormats; readonly path: string }>;
}

/** The run that these options ask for. Throws InputError if they contradict each other. */
export function testRun(options: Omit<TestRun, "files">, context: Context): TestRun {
  const { accounts, tokenFile, secretFile } = options;
  if (accounts === standardInput && [tokenFile, secretFile].includes(standardInput))
    throw wrongUsage(
      "The accounts and a secret cannot both come from standard input",
      "Read one of them from a file",
    );
  const files = formatNames.flatMap((format) => {
    const { [format]: path } = options;
    return path !== undefined ? [{ format, path: outputPath(`--${format}`, path, context) }] : [];
  });
  return { ...options, files };
}

/** The profiles, or the lines of `--accounts`, which are read until `stop`. Rejects with InputError. */
export async function chosenAccounts(
  { accounts: path, files }: TestRun,
  profiles: readonly (string | null)[],
  context: Context,
  stop: AbortSignal,
): Promise<Accounts> {
  if (path !== undefined) {
    const { openAccounts } = await import("../settings/accounts-file.ts");
    // Reports in files identify an account by its name.
    return openAccounts(path, files.length > 0, context, stop);
  }
  const none = { line: null, csv: null, own: null, error: null, isLast: false, isRepeated: false, share: 1 };
  const accounts = profiles.map((profile, index): Account => ({ ...none, profile, position: index + 1 }));
  return {
    accounts: () => accounts,
    left: new Set(accounts),
    total: accounts.length,
    whole: accounts.length,
    reading: { linesRead: null, isCsv: false, allRead: true },
  };
}
