import { isAbsolute, resolve } from "node:path";
import type { Context } from "../context.ts";
import { Mistake } from "../mistake.ts";
import { environmentLayer, type FlagValues, flagLayer, type Layer, noProfiles, rcLayers } from "./layers.ts";
import { findRcFile, type RcFile, readRcFile } from "./rc-file.ts";
import { definitionOf, extraVariables } from "./table.ts";
import { choiceSetting, numberSetting } from "./values.ts";

/** What the command line says besides the values of settings. */
export interface SourceOptions {
  readonly values: FlagValues;
  /** `--config <path>`; false for `--no-config`. */
  readonly config?: string | false | undefined;
  readonly profiles?: readonly string[] | undefined;
  readonly all?: boolean | undefined;
}

/** Where settings come from in this run. */
export interface Sources {
  readonly flags: Layer;
  readonly environment: Layer;
  readonly rc: RcFile | null;
  /** The profiles to check; a single null where none was chosen. */
  readonly profiles: readonly (string | null)[];
}

function absolute(path: string, { workingFolder }: Context): string {
  if (workingFolder === null && !isAbsolute(path)) {
    throw new Mistake(
      "settings",
      "The working directory no longer exists",
      "Change to an existing one, or write absolute paths",
    );
  }
  return resolve(workingFolder ?? "/", path);
}

// Home and the tree are compared by name, and one folder can have several: links, "..", a slash at its end.
function realFolder(folder: string | null, context: Context): string | null {
  if (folder === null) return null;
  try {
    return context.realPath(folder);
  } catch {
    return resolve(folder);
  }
}

// A flag that is no number or none of the choices is wrong usage, whatever else is missing.
function checkFlags(flags: Layer): void {
  for (const name of flags.keys()) {
    const { kind, choices } = definitionOf(name);
    if (kind === "number") numberSetting([flags], name);
    if (kind === "choice") choiceSetting([flags], name, choices ?? []);
  }
}

async function rcFileOf(config: SourceOptions["config"], context: Context): Promise<RcFile | null> {
  if (config === false) return null;
  if (config === "")
    throw new Mistake("usage", "--config is empty", "Write a path after it, or use --no-config");
  const named = config ?? context.environment[extraVariables.config];
  if (named) return readRcFile(absolute(named, context), "yours", true, context);
  const { rcCandidates } = await import("./rc-search.ts");
  const folders = {
    working: realFolder(context.workingFolder, context),
    home: realFolder(context.homeFolder, context),
    configuration: context.configurationFolder,
  };
  return findRcFile(rcCandidates(folders), context);
}

function chosenProfiles(
  options: SourceOptions,
  rc: RcFile | null,
  context: Context,
): readonly (string | null)[] {
  if (options.all) {
    const names = [...(rc?.profiles.keys() ?? [])];
    if (names.length > 0) return names;
    throw new Mistake(
      "settings",
      rc === null
        ? "--all checks every profile, and there is no rc file"
        : `--all checks every profile, and ${rc.path} has none`,
      noProfiles,
    );
  }
  if (options.profiles !== undefined && options.profiles.length > 0) return [...new Set(options.profiles)];
  return [context.environment[extraVariables.profile] || null];
}

/** Reads the flags, the environment and the rc file. Throws Mistake. */
export async function loadSources(options: SourceOptions, context: Context): Promise<Sources> {
  const flags = flagLayer(options.values);
  checkFlags(flags);
  const environment = environmentLayer(context.environment);
  const rc = await rcFileOf(options.config, context);
  return { flags, environment, rc, profiles: chosenProfiles(options, rc, context) };
}

/** The levels that count for one profile, highest first. Throws Mistake where the rc file has no such profile. */
export function layersOf(sources: Sources, profile: string | null): readonly Layer[] {
  return [sources.flags, sources.environment, ...rcLayers(sources.rc, profile)];
}
