import type { CheckSettings } from "../check/prepare/prepare.ts";
import { wrongUsage } from "../errors.ts";
import { type FormatName, formatNames } from "../report/file-formats.ts";
import { standardInput } from "../settings/inputs.ts";
import type { Options } from "../settings/run-settings.ts";
import type { Context } from "../system/context.ts";
import { outputPath } from "./output-paths.ts";

/** One part of the accounts: the `index`th of `count`, from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Reads `--shard i/n`. Throws InputError for anything but 1 ≤ i ≤ n. */
export function parseShard(text: string): Shard {
  const [index = 0, count = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).slice(1).map(Number);
  if (index < 1 || index > count)
    throw wrongUsage("--shard is not of the form i/n with i from 1 to n", "Write it like --shard 2/7");
  return { index, count };
}

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
