// `emulator`: declares its options, reads the files that they name, and runs the server, alone or for a command.

import { Option } from "commander";
import type { EmulatorAccount } from "../emulator/accounts.ts";
import type { Screen } from "../emulator/log.ts";
import { type AllOptions, optionRows, readOptions } from "../emulator/options.ts";
import { wrongUsage } from "../errors.ts";
import { escapeText } from "../redaction/escape.ts";
import { warnOn } from "../report/messages.ts";
import {
  absolutePath,
  checkOutputs,
  filesNamed,
  inputPath,
  outputPath,
  standardInput,
  standardOutput,
} from "../settings/files.ts";
import { placeInAccounts } from "../settings/source.ts";
import type { Context } from "../system/context.ts";
import { ifUnreadable } from "../system/file-reading.ts";
import { typographicDash } from "../wsse/characters.ts";
import { type DeclareCommand, helpOption, listed } from "./setting-options.ts";
import { flagsOf, miswritten } from "./usage.ts";

const help = `
Without a command it prints shell variables that tell a client how to reach it,
and runs until it is interrupted. With a command it sets REFERRAL_BASE_URL,
REFERRAL_TOKEN, REFERRAL_USERNAME, REFERRAL_SECRET and, with --cert,
REFERRAL_CA_CERT for the command. It exits with the command's code: 127 if it is
not found, 126 if it cannot be executed.
The first word that is not an option starts the command; options after it belong
to the command.

It logs each refusal and its reason to standard error. It accepts any nonce of 1
to 256 printable characters and any calendar date and time of ISO 8601 with a
time zone, and logs a note if they differ from the API's specification.

Examples:
  $ referral-auth emulator referral-auth test --token --quiet
  $ referral-auth emulator --clock-offset 400 --explain npm test
  $ referral-auth emulator --control -- pytest
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

  command.optionsGroup("Credentials:");
  command
    .option("--token <value>", "token to accept (default random)")
    .option("--token-file <path>", "file with the token, - for standard input")
    .option("--username <email>", "username to accept (default random)")
    .option("--secret <value>", "secret to accept (default random)")
    .option("--secret-file <path>", "file with the secret, - for standard input");
  const accounts = new Option(
    "--accounts <file>",
    "accounts to accept: CSV or JSON lines, as for test --accounts",
  );
  command.addOption(accounts.conflicts(["token", "tokenFile", "username", "secret", "secretFile"]));
  const declared = new Map<string, Option>();
  for (const [name, { flag, group = "", summary, fallback }] of optionRows) {
    if (flag === undefined) continue;
    const option = new Option(flag, summary);
    command.optionsGroup(group).addOption(Array.isArray(fallback) ? option.argParser(listed) : option);
    declared.set(name, option);
  }
  command
    .optionsGroup("Output:")
    .option("--ready-file <path>", "file that has URL and accounts in JSON while it listens");
  command.option("--json", "print URL and accounts in JSON, then each request; not with a command (code 2)");
  command.option("--quiet", "write no log");
  command.option("--end-with-stdin", "end when standard input does, as when the parent is gone");

  // Declared last, so that the help lists it in the last group.
  command.helpOption(...helpOption);
  command.addHelpText("after", help).action(async (words: readonly string[], flags: Flags) => {
    const { cert, key, json, quiet, endWithStdin } = flags;
    // A word that begins with a typographic dash would be taken for the command.
    const [first = ""] = words;
    const wrong = typographicDash.test(first)
      ? miswritten(first, context.args.indexOf(first), flagsOf(command))
      : null;
    if (wrong !== null) throw wrong;
    checkStreams(flags, words);
    const readyFile = readyFileOf(flags, context);
    const certFile = cert === undefined ? cert : absolutePath(cert, context.workingFolder, "--cert");
    const given = [...declared].map(([name, option]) => [name, flags[option.attributeName()]]);
    const texts = { cert: readPem("--cert", cert, context), key: readPem("--key", key, context) };
    const nameOf = (name: string): string =>
      [declared.get(name)?.long ?? name, { cert, key }[name]].filter((word) => word !== undefined).join(" ");
    const giver = { kind: "usage", nameOf } as const;
    const options = readOptions({ ...Object.fromEntries(given), ...texts }, giver);
    const [{ checkPair }, { runSession }] = await Promise.all([
      import("../emulator/emulator.ts"),
      import("../emulator/session.ts"),
    ]);
    checkPair(options, giver);
    const accounts = await accountsOf(flags, options, context);
    const screen = await screenOf(context);
    const own = { ...options, readyFile, certFile, json, quiet, endWithStdin, screen };
    exitWith(await runSession(own, accounts, words, context));
  });
};

/** Throws InputError if two want the same stream: a command has standard input and standard output for itself. */
function checkStreams(
  { json, endWithStdin, accounts, tokenFile, secretFile }: Flags,
  { length }: readonly string[],
): void {
  if (json === true && length > 0)
    throw wrongUsage(
      "--json cannot be used with a command, which has standard output for itself",
      "Use --ready-file, or leave out the command",
    );
  const isRead = [accounts, tokenFile, secretFile].includes(standardInput);
  const reader = length > 0 ? "a command" : isRead && "a file that is -";
  if (endWithStdin === true && reader)
    throw wrongUsage(
      `--end-with-stdin cannot be used with ${reader}, which has standard input for itself`,
      "Leave one of them out",
    );
}

/** The absolute path of --ready-file. Throws InputError if it is a file that is read, or that standard output goes to. */
function readyFileOf(flags: Flags, context: Context): string | undefined {
  if (flags.readyFile === undefined) return undefined;
  const path = outputPath("--ready-file", flags.readyFile, context);
  const { accounts, tokenFile, secretFile, cert, key } = flags;
  const read = { "--accounts": accounts, "--token-file": tokenFile, "--secret-file": secretFile };
  const paths = Object.entries(read).map(([flag, given]) => [flag, given && inputPath(given)]);
  const inputs = filesNamed({ ...Object.fromEntries(paths), "--cert": cert, "--key": key }, context);
  checkOutputs([{ name: "--ready-file", path }, standardOutput], inputs, context);
  return path;
}

/** How standard error shows the log, if it is a terminal. */
async function screenOf({ stderr, environment }: Context): Promise<Screen | undefined> {
  if (!stderr.isTerminal) return undefined;
  const [{ columnsOf, paintOf, wantsColor }, { wrapped }] = await Promise.all([
    import("../report/paint.ts"),
    import("../report/layout.ts"),
  ]);
  const paint = await paintOf(wantsColor(true, true, environment), columnsOf(stderr));
  return { ...paint, wrapped: (text, column) => wrapped(text, paint, column) };
}

const mostPemBytes = 1024 * 1024;

/** The text of a file that an option names. Throws InputError, which quotes only a path that exists. */
function readPem(flag: string, path: string | undefined, context: Context): string | undefined {
  if (path === undefined) return undefined;
  const absolute = absolutePath(path, context.workingFolder, flag);
  try {
    return Buffer.from(context.readFile(absolute, mostPemBytes).bytes).toString("latin1");
  } catch (error) {
    const name = context.fileExists(absolute) ? `${escapeText(path)}, which` : "a file that";
    throw ifUnreadable(error, (what) =>
      wrongUsage(`${flag} names ${name} ${what}`, "Correct the path, or the file's permissions"),
    );
  }
}

/**
 * The account of the flags; or, with a path, those of a file as `test --accounts` takes it. Then the options are for what a line leaves
 * out, and what belongs to a check, such as `timeout`, is ignored. Rejects with InputError for a file, line or value that cannot be used.
 */
async function accountsOf(
  { accounts: path, username, ...flags }: Flags,
  options: AllOptions,
  context: Context,
): Promise<readonly EmulatorAccount[]> {
  const { accountKeys, completeAccount } = await import("../emulator/accounts.ts");
  const { randomBytes, interrupted } = context;
  const kind = "usage";
  if (path === undefined) {
    const nameOf = (key: string): string => `--${key}`;
    const given = { username, ...(await secretsOfFlags(flags, context)) };
    return [completeAccount(given, options, randomBytes, { kind, nameOf })];
  }
  const { openAccounts } = await import("../settings/accounts-file.ts");
  const accounts: EmulatorAccount[] = [];
  const opened = await openAccounts(path, false, context, interrupted);
  for await (const { line, csv, profile, own, error } of opened.accounts(warnOn(context))) {
    if (error !== null) throw error;
    const texts = accountKeys.map((key) => [key, key === "profile" ? profile : own?.get(key)?.text]);
    const nameOf = (key: string): string => `${key} in ${placeInAccounts(line ?? 0, csv)}`;
    accounts.push(completeAccount(Object.fromEntries(texts), options, randomBytes, { kind, nameOf }));
  }
  return accounts;
}

/** The token and the secret of the flags or of the files that they name, which are read as `test` reads them. */
async function secretsOfFlags(
  { token, tokenFile, secret, secretFile }: Flags,
  context: Context,
): Promise<Readonly<Record<"token" | "secret", string | undefined>>> {
  if (tokenFile === undefined && secretFile === undefined) return { token, secret };
  const [{ readSecret, RunInputs }, { flagLevel }, { Settings, scopeOf }] = await Promise.all([
    import("../settings/inputs.ts"),
    import("../settings/run-settings.ts"),
    import("../settings/resolve.ts"),
  ]);
  const level = flagLevel({ token, tokenFile, secret, secretFile });
  const settings = new Settings(scopeOf([level], "commandLine"));
  const inputs = new RunInputs(context, warnOn(context));
  const read = async (name: "token" | "secret") => (await readSecret(name, settings, inputs))?.value.reveal();
  return { token: await read("token"), secret: await read("secret") };
}

/** The flags that are no options of `startEmulator`, and the others, which are not read yet. */
type Flags = Readonly<Record<string, unknown>> &
  Readonly<Partial<Record<"accounts" | "token" | "tokenFile" | "secret" | "secretFile", string>>> &
  Readonly<Partial<Record<"cert" | "key" | "readyFile", string>>> &
  Readonly<Partial<Record<"json" | "quiet" | "endWithStdin", boolean>>>;
