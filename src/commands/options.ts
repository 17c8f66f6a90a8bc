import { type Command, Option } from "commander";
import { Mistake } from "../mistake.ts";
import type { SourceOptions } from "../settings/load.ts";
import {
  definitionOf,
  extraVariables,
  flagOf,
  type SettingName,
  settingNames,
  settings,
} from "../settings/table.ts";

/** Which methods the command line asks for; none means every method that has credentials. */
export interface Selection {
  readonly token: boolean;
  readonly wsse: boolean;
}

/** What commander hands to an action, by the names it derives from the flags. */
export type ParsedOptions = Readonly<Record<string, unknown>>;

function describe(name: SettingName): string {
  const { summary, choices, fallback, variables } = definitionOf(name);
  const facts = [
    choices === undefined ? "" : `one of ${choices.join(", ")}`,
    fallback === undefined ? "" : `default ${fallback}`,
    `env ${variables.filter((variable) => variable === variable.toUpperCase()).join(", ")}`,
  ];
  return `${summary} (${facts.filter((fact) => fact !== "").join("; ")})`;
}

/** Adds the flags of these settings, each of which may be given once. */
export function addSettings(command: Command, names: readonly SettingName[] = settingNames): void {
  for (const name of names) {
    const flag = flagOf(name);
    const option = new Option(settings[name].flag, describe(name));
    option.argParser((value: string, previous: unknown) => {
      if (typeof previous === "string")
        throw new Mistake("usage", `${flag} is given twice`, "Keep one of the two");
      return value;
    });
    command.addOption(option);
  }
}

/** Adds the flags that say where settings come from. */
export function addSources(command: Command, severalProfiles: boolean): void {
  const { config, profile } = extraVariables;
  command.option("--config <path>", `rc file to use instead of searching for one (env ${config})`);
  command.option("--no-config", "use no rc file");
  const option = new Option(
    "--profile <name>",
    `profile of the rc file${severalProfiles ? "; may be repeated" : ""} (env ${profile})`,
  );
  option.argParser((value: string, previous: readonly string[] | undefined) => [...(previous ?? []), value]);
  command.addOption(option);
  if (severalProfiles) command.option("--all", "every profile of the rc file");
}

/** What the parsed options say about settings. Throws Mistake where they contradict each other. */
export function sourceOptions(options: ParsedOptions): SourceOptions {
  const values = Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = options[name];
      return typeof value === "string" || value === true ? [[name, value]] : [];
    }),
  );
  const profiles = options.profile as readonly string[] | undefined;
  if (options.all === true && profiles !== undefined) {
    throw new Mistake("usage", "--all and --profile cannot be used together", "Keep one of the two");
  }
  return {
    values,
    config: options.config as string | false | undefined,
    profiles,
    all: options.all === true,
  };
}

/** Adds `--wsse` and the setting flags that select a method by being given. */
export function addSelection(command: Command): void {
  command.option("--wsse", "use WSSE (X-WSSE header), with username and secret");
}

/** The methods that the parsed options select: by name, or by giving one's credential. */
export function selectionOf(options: ParsedOptions): Selection {
  return {
    token: options.token !== undefined || options.tokenFile !== undefined,
    wsse: options.wsse === true || options.secret !== undefined || options.secretFile !== undefined,
  };
}

/** The warning for secrets that process lists and shell history can show; null where there is none. */
export function exposedSecrets(options: ParsedOptions): string | null {
  const exposed = (["token", "secret"] as const).filter((name) => typeof options[name] === "string");
  if (exposed.length === 0) return null;
  const flags = exposed.map(flagOf).join(" and ");
  const better = exposed.map((name) => `${flagOf(name)}-file or ${settings[name].variables[0]}`).join(", ");
  return `Warning: ${flags} on the command line can be seen in process lists and shell history; use ${better}\n`;
}

/** Adds `--no-color`. */
export function addColor(command: Command): void {
  command.addOption(new Option("--no-color", "print without colour (env NO_COLOR, FORCE_COLOR)"));
}
