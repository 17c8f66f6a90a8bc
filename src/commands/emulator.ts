import type { Command } from "commander";
import { answerArgument, choice, faultNames, wholeNumber } from "../emulator/emulator-options.ts";
import type { SessionOptions } from "../emulator/session.ts";
import type { Context } from "../system/context.ts";
import { authorizationModes } from "../wsse/authorization.ts";
import { conventionNames, hashNames } from "../wsse/digest.ts";
import { helpOption, onceOnly } from "./setting-options.ts";

const help = `
Without a command it prints shell variables that tell a client how to reach it,
and runs until it is interrupted. With a command it sets REFERRAL_BASE_URL,
REFERRAL_TOKEN, REFERRAL_USERNAME and REFERRAL_SECRET for the command, and exits
with the command's code: 127 if it is not found, 126 if it cannot be executed.
The first word that is not an option starts the command; options after it belong
to the command.

It logs each refusal and its reason to standard error. It accepts any nonce of 1
to 128 printable characters and any ISO 8601 time with a time zone, and logs a
note if they differ from the shapes of the API's specification.

Examples:
  $ referral-auth emulator referral-auth test --token --quiet
  $ referral-auth emulator --clock-offset 400 --explain npm test`;

/** Declares `emulator`: runs a local server of the API, alone or for the duration of a command. */
export function addEmulatorCommand(
  program: Command,
  context: Context,
  exitWith: (code: number) => void,
): void {
  // Commander requires enablePositionalOptions() on the program for passThroughOptions() on a command.
  const command = program
    .enablePositionalOptions()
    .command("emulator")
    .summary("run a local server of the API")
    .description("Serves {base_url}/test-authentication on 127.0.0.1, to try a client without an account.")
    .argument("[command...]", "command to run against it")
    .passThroughOptions();

  function option<Value>(flag: string, description: string, parse: (text: string) => Value): void {
    command.addOption(onceOnly(command.createOption(flag, description), parse));
  }
  function choiceOption(flag: string, description: string, names: readonly string[]): void {
    const [name = ""] = flag.split(" ");
    const facts = `one of ${names.join(", ")}; default ${names[0]}`;
    option(flag, `${description} (${facts})`, (value) => choice(name, value, names));
  }
  const text = (value: string): string => value;

  command.optionsGroup("Credentials:");
  option("--token <value>", "token to accept (default random)", text);
  option("--username <email>", "username to accept (default random)", text);
  option("--secret <value>", "secret to accept (default random)", text);
  choiceOption("--digest <name>", "digest convention to accept", conventionNames);
  choiceOption("--hash <name>", "hash of the digest", hashNames);
  choiceOption("--authorization <mode>", "Authorization field to require beside X-WSSE", authorizationModes);
  command.option("--strict", "refuse X-WSSE headers that differ from the API's specification");
  command.optionsGroup("Server:");
  option("--port <n>", "port to listen on (default 0, any free port)", wholeNumber("port"));
  command.option("--explain", "tell the client why it is refused");
  const ahead = "how far the server's clock is ahead; negative means behind";
  option("--clock-offset <seconds>", ahead, wholeNumber("clock-offset"));
  option("--latency <milliseconds>", "time to wait before each answer", wholeNumber("latency"));
  option("--answer <kind>", `answer every request with ${faultNames.join(", ")} or a status`, answerArgument);

  // Declared last, so that the help lists it in the last group.
  command.helpOption(...helpOption);
  command.addHelpText("after", help).action(async (words: readonly string[], options: SessionOptions) => {
    const { runSession } = await import("../emulator/session.ts");
    exitWith(await runSession(options, words, context));
  });
}
