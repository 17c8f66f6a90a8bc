// The options that several commands have. Those of settings are made from the table of settings.

import { type Command, Option } from "commander";
import { headings, type Method } from "../settings/definition.ts";
import type { Options } from "../settings/run-settings.ts";
import { definitionOf, flagOf, type SettingName, settingNames } from "../settings/table.ts";
import type { Context } from "../system/context.ts";

/** Reads an option into a list. The help of one that may be repeated says so. */
export const listed = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** Adds the option of a setting: its help has the values, the default and the variables. */
function addSetting(command: Command, setting: SettingName, flag: string): void {
  const { summary, flagNote, choices, fallback, variables, variablesNote } = definitionOf(setting);
  const facts = [
    ...(choices === undefined ? [] : [`one of ${choices.join(", ")}`]),
    ...(fallback === undefined ? [] : [`default ${fallback}`]),
    variables.length === 1 ? "env" : `env ${variablesNote ?? variables.join(", ")}`,
  ];
  const said = flagNote === undefined ? summary : `${summary}; ${flagNote}`;
  command.option(flag, `${said} (${facts.join("; ")})`);
}

/** The flags and the description of the option that prints the help. */
export const helpOption = ["-h, --help", "print this help"] as const;
/** The same for the option that turns colour off. */
export const colorOption = ["--no-color", "print without colour (env NO_COLOR)"] as const;

/** Adds the settings of a heading of the help. Most accounts need no `conventions`, so they are added after all other options. */
export function addUnder(command: Command, heading: keyof typeof headings, title = heading): void {
  command.optionsGroup(headings[title]);
  for (const name of settingNames) {
    const { flag, heading: own } = definitionOf(name);
    if (own === heading && flag !== undefined) addSetting(command, name, flag);
  }
}

/** Adds the options for credentials, and the base URL if the command makes requests. */
export function addCredentials(command: Command, requests = true): void {
  if (requests) addUnder(command, "api");
  addUnder(command, "credentials", requests ? "api" : "credentials");
  command.option("--wsse", "use WSSE (X-WSSE header), with username and secret");
}

/** Adds the options for rc file and profile. Options added later join Output. */
export function addAccounts(command: Command, severalProfiles = false): void {
  command.optionsGroup(headings.accounts);
  const repeated = severalProfiles ? "; may be repeated" : "";
  command.option(
    "--profile <name>",
    `profile of the rc file, which then counts before variables${repeated} (env)`,
    listed,
  );
  if (severalProfiles)
    command.addOption(new Option("--all", "every profile of the rc file").conflicts("profile"));
  command
    .option("--config <path>", "rc file to use instead of searching for one (env)")
    .option("--no-config", "use no rc file");
  // Declared last, so that the help lists it in the last group.
  command.optionsGroup(headings.output).helpOption(...helpOption);
  const isForRequests = command.options.some(({ long }) => long === flagOf("baseUrl"));
  const example = isForRequests ? "REFERRAL_BASE_URL for --base-url" : "REFERRAL_TOKEN for --token";
  command.addHelpText("after", `\nenv: a variable sets it too, such as ${example}`);
}

/** The methods that the parsed options select: by name, or by giving one's credential. */
export function selectedBy(options: Options): readonly Method[] {
  const { token, tokenFile, wsse, secret, secretFile } = options;
  const isSelected = { token: token ?? tokenFile, wsse: wsse ?? secret ?? secretFile };
  return (["token", "wsse"] as const).filter((method) => isSelected[method] !== undefined);
}

/** Declares a command of the program. Its action passes the exit code to `exitWith`. */
export type DeclareCommand = (program: Command, context: Context, exitWith: (code: number) => void) => void;
