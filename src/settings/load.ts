import { resolve } from "node:path";
import type { Context } from "../context.ts";
import { Mistake, orMistake } from "../mistake.ts";
import { environmentLayer, type FlagValues, flagLayer, type Layer, noProfiles, rcLayers } from "./layers.ts";
import { absolutePath } from "./named-file.ts";
import { findRcFile, type RcFile, readRcFile } from "./rc-file.ts";
import { readers } from "./readers.ts";
import { extraVariables } from "./table.ts";

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

// Home and the tree are compared by name, and one folder can have several: links, "..", a slash at its end.
function realFolder(folder: string | null, context: Context): string | null {
  if (folder === null) return null;
  try {
    return context.realPath(folder);
  } catch {
    return resolve(folder);
  }
}

// What is wrong usage is so whatever else is missing; a setting that is wrong is told when it is needed.
function checkFlags(flags: Layer): void {
  for (const name of flags.keys()) {
    const read = orMistake(() => readers[name]([flags], {}));
    if (read instanceof Mistake && read.kind === "usage") throw read;
  }
}

async function rcFileOf(config: SourceOptions["config"], context: Context): Promise<RcFile | null> {
  if (config === false) return null;
  if (config === "")
    throw new Mistake("usage", "--config is empty", "Write a path after it, or use --no-config");
  const named = config ?? context.environment[extraVariables.config];
  if (named) return readRcFile(absolutePath(named, context.workingFolder), "yours", true, context);
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
