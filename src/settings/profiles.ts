import { InputError } from "../errors.ts";
import { redactorOf } from "../redaction/redact.ts";
import { type Level, secretTexts, withoutConflict } from "./levels.ts";
import { didYouMean, nearestFirst } from "./nearest.ts";
import type { RcFile } from "./rc-parse.ts";

/** What to do if there is no profile to choose. */
export const noProfiles = 'Name an rc file with --config, or add the key "profiles" to .referralrc';

const mostNames = 10;

/** The names of an rc file's profiles that may be listed: those that hold no secret of the file. */
export function listedProfiles(rc: RcFile | null): readonly string[] {
  if (rc === null) return [];
  const redact = redactorOf(secretTexts([rc.top, ...rc.profiles.values()]));
  return [...rc.profiles.keys()].filter((name) => redact(name) === name);
}

/** The error of choosing a profile that does not exist. Its hint lists those that exist, the nearest first. */
export function unknownProfile(rc: RcFile | null, profile: string): InputError {
  if (rc === null)
    return new InputError("settings", "A profile is chosen, and there is no rc file", noProfiles);
  const names = nearestFirst(profile, listedProfiles(rc)).slice(0, mostNames);
  const more = rc.profiles.size > names.length ? `, and ${rc.profiles.size - names.length} more` : "";
  const hint = `${didYouMean(profile, names)} The file has: ${names.join(", ")}${more}`;
  return new InputError(
    "settings",
    `The rc file ${rc.path} has no such profile`,
    names.length === 0 ? noProfiles : hint.trim(),
  );
}

/** What a profile of the rc file sets itself. Throws InputError if it does not exist, and as `withoutConflict` does. */
export function profileLevel(rc: RcFile | null, profile: string): Level {
  const level = rc?.profiles.get(profile);
  if (level === undefined) throw unknownProfile(rc, profile);
  return withoutConflict(level, "settings");
}
