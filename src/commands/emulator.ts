import { Option } from "commander";
import type { SessionOptions } from "../emulator/session.ts";
import { addressOf, answerOf, choice, faultNames, hostNameOf, wholeNumber } from "../emulator/values.ts";
import { wrongUsage } from "../errors.ts";
import type { Context } from "../system/context.ts";
import { authorizationModes } from "../wsse/authorization.ts";
import { conventionNames, hashNames } from "../wsse/digest.ts";
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

  /** Adds an option that may be given once. `read` gets its text, and the flag for its message. */
  function option(
    flags: string,
    description: string,
    read: (text: string, flag: string) => unknown = (text) => text,
    choices?: readonly string[],
  ): Option {
    const [flag = ""] = flags.split(" ");
    const declared = onceOnly(new Option(flags, description), (text) => read(text, flag), choices);
    command.addOption(declared);
    return declared;
  }
  function choiceOption(flags: string, description: string, names: readonly string[]): void {
    const facts = `one of ${names.join(", ")}; default ${names[0]}`;
    option(flags, `${description} (${facts})`, (text, flag) => choice(text, flag, names), names);
  }
  const number = (name: Parameters<typeof wholeNumber>[0]) => (text: string, flag: string) =>
    wholeNumber(name, text, flag);
  const hosts = (text: string, before: readonly string[] = []): readonly string[] => [
    ...before,
    hostNameOf(text, "--allow-host"),
  ];

  command.optionsGroup("Credentials:");
  option("--token <value>", "token to accept (default random)");
  option("--username <email>", "username to accept (default random)");
  option("--secret <value>", "secret to accept (default random)");
  option("--accounts <file>", "accounts to accept, one per line as for test --accounts").conflicts([
    "token",
    "username",
    "secret",
  ]);
  choiceOption("--digest <name>", "digest convention to accept", conventionNames);
  choiceOption("--hash <name>", "hash of the digest", hashNames);
  choiceOption("--authorization <mode>", "Authorization field to require beside X-WSSE", authorizationModes);
  command.option("--strict", "refuse X-WSSE headers that differ from the API's specification");
  command.optionsGroup("Server:");
  option("--port <n>", "port to listen on (default 0, any free port)", number("port"));
  option("--host <address>", "IP address to listen on (default 127.0.0.1)", addressOf);
  command.option("--allow-host <name>", "name that Host may have too; may be repeated", hosts);
  command.option("--explain", "tell the client why it is refused");
  const ahead = "how far the server's clock is ahead; negative means behind";
  option("--clock-offset <seconds>", ahead, number("clockOffsetSeconds"));
  option("--latency <milliseconds>", "time to wait before each answer", number("latencyMs"));
  const answers = `answer every request with ${faultNames.join(", ")} or a status`;
  option("--answer <kind>", answers, answerOf, faultNames);
  command.optionsGroup("Output:");
  option("--ready-file <path>", "file that has URL and accounts in JSON while it listens");
  command.option("--json", "print URL and accounts in JSON instead of variables");

  // Declared last, so that the help lists it in the last group.
  command.helpOption(...helpOption);
  command.addHelpText("after", help).action(async (words: readonly string[], options: EmulatorFlags) => {
    exitWith(await run(options, words, context));
  });
};

/** The options that commander passes to the action. */
interface EmulatorFlags extends Omit<SessionOptions, "accounts" | "allowHosts"> {
  readonly token?: string;
  readonly username?: string;
  readonly secret?: string;
  readonly accounts?: string;
  readonly allowHost?: readonly string[];
  readonly clockOffset?: number;
  readonly latency?: number;
}

async function run(
  { token, username, secret, accounts, allowHost, clockOffset, latency, ...options }: EmulatorFlags,
  words: readonly string[],
  context: Context,
): Promise<number> {
  if (options.json === true && words.length > 0) {
    const message = "--json cannot be used with a command, which has standard output for itself";
    throw wrongUsage(message, "Use --ready-file, or leave out the command");
  }
  const [{ runSession }, { accountsOf }] = await Promise.all([
    import("../emulator/session.ts"),
    import("./emulator-accounts.ts"),
  ]);
  const known = await accountsOf(accounts, { token, username, secret, ...options }, context);
  const renamed = { allowHosts: allowHost, clockOffsetSeconds: clockOffset, latencyMs: latency };
  return runSession({ ...options, ...renamed, accounts: known }, words, context);
}
