import type { Command, Option } from "commander";
import { exitCodes } from "../exit-codes.ts";
import { asciiJson } from "../report/escape.ts";
import { definitionOf, extraVariables, flagOf, settingNames } from "../settings/table.ts";
import { version } from "../version.ts";
import { SettingOption } from "./setting-options.ts";

/** Variables with the same meaning, and the flag that counts before them. */
type Row = readonly [names: readonly string[], summary: string, flag?: string];

// It counts for http base URLs alone, and there a proxy is refused.
const refusedProxy: readonly string[] = ["http_proxy", "HTTP_PROXY"];

const ofSettings = settingNames.map((name): Row => {
  const { variables, summary } = definitionOf(name);
  return [variables.filter((one) => !refusedProxy.includes(one)), summary, flagOf(name)];
});
const others: readonly Row[] = [
  [[extraVariables.profile], "profile of the rc file", "--profile"],
  [[extraVariables.config], "rc file to use instead of searching for one", "--config"],
  [refusedProxy, "proxy for http base URLs, where a proxy is refused"],
  [["no_proxy", "NO_PROXY"], "hosts that are reached without a proxy"],
  [["NO_COLOR"], "print without colour", "--no-color"],
  [["FORCE_COLOR", "CLICOLOR_FORCE"], "print with colour into a pipe or file too"],
  [["CLICOLOR"], "0: print without colour"],
  [["TERM"], "dumb or empty: print without colour, and rewrite no line"],
  [["CI"], "rewrite no line"],
  [["GITHUB_ACTIONS"], "true: print an error annotation for each failed check"],
  [["GITHUB_STEP_SUMMARY"], "file to append a job summary to, with GITHUB_ACTIONS"],
];

/** Every variable that the program heeds: those of settings first, by the table's order. */
export const allVariables = [...ofSettings, ...others].filter(([names]) => names.length > 0);

function optionJson(option: Option) {
  const { long, short, flags, required, optional, argChoices, helpGroupHeading } = option;
  const setting = option instanceof SettingOption ? option.setting : null;
  const own = setting === null ? null : definitionOf(setting);
  return {
    flag: long ?? null,
    short: short ?? null,
    value: required ? "required" : optional ? "optional" : "none",
    valueName: /[<[]([^<[>\]]+)/.exec(flags)?.[1] ?? null,
    summary: own?.summary ?? option.description,
    group: helpGroupHeading?.replace(":", "") ?? null,
    choices: argChoices ?? null,
    default: own?.fallback ?? null,
    setting,
    variables: own?.variables ?? others.find(([, , flag = null]) => flag === long)?.[0] ?? [],
  };
}

function commandJson(command: Command) {
  const help = command.createHelp();
  return {
    name: command.name(),
    summary: command.summary(),
    usage: help.commandUsage(command),
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      summary: argument.description,
      required: argument.required,
      variadic: argument.variadic,
      choices: argument.argChoices ?? null,
    })),
    options: help.visibleOptions(command).map(optionJson),
  };
}

/** What `help --json` prints: these commands, the variables and the exit codes, as declared for commander and in their tables. */
export function helpJson(program: Command, commands: readonly Command[]): string {
  return `${asciiJson({
    schemaVersion: 1,
    name: program.name(),
    version,
    summary: program.description(),
    options: program.createHelp().visibleOptions(program).map(optionJson),
    commands: commands.map(commandJson),
    variables: allVariables.flatMap(([names, summary, flag = null]) =>
      names.map((name) => ({ name, summary, flag })),
    ),
    exitCodes,
  })}\n`;
}
