// `test`: declares its options in the order of the help, and starts the run. What they mean together is in run/options.ts.

import { Option } from "commander";
import { requestLimit } from "../check/changes.ts";
import { endingSignals } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { fileFormats, formatNames, type TestRun, testRun } from "../run/options.ts";
import { headings } from "../settings/definition.ts";
import { addResolution } from "../settings/resolution.ts";
import {
  addAccounts,
  addCredentials,
  addUnder,
  colorOption,
  type DeclareCommand,
  selectedBy,
} from "./setting-options.ts";

const codes = exitCodes.filter(({ code }) => code < 128);
const signalCodes = exitCodes.filter((one) => !codes.includes(one)).map(({ code }) => code);

const exitCodeHelp = `
Exit codes:
${codes.map(({ code, meaning }) => `  ${code}  ${meaning}`).join("\n")}
  ${signalCodes.join(", ")}  ended by ${endingSignals.join(", ")}`;

const description = `Checks credentials with GET {base_url}/test-authentication. Without --token or --wsse it checks each credential that is set; with a profile, only its own.

Examples:
  $ REFERRAL_TOKEN=… referral-auth test --base-url https://api.example.com/v1
  $ referral-auth test --wsse --username me@example.com --secret-file secret.txt`;

/** Declares `test`: checks credentials with GET {base_url}/test-authentication. */
export const addTestCommand: DeclareCommand = (program, context, exitWith) => {
  const command = program.command("test").summary("check credentials").description(description);
  addCredentials(command);
  command
    .optionsGroup(headings.request)
    .option(
      "--diagnose",
      `find out why a credential is refused, with at most ${requestLimit} further requests; after an acceptance, whether anybody is accepted, with one`,
      false,
    );
  addUnder(command, "request");
  const resolve = new Option(
    "--resolve <host:port:address>",
    "connect to this address instead of looking the API's host up; may be repeated",
  );
  command.addOption(resolve.argParser(addResolution));
  command.option("--insecure-http", "allow http:// to a host that is not loopback", false);
  addAccounts(command, true);
  addUnder(command, "accounts");
  const accounts = new Option(
    "--accounts <file>",
    "accounts to check: CSV, or one JSON object a line; - for stdin",
  );
  command.addOption(accounts.conflicts(["profile", "all"]));
  command
    .optionsGroup(headings.output)
    .addOption(new Option("--json", "print one JSON document").default(false).conflicts("ndjson"))
    .option("--ndjson", "print one line of JSON for each finished check", false);
  for (const format of formatNames) command.option(`--${format} <file>`, fileFormats[format].summary);
  command
    .option("--failed-only", "leave accepted checks out of the text report", false)
    .option("--quiet", "print no text report", false)
    .option("-v, --verbose", "show requests and responses, without secrets", false)
    .option(...colorOption);
  addUnder(command, "conventions");
  command.addHelpText("after", exitCodeHelp).action(async (options: Omit<TestRun, "selected" | "files">) => {
    const { runTest } = await import("../run/run.ts");
    const run = testRun({ ...options, selected: selectedBy(options) }, context);
    exitWith(await runTest(run, context));
  });
};
