import { resolve } from "node:path";
import { Option } from "commander";
import { requestLimit } from "../check/diagnose/request-limit.ts";
import { wrongUsage } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { fileFormats, formatNames } from "../report/file-formats.ts";
import { headings } from "../settings/definition.ts";
import { standardInput } from "../settings/inputs.ts";
import type { Options } from "../settings/run-settings.ts";
import type { Context } from "../system/context.ts";
import type { DeclareCommand } from "./declare-command.ts";
import {
  addSettings,
  addUnder,
  colorOption,
  onceOnly,
  printWarnings,
  selectionOf,
} from "./setting-options.ts";
import { parseShard, type Shard } from "./shard.ts";
import type { TestRun } from "./test-run.ts";

const exitCodeHelp = exitCodes
  .map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`)
  .join("\n");

const help = `
Exit codes:
${exitCodeHelp}

Examples:
  $ REFERRAL_TOKEN=… referral-auth test --base-url https://api.example.com/v1
  $ referral-auth test --wsse --username me@example.com --secret-file secret.txt`;

interface TestOptions extends Options, Omit<TestRun, "warn" | "settings" | "shard" | "selection" | "files"> {
  readonly accounts?: string;
  readonly shard?: Shard;
}

function checkAccounts({ accounts, shard, all, profile, tokenFile, secretFile }: TestOptions): void {
  // Without several accounts, every machine of a matrix would check the same one.
  if (shard !== undefined && all !== true && profile === undefined && accounts === undefined) {
    throw wrongUsage(
      "--shard divides accounts, and no account is chosen",
      "Add --all, --accounts, or --profile for each",
    );
  }
  if (accounts === "") {
    throw wrongUsage("--accounts is empty", "Write a path after it, or - for standard input");
  }
  if (accounts === standardInput && [tokenFile, secretFile].includes(standardInput)) {
    throw wrongUsage(
      "The accounts and a secret cannot both come from standard input",
      "Read one of them from a file",
    );
  }
}

// A report that replaced one of these files would destroy credentials.
const inputFiles = ["accounts", "config", "tokenFile", "secretFile", "caCert"];

/** The reports to write to files. Throws InputError if two of them, or one and a file that a flag names, are the same file. */
function fileOptions(options: TestOptions, context: Context): TestRun["files"] {
  const pathOf = (given: string): string => resolve(context.workingFolder ?? "/", given);
  const flagAt = new Map<string | null, string>();
  for (const name of inputFiles) {
    const given = options[name];
    const flag = name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
    if (typeof given === "string" && given !== standardInput)
      flagAt.set(context.fileKey(pathOf(given)), flag);
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
    const path = pathOf(given);
    const key = context.fileKey(path);
    const other = key === null ? undefined : flagAt.get(key);
    if (other !== undefined) {
      throw wrongUsage(
        `--${other} and --${format} name the same file`,
        "Write each report to a file of its own",
      );
    }
    flagAt.set(key, format);
    return [{ format, path }];
  });
}

/** Declares `test`: checks credentials with GET {base_url}/test-authentication. */
export const addTestCommand: DeclareCommand = (program, context, exitWith) => {
  const command = program
    .command("test")
    .summary("check credentials")
    .description(
      "Checks credentials with GET {base_url}/test-authentication. Without --token or --wsse it checks every method whose credentials are set.",
    );
  addSettings(command, { severalProfiles: true });
  command
    .optionsGroup(headings.accounts)
    .addOption(
      onceOnly(
        new Option(
          "--accounts <file>",
          "accounts to check, one JSON object per line; - for standard input",
        ).conflicts(["profile", "all"]),
      ),
    )
    .addOption(onceOnly(new Option("--shard <i/n>", "check only part i of n of the accounts"), parseShard))
    .optionsGroup(headings.request)
    .option("--insecure-http", "allow http:// to a host that is not loopback", false)
    .option(
      "--diagnose",
      `find out why a credential is refused, with at most ${requestLimit} further requests for each refused credential`,
      false,
    )
    .optionsGroup(headings.output)
    .addOption(new Option("--json", "print one JSON document").default(false).conflicts("ndjson"))
    .option("--ndjson", "print one line of JSON for each check as soon as it is finished", false);
  for (const format of formatNames) {
    command.addOption(onceOnly(new Option(`--${format} <file>`, fileFormats[format].summary)));
  }
  command
    .option("--failed-only", "leave accepted checks out of the text report", false)
    .option("--quiet", "print no text report; only the exit code tells the result", false)
    .option("--verbose", "show what was sent and received, credentials masked, on standard error", false)
    .option(...colorOption);
  addUnder(command, "conventions");
  command.addHelpText("after", help).action(async (options: TestOptions) => {
    const { runTest } = await import("./test-run.ts");
    checkAccounts(options);
    const run: TestRun = {
      ...options,
      warn: () => printWarnings(options, context),
      settings: options,
      shard: options.shard ?? null,
      selection: selectionOf(options),
      files: fileOptions(options, context),
    };
    exitWith(await runTest(run, context));
  });
};
