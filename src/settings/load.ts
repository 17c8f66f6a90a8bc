import { dirname, join, resolve } from "node:path";
import { InputError } from "../errors.ts";
import type { Context } from "../system/context.ts";
import { configurationTrust, homeTrust } from "./folder-trust.ts";
import { environmentLevel, flagLevel, type Level, withoutConflict } from "./levels.ts";
import { absolutePath } from "./named-file.ts";
import { parsed } from "./parse.ts";
import { noProfiles, unknownProfile } from "./profiles.ts";
import { readRcFile } from "./rc-file.ts";
import type { RcFile } from "./rc-parse.ts";
import type { Candidate } from "./rc-search.ts";
import { RunSettings } from "./run-settings.ts";
import { describeEmpty, type Trust } from "./source.ts";
import { extraVariables } from "./table.ts";

/** The options of the command line that decide where settings come from. */
export interface SourceOptions {
  /** The flags of the settings, by the names of the settings. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** `--config <path>`; false for `--no-config`. */
  readonly config?: string | false | undefined;
  readonly profiles?: readonly string[] | undefined;
  readonly all?: boolean | undefined;
  /** `--accounts <file>`: the accounts come from there, and no profile is chosen. */
  readonly accounts?: string | undefined;
}

// Folders are compared by name. A link, ".." or a slash at the end gives one folder several names.
function realFolder(folder: string | null, context: Context): string | null {
  if (folder === null) return null;
  try {
    return context.realPath(folder);
  } catch {
    return resolve(folder);
  }
}

// Report usage errors at once; report an invalid setting only when it is used.
function checkFlags(flags: Level): void {
  for (const [name, given] of flags) {
    const value = parsed(name, given);
    if (value instanceof InputError && value.kind === "usage") throw value;
  }
}

function trustOfPlace({ path, place }: Candidate, home: string | null, context: Context): Trust {
  const facts = {
    home,
    registeredHome: () => realFolder(context.registeredHomeFolder(), context),
    holdsGit: (folder: string) => context.fileExists(join(folder, ".git")),
  };
  if (place === "home" && home !== null) return homeTrust(home, facts);
  const folder = realFolder(dirname(path), context);
  return place === "configuration" && folder !== null ? configurationTrust(folder, facts) : "found";
}

async function findRcFile(config: SourceOptions["config"], context: Context): Promise<RcFile | null> {
  if (config === false) return null;
  if (config === "")
    throw new InputError("usage", "--config is empty", "Write a path after it, or use --no-config");
  const named = config ?? context.environment[extraVariables.config];
  if (named) {
    const namedBy = config === undefined ? extraVariables.config : "--config";
    return readRcFile(absolutePath(named, context.workingFolder), "yours", namedBy, context);
  }
  const { rcCandidates } = await import("./rc-search.ts");
  const home = realFolder(context.homeFolder, context);
  const candidates = rcCandidates({
    working: realFolder(context.workingFolder, context),
    home,
    configuration: context.configurationFolder,
  });
  const found = candidates.find(({ path }) => context.fileExists(path));
  return found === undefined
    ? null
    : readRcFile(found.path, trustOfPlace(found, home, context), null, context);
}

function chosenProfiles(
  options: SourceOptions,
  rc: RcFile | null,
  context: Context,
): readonly (string | null)[] {
  if (options.accounts !== undefined) return [];
  if (options.all) {
    const names = [...(rc?.profiles.keys() ?? [])];
    if (names.length > 0) return names;
    const empty = describeEmpty([extraVariables.config], context.environment);
    throw new InputError(
      "settings",
      `--all checks every profile, and ${rc === null ? "there is no rc file" : `${rc.path} has none`}${empty === null ? "" : `; ${empty}`}`,
      noProfiles,
    );
  }
  const variable = context.environment[extraVariables.profile];
  const chosen = [...new Set(options.profiles ?? (variable ? [variable] : []))];
  // Look up every name now, so that each shard reports a misspelt one.
  for (const name of chosen) if (!rc?.profiles.has(name)) throw unknownProfile(rc, name);
  return chosen.length > 0 ? chosen : [null];
}

/** Reads the flags, the environment and the rc file. Rejects with InputError. */
export async function loadSettings(options: SourceOptions, context: Context): Promise<RunSettings> {
  const flags = flagLevel(options.flags);
  checkFlags(flags);
  const rc = await findRcFile(options.config, context);
  if (rc !== null) withoutConflict(rc.top, "settings");
  return new RunSettings({
    flags,
    environment: environmentLevel(context.environment),
    variables: context.environment,
    rc,
    profiles: chosenProfiles(options, rc, context),
  });
}
