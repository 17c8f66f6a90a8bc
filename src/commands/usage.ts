// Errors for a command line that commander refuses. No message repeats a value, which may be a secret.

import type { Command, CommanderError } from "commander";
import { type InputError, wrongUsage } from "../errors.ts";
import { didYouMean, isMisspelt, nearest } from "../options/nearest.ts";
import { typographicDash, unseenIn } from "../wsse/characters.ts";

/** The text that a message of commander quotes first. */
const quoted = ({ message }: CommanderError): string => /'(.*)'/s.exec(message)?.[1] ?? "";

/** Whether a message may repeat an unknown flag. A secret may stand behind `--token` or `--secret` without a space. */
const isRepeatable = (flag: string): boolean => /^(?:-[A-Za-z]|--(?!token|secret)[a-z-]{1,24})$/.test(flag);

/** A word by its place: it may be a secret, so it is not repeated. */
const wordAt = (index: number): string => (index < 0 ? "A word" : `Word ${index + 1}`);

/** The error for a command that does not exist. */
export function unknownCommand(
  typed: string,
  known: readonly string[],
  words: readonly string[],
): InputError {
  const index = words.indexOf(typed);
  const wrong = miswritten(typed, index, ["--help", "--version"]);
  if (wrong !== null) return wrong;
  const word = wordAt(index);
  if (/^https?:\/\//i.test(typed))
    return wrongUsage(`${word} is a URL, and no command`, "Write referral-auth test --base-url before it");
  const near = didYouMean(typed, [...known, "--version"]);
  const all = `The commands are ${known.join(", ")}`;
  // What another program calls so may be meant in another way.
  const hint = isMisspelt(typed, known) ? near : [near, all].filter((part) => part !== "").join(" ");
  return wrongUsage(`${word} is no command`, hint || all);
}

/** What users of curl, HTTPie and gh type: the flags of one purpose, and ours for it, or why there is none. */
const foreignFlags: ReadonlyArray<readonly [flags: string, hint: string]> = [
  [
    "-k --insecure --no-verify --verify --no-verify-ssl --no-ssl-verify --no-check-certificate --insecure-skip-tls-verify",
    "Certificates are always verified; --ca-cert FILE adds one to trust",
  ],
  ["-x", "Write --proxy URL"],
  ["-U --proxy-user", "Write it in the URL of HTTPS_PROXY: http://USER:PASSWORD@HOST:PORT"],
  ["--noproxy", "Set NO_PROXY, a list of hosts with commas between"],
  ["--socks4 --socks4a --socks5 --socks5-hostname", "Write --proxy URL; only HTTP proxies can be used"],
  ["-n --netrc --netrc-file", "Leave it out: .netrc is not read; --token-file FILE reads a token"],
  ["--oauth2-bearer", "Write --token-file FILE; it is sent as X-Auth-Token"],
  ["-f --fail", "Leave it out: the exit code says what failed, as referral-auth help test lists"],
  ["-4 -6 --ipv4 --ipv6", "Leave it out: both are tried; --resolve HOST:PORT:ADDRESS chooses an address"],
  ["-X --request --method", "Leave it out: each request is GET {base_url}/test-authentication"],
  [
    "-H --header",
    "Leave it out: no other header fields are sent; --token-file or REFERRAL_TOKEN gives the token of X-Auth-Token",
  ],
  ["-A -b --user-agent --cookie --referer", "Leave it out: no other header fields are sent"],
  [
    "-u -a --user --auth --basic",
    "Write --wsse --username NAME --secret-file FILE; the API takes no Basic authentication",
  ],
  ["-m --max-time --connect-timeout", "Write --timeout SECONDS"],
  [
    "-p",
    "Write --profile NAME for a profile, and --secret-file FILE for a password; the emulator has --port N",
  ],
  [
    "-L --location --follow",
    "Leave it out: redirects are never followed, since another server would get the credential",
  ],
  [
    "--compressed --http1.0 --http1.1 --http2 --http3",
    "Leave it out: each request is HTTP/1.1 without compression",
  ],
  [
    "--csv --input --file --list --users --credentials",
    "Write --accounts FILE: CSV, or one JSON object per line",
  ],
  [
    "--env --environment --stage --region",
    "Write --profile NAME for a profile of an rc file, or --base-url URL",
  ],
  ["--log-level --loglevel", "Write test --verbose, which shows requests and responses"],
  ["-d -F --data --data-raw --form", "Leave it out: the request has no body"],
  ["-E --cert", "Leave it out: client certificates cannot be used"],
  [
    "-o --output --out",
    "Redirect standard output; --json writes JSON, and --junit FILE and --metrics FILE write reports",
  ],
  [
    "--env-file --dotenv",
    "Leave it out: no .env file is read; in a shell, set -a; . ./.env; set +a comes before",
  ],
  [
    "--show-secrets --show-secret --reveal --unmask",
    "Leave it out: config shows no secret; header prints a credential",
  ],
  ["--dry-run", "Write referral-auth header, which shows what would be sent, or referral-auth config"],
  ["-s -q --silent", "Write --quiet"],
  ["-i -I --include --head --print", "Write test --verbose, which shows the header fields"],
  ["-j", "Write --json"],
  ["-c", "Write --config FILE"],
  ["-v", "Write test --verbose, which shows requests and responses; -V prints the version"],
];

/**
 * The flag of another program that a word begins with, and what to write. If the value is glued to the flag, only the first two
 * characters are the flag.
 */
function foreignFlag(word: string): readonly [flag: string, hint: string] | null {
  for (const flag of [word, word.slice(0, 2)]) {
    const row = foreignFlags.find(([flags]) => flags.split(" ").includes(flag));
    if (row !== undefined) return [flag, row[1]];
  }
  return null;
}

/** The error for a word that begins with a dash of a mail program or word processor; null for any other word. Most of it may be a secret. */
export function dashed(word: string, index: number, flags: readonly string[]): InputError | null {
  if (!typographicDash.test(word)) return null;
  return wrongUsage(
    `${wordAt(index)} begins with a dash that is no hyphen: it ${unseenIn(word.slice(0, 2), /[^-]/)?.problem}`,
    word.length > 2 ? `Type two hyphens by hand: ${nearest(word, flags) ?? "--"}` : "Type the hyphen by hand",
  );
}

/** The error for a word with such a dash or a character that nobody sees, which is why it is none of ours; null for any other word. */
function miswritten(word: string, index: number, flags: readonly string[]): InputError | null {
  const found = unseenIn(word);
  const unseen = found && wrongUsage(`${wordAt(index)} ${found.problem}`, found.hint);
  return dashed(word, index, flags) ?? unseen;
}

/** The long flags of a command. */
export const flagsOf = ({ options }: Command): string[] => [
  ...options.flatMap(({ long }) => long ?? []),
  "--help",
];

/** The error for a word that is no option, by its place and its kind. */
function wrongWord(command: Command, index: number, words: readonly string[]): InputError {
  const name = command.name();
  const { [index]: word = "" } = words;
  const flags = flagsOf(command);
  const [foreign, advice = ""] = (word.startsWith("-") && foreignFlag(word)) || [];
  if (foreign !== undefined) return wrongUsage(`${foreign} is no option of ${name}`, advice);
  const wrong = miswritten(word, index, flags);
  if (wrong !== null) return wrong;
  if (name === "config" && /^(?:set|get|unset|add|edit|list|init)$/.test(word))
    return wrongUsage(
      `${wordAt(index)} is no option of config, which only prints the settings`,
      "Write referral-auth config alone; set a value in .referralrc, by a variable or by an option",
    );
  const place = `(${name} is word 1)`;
  const takesProfile = flags.includes("--profile");
  const [, kind, option = ""] = kinds.find(([pattern]) => takesProfile && pattern.test(word)) ?? [];
  if (kind === undefined)
    return wrongUsage(
      `${wordAt(index)} is no option of ${name}`,
      takesProfile
        ? `Write --profile before the name of a profile; give a token by --token-file or REFERRAL_TOKEN; write a value with spaces in quotes ${place}`
        : `See referral-auth help ${name} ${place}`,
    );
  return wrongUsage(
    `${wordAt(index)} ${kind}, and no option stands before it`,
    flags.includes(option) ? `Write ${option} before it ${place}` : `Leave it out: ${name} sends nothing`,
  );
}

/** What a word without an option looks like, and the option that takes it. */
const kinds: ReadonlyArray<readonly [pattern: RegExp, kind: string, flag: string]> = [
  [/^https?:\/\//i, "is a URL", "--base-url"],
  [/^[^\s@]+@[\w-]+\.[\w.-]*[a-z]$/i, "looks like an e-mail address", "--username"],
  [/\.(?:csv|tsv|jsonl|ndjson)$/i, "looks like a file of accounts", "--accounts"],
];

function unknownOption(
  typed: string,
  program: Command,
  command: Command | undefined,
  words: readonly string[],
): InputError {
  const [flag = ""] = typed.split("=", 1);
  const flags = flagsOf(command ?? program);
  // It was given a value, as in --json=1.
  if (flags.includes(flag)) return wrongUsage(`${flag} takes no value`, `Write ${flag} alone`);
  const index = words.indexOf(typed);
  const where = command === undefined ? "before a command" : `of ${command.name()}`;
  const noOption = (word: string, hint: string) => wrongUsage(`${word} is no option ${where}`, hint);
  if (index < 0)
    return noOption(
      "A word behind one hyphen",
      "Write two hyphens before a long option, and each short one alone",
    );
  const [known, hint = ""] = foreignFlag(flag) ?? [];
  const wrong = known === undefined ? miswritten(flag, index, flags) : null;
  if (wrong !== null) return wrong;
  if (flags.includes(`-${flag}`)) return noOption(`-${flag.slice(1, 2)}…`, `Write two hyphens: -${flag}`);
  const isOurs = command === undefined || known === "-p" || flags.includes("--profile");
  if (known !== undefined && isOurs) return noOption(known, hint);
  const near = flag.startsWith("--") ? didYouMean(flag, flags) : "";
  const shown = isRepeatable(flag) ? flag : wordAt(index);
  if (command === undefined)
    return noOption(shown, near || "Write the command first, as in referral-auth test --token");
  if (!isRepeatable(flag) && near === "") return wrongWord(command, index, words);
  return noOption(shown, near || `See referral-auth help ${command.name()}`);
}

/** The error for the first word that belongs to no option. */
export function excessWord(command: Command, words: readonly string[]): InputError {
  const word = command.args[command.registeredArguments.length];
  const takesValue = (flag = ""): boolean =>
    command.options.some(({ long, required, optional }) => long === flag && (required || optional));
  // The first word is the command.
  const index = words.findIndex((one, at) => at > 0 && one === word && !takesValue(words[at - 1]));
  return wrongWord(command, index < 0 ? words.indexOf(word ?? "", 1) : index, words);
}

/** Rewords an error of commander. The new message never repeats a value. */
export function usageError(error: CommanderError, program: Command, words: readonly string[]): InputError {
  const [first = ""] = words;
  const names = program.commands.map((command) => command.name());
  const command = program.commands[names.indexOf(first)];
  // For a misspelt command, commander reports an extra argument, or the options after it.
  if (command === undefined && !first.startsWith("-")) return unknownCommand(first, names, words);
  switch (error.code) {
    case "commander.optionMissingArgument":
      return wrongUsage(`${quoted(error)} needs a value`, "Write the value after it");
    case "commander.missingArgument":
    case "commander.invalidArgument": {
      const [argument] = command?.registeredArguments ?? [];
      const what = error.code === "commander.missingArgument" ? "is missing" : "is none of its choices";
      const hint = `Choose one of ${argument?.argChoices?.join(", ")}`;
      return wrongUsage(`The argument <${argument?.name()}> ${what}`, hint);
    }
    case "commander.unknownOption":
      return unknownOption(quoted(error), program, command, words);
    case "commander.conflictingOption": {
      const flags = [...error.message.matchAll(/'(--[a-z-]+)/g)].map(([, flag]) => flag);
      return wrongUsage(`${flags.join(" and ")} cannot be used together`, "Keep one of the two");
    }
    case "commander.excessArguments":
      if (command !== undefined) return excessWord(command, words);
  }
  return wrongUsage("The command line cannot be understood", "See referral-auth help");
}
