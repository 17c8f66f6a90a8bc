import type { CheckSettings } from "../check/prepare/prepare.ts";
import { wrongUsage } from "../errors.ts";
import { type FormatName, formatNames } from "../report/file-formats.ts";
import { standardInput } from "../settings/inputs.ts";
import { absolutePath } from "../settings/named-file.ts";
import type { Options } from "../settings/run-settings.ts";
import type { Context } from "../system/context.ts";
import { selectionOf } from "./setting-options.ts";

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

/** The options of `test` as commander parses them. */
export interface TestOptions extends Options, Omit<CheckSettings, "selection"> {
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
export interface TestRun extends TestOptions, CheckSettings {
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

// A report that replaced one of these files would destroy credentials.
const inputFiles = ["accounts", "config", "tokenFile", "secretFile", "caCert"];

/** The reports to write to files. Throws InputError if two of them, or one and a file that a flag names, are the same file. */
function filesOf(options: TestOptions, context: Context): TestRun["files"] {
  const pathOf = (given: string, flag: string): string =>
    absolutePath(given, context.workingFolder, `--${flag}`);
  const flagAt = new Map<string | null, string>();
  for (const name of inputFiles) {
    const given = options[name];
    const flag = name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
    if (typeof given === "string" && given !== standardInput)
      flagAt.set(context.fileKey(pathOf(given, flag)), flag);
  }
  return formatNames.flatMap((format) => {
    const given = options[format];
    if (typeof given !== "string") return [];
    if (given === "") throw wrongUsage(`--${format} is empty`, "Write a path after it");
    if (given === standardInput)
      throw wrongUsage(
        `--${format} takes a path, and - is none`,
        `Write --${format} /dev/stdout for standard output, or ./- for a file of that name`,
      );
    const path = pathOf(given, format);
    const key = context.fileKey(path);
    const other = key === null ? undefined : flagAt.get(key);
    if (other !== undefined)
      throw wrongUsage(
        `--${other} and --${format} name the same file`,
        "Write each report to a file of its own",
      );
    flagAt.set(key, format);
    return [{ format, path }];
  });
}

/** The run that these options ask for. Throws InputError if they contradict each other. */
export function testRun(options: TestOptions, context: Context): TestRun {
  checkAccounts(options);
  return { ...options, selection: selectionOf(options), files: filesOf(options, context) };
}
