import type { Command } from "commander";
import type { Context } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import {
  addColor,
  addSelection,
  addSettings,
  addSources,
  exposedSecrets,
  type ParsedOptions,
  selectionOf,
  sourceOptions,
} from "./options.ts";

const exitCodeHelp = exitCodes
  .map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`)
  .join("\n");

const help = `
Exit codes:
${exitCodeHelp}

Examples:
  $ REFERRAL_TOKEN=… referral-auth test --base-url https://api.example.com/v1
  $ referral-auth test --wsse --username me@example.com --secret-file - --json < secret.txt
`;

/** Declares `test`: checks credentials with GET {base_url}/test-authentication. */
export function addTestCommand(program: Command, context: Context, exitWith: (code: ExitCode) => void): void {
  const command = program
    .command("test")
    .summary("check credentials")
    .description(
      "Checks credentials with GET {base_url}/test-authentication. Without a selector: every method that has some.",
    );
  addSelection(command);
  addSettings(command);
  addSources(command, false);
  command
    .option("--insecure-http", "allow http:// to a host that is not loopback")
    .option("--diagnose", "find out why a credential is refused, by at most 14 further requests")
    .option("--json", "print one JSON document")
    .option("--quiet", "print no report; the exit code tells")
    .option("--verbose", "show what was sent and received, credentials masked, on standard error");
  addColor(command);
  command.addHelpText("after", help).action(async (options: ParsedOptions) => {
    const { runTest } = await import("./test-run.ts");
    const warning = exposedSecrets(options);
    if (warning !== null) await context.stderr.write(warning);
    exitWith(
      await runTest(
        {
          sources: sourceOptions(options),
          selection: selectionOf(options),
          insecureHttp: options.insecureHttp === true,
          diagnose: options.diagnose === true,
          verbose: options.verbose === true,
          json: options.json === true,
          quiet: options.quiet === true,
          color: options.color !== false,
        },
        context,
      ),
    );
  });
}
