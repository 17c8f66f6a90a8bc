import { type InputError, wrongSettings } from "../errors.ts";
import { redactorOf } from "../redaction/redact.ts";
import { maxNameLength, wrapping } from "./definition.ts";
import { type Level, secretTexts, withoutConflict } from "./levels.ts";
import { nearestFirst } from "./nearest.ts";
import type { RcFile } from "./rc-parse.ts";
import { describeEmpty, type Environment } from "./source.ts";
import { extraVariables } from "./table.ts";

const noProfiles = 'Name an rc file with --config, or add the key "profiles" to .referralrc';

const mostNames = 10;

/** The names of an rc file's profiles that may be listed: those that can be checked and hold no secret of the file. */
export function listedProfiles(rc: RcFile, names: readonly string[]): readonly string[] {
  const redact = redactorOf(secretTexts([rc.top, ...rc.profiles.values()]));
  return names.filter((name) => name.length <= maxNameLength && redact(name) === name);
}

// The hint lists the profiles that exist, the nearest first.
function unknownProfile(rc: RcFile | null, profile: string): InputError {
  const wrong = wrapping(profile);
  if (wrong !== null) return wrongSettings(`The name of the chosen profile ${wrong.problem}`, wrong.hint);
  if (rc === null) return wrongSettings("A profile is chosen, and there is no rc file", noProfiles);
  const names = listedProfiles(rc, nearestFirst(profile, [...rc.profiles.keys()])).slice(0, mostNames);
  const more = rc.profiles.size > names.length ? `, and ${rc.profiles.size - names.length} more` : "";
  return wrongSettings(
    `The rc file ${rc.path} has no such profile`,
    names.length === 0 ? noProfiles : `The file has: ${names.join(", ")}${more}`,
  );
}

/** What a profile of the rc file sets itself. Throws InputError if it does not exist or its name is too long, and as `withoutConflict` does. */
export function profileLevel(rc: RcFile | null, profile: string): Level {
  const level = rc?.profiles.get(profile);
  if (rc === null || level === undefined) throw unknownProfile(rc, profile);
  if (profile.length > maxNameLength)
    throw wrongSettings(
      `The rc file ${rc.path} has a profile of more than ${maxNameLength} characters`,
      "Shorten the name",
    );
  return withoutConflict(level, "settings");
}

/** How accounts are chosen. */
export interface AccountOptions {
  readonly profile?: readonly string[];
  readonly all?: boolean;
  /** `--accounts <file>`: the accounts come from there, and no profile is chosen. */
  readonly accounts?: string | undefined;
}

/** The profiles to check; a single null if none is chosen; none with `--accounts`. Throws InputError. */
export function chosenProfiles(
  options: AccountOptions,
  rc: RcFile | null,
  environment: Environment,
): readonly (string | null)[] {
  if (options.accounts !== undefined) return [];
  if (options.all) {
    const names = [...(rc?.profiles.keys() ?? [])];
    if (names.length > 0) return names;
    const empty = describeEmpty([extraVariables.config], environment);
    throw wrongSettings(
      `--all checks every profile, and ${rc === null ? "there is no rc file" : `${rc.path} has none`}${empty === null ? "" : `; ${empty}`}`,
      noProfiles,
    );
  }
  const variable = environment[extraVariables.profile];
  const chosen = [...new Set(options.profile ?? (variable ? [variable] : []))];
  // Look up every name now, so that each shard reports a misspelt one.
  for (const name of chosen) if (!rc?.profiles.has(name)) throw unknownProfile(rc, name);
  return chosen.length > 0 ? chosen : [null];
}
