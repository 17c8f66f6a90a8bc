import type { Command } from "commander";
import { maxExperiments } from "../check/experiment-limit.ts";
import { InputError } from "../errors.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { fileFormats, formatNames } from "../report/file-formats.ts";
import type { Context } from "../system/context.ts";
import {
  addColor,
  addSettings,
  optionGroups,
  type ParsedOptions,
  printWarnings,
  selectionOf,
  sourceOptions,
} from "./setting-options.ts";
import { parseShard, type Shard } from "./shard.ts";

const exitCodeHelp = exitCodes
  .map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`)
  .join("\n");

const help = `
Exit codes:
${exitCodeHelp}

Examples:
  $ REFERRAL_TOKEN=… referral-auth test --base-url https://api.example.com/v1
  $ referral-auth test --wsse --username me@example.com --secret-file secret.txt`;

interface TestOptions extends ParsedOptions {
  readonly shard?: Shard;
}

// Every machine of a matrix would check the same single account.
function shardOption({ shard, all, profile }: TestOptions): Shard | null {
  if (shard === undefined) return null;
  if (all !== true && profile === undefined) {
    throw new InputError(
      "usage",
      "--shard divides profiles, and no profile is chosen",
      "Add --all, or --profile for each",
    );
  }
  return shard;
}

/** Declares `test`: checks credentials with GET {base_url}/test-authentication. */
export function addTestCommand(program: Command, context: Context, exitWith: (code: ExitCode) => void): void {
  const command = program
    .command("test")
    .summary("check credentials")
    .description(
      "Checks credentials with GET {base_url}/test-authentication. Without --token or --wsse it checks every method whose credentials are set.",
    );
  addSettings(command, { severalProfiles: true });
  command
    .optionsGroup(optionGroups.accounts)
    .option("--shard <i/n>", "check only part i of n of the profiles", parseShard)
    .optionsGroup(optionGroups.request)
    .option("--insecure-http", "allow http:// to a host that is not loopback")
    .option(
      "--diagnose",
      `find out why a credential is refused, with at most ${maxExperiments} further requests`,
    )
    .optionsGroup(optionGroups.output)
    .option("--json", "print one JSON document");
  for (const format of formatNames) command.option(`--${format} <file>`, fileFormats[format].summary);
  command
    .option("--quiet", "print no report; only the exit code tells the result")
    .option("--verbose", "show what was sent and received, credentials masked, on standard error");
  addColor(command);
  command.addHelpText("after", help).action(async (options: TestOptions) => {
    const { runTest } = await import("./test-run.ts");
    await printWarnings(options, context);
    const files = formatNames.flatMap((format) => {
      const path = options[format];
      return typeof path === "string" ? [{ format, path }] : [];
    });
    exitWith(
      await runTest(
        {
          sources: sourceOptions(options),
          shard: shardOption(options),
          selection: selectionOf(options),
          insecureHttp: options.insecureHttp === true,
          diagnose: options.diagnose === true,
          verbose: options.verbose === true,
          json: options.json === true,
          files,
          quiet: options.quiet === true,
          color: options.color !== false,
        },
        context,
      ),
    );
  });
}
