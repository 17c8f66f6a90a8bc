import type { Option } from "commander";
import { type AllOptions, optionRows, readOptions } from "../emulator/options.ts";
import { wrongUsage } from "../errors.ts";
import type { Context } from "../system/context.ts";
import type { DeclareCommand } from "./declare-command.ts";
import { helpOption, onceOnly } from "./setting-options.ts";

const help = `
Without a command it prints shell variables that tell a client how to reach it,
and runs until it is interrupted. With a command it sets REFERRAL_BASE_URL,
REFERRAL_TOKEN, REFERRAL_USERNAME and REFERRAL_SECRET for the command, and exits
with the command's code: 127 if it is not found, 126 if it cannot be executed.
The first word that is not an option starts the command; options after it belong
to the command.

It logs each refusal and its reason to standard error. It accepts any nonce of 1
to 128 printable characters and any calendar date and time of ISO 8601 with a
time zone, and logs a note if they differ from the API's specification.

Examples:
  $ referral-auth emulator referral-auth test --token --quiet
  $ referral-auth emulator --clock-offset 400 --explain npm test
  $ referral-auth emulator --host 0.0.0.0 --port 8080 --allow-host referral-api`;

/** Declares `emulator`: runs a local server of the API, alone or for the duration of a command. */
export const addEmulatorCommand: DeclareCommand = (program, context, exitWith) => {
  // Commander requires enablePositionalOptions() on the program for passThroughOptions() on a command.
  const command = program
    .enablePositionalOptions()
    .command("emulator")
    .summary("run a local server of the API")
    .description("Serves {base_url}/test-authentication on 127.0.0.1, to try a client without an account.")
    .argument("[command...]", "command to run against it")
    .passThroughOptions();

  function declare(flags: string, summary = "", choices?: readonly string[]): Option {
    const option = onceOnly(command.createOption(flags, summary), (text) => text, choices);
    command.addOption(option);
    return option;
  }
  const declared = new Map<string, Option>();
  function declareGroup(wanted: string): void {
    for (const [name, { flag = "", group, summary, fallback, choices }] of optionRows) {
      if (group !== wanted) continue;
      const option = declare(flag, summary, choices);
      declared.set(name, option);
      if (Array.isArray(fallback)) option.argParser((text, before: string[] = []) => [...before, text]);
    }
  }

  command.optionsGroup("Credentials:");
  declare("--token <value>", "token to accept (default random)");
  declare("--username <email>", "username to accept (default random)");
  declare("--secret <value>", "secret to accept (default random)");
  declare("--accounts <file>", "accounts to accept, one per line as for test --accounts").conflicts([
    "token",
    "username",
    "secret",
  ]);
  declareGroup("Credentials:");
  command.optionsGroup("Server:");
  declareGroup("Server:");
  command.optionsGroup("Output:");
  declare("--ready-file <path>", "file that has URL and accounts in JSON while it listens");
  command.option("--json", "print URL and accounts in JSON instead of variables");

  // Declared last, so that the help lists it in the last group.
  command.helpOption(...helpOption);
  command.addHelpText("after", help).action(async (words: readonly string[], flags: Flags) => {
    const given = [...declared].map(([name, option]) => [name, flags[option.attributeName()]]);
    const nameOf = (name: string): string => declared.get(name)?.long ?? name;
    const options = readOptions(Object.fromEntries(given), { kind: "usage", nameOf });
    exitWith(await run(options, flags, words, context));
  });
};

/** The flags that are no options of `startEmulator`, and the others, which are not read yet. */
interface Flags {
  readonly accounts?: string;
  readonly readyFile?: string;
  readonly json?: boolean;
  readonly [attribute: string]: unknown;
}

async function run(
  options: AllOptions,
  { accounts: path, readyFile, json, token, username, secret }: Flags,
  words: readonly string[],
  context: Context,
): Promise<number> {
  if (json === true && words.length > 0) {
    const message = "--json cannot be used with a command, which has standard output for itself";
    throw wrongUsage(message, "Use --ready-file, or leave out the command");
  }
  const credentials = { token, username, secret };
  const [{ runSession }, { accountsOf }] = await Promise.all([
    import("../emulator/session.ts"),
    import("./emulator-accounts.ts"),
  ]);
  const accounts = await accountsOf(path, credentials, options, context);
  return runSession({ ...options, accounts, readyFile, json }, words, context);
}
