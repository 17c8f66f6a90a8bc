import { InputError } from "../errors.ts";
import { redactorOf } from "../redaction/redact.ts";
import { didYouMean, nearestFirst } from "./nearest.ts";
import type { RcFile } from "./rc-file.ts";
import type { RcEntry } from "./rc-parse.ts";
import { describeSource, type Source } from "./source.ts";
import { alternatives, definitionOf, flagOf, type SettingName, settingNames } from "./table.ts";

/** A value as it was written, and where. */
export interface SettingText {
  readonly setting: SettingName;
  readonly text: string;
  readonly source: Source;
}

/** The secrets among these values, as they stand there; no file is read. */
export function secretTexts(values: Iterable<Pick<SettingText, "setting" | "text">>): readonly string[] {
  return [...values].flatMap(({ setting, text }) => (definitionOf(setting).kind === "secret" ? [text] : []));
}

/** All that one level (flags, environment, account, top level of the rc file) sets. */
export type Level = ReadonlyMap<SettingName, SettingText>;

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The values of flags by setting; `true` for `--token` without a value, which sets nothing. */
export type FlagValues = Partial<Record<SettingName, string | true>>;

/** The layer, checked: throws InputError if it sets a value and also the file that holds the value. */
export function withoutConflict(layer: Level, kind: InputError["kind"]): Level {
  for (const [first, second] of alternatives) {
    const [one, other] = [layer.get(first), layer.get(second)];
    if (one && other) {
      const message = `${describeSource(one.source)} and ${describeSource(other.source)} set the same thing`;
      throw new InputError(kind, message, "Keep one of the two");
    }
  }
  return layer;
}

function layerOf(given: readonly SettingText[]): Level {
  return new Map(given.map((one) => [one.setting, one]));
}

/** What the flags set. Throws InputError if they set a value and also the file that holds the value. */
export function flagLevel(values: FlagValues): Level {
  const given = settingNames.flatMap((setting): SettingText[] => {
    const text = values[setting];
    return typeof text === "string"
      ? [{ setting, text, source: { kind: "flag", flag: flagOf(setting) } }]
      : [];
  });
  return withoutConflict(layerOf(given), "usage");
}

/** What the environment sets, except the proxy, which depends on the base URL. An empty variable counts as unset. */
export function environmentLevel(environment: Environment): Level {
  const given = settingNames.flatMap((setting): SettingText[] => {
    if (setting === "proxy") return [];
    const variable = definitionOf(setting).variables.find((name) => environment[name]);
    const text = variable === undefined ? undefined : environment[variable];
    return variable && text ? [{ setting, text, source: { kind: "environment", variable } }] : [];
  });
  return layerOf(given);
}

/** The names of an rc file's profiles that may be listed: those that hold no secret of the file. */
export function listedProfiles(rc: RcFile | null): readonly string[] {
  if (rc === null) return [];
  const redact = redactorOf(secretTexts([rc.entries, ...rc.profiles.values()].flat()));
  return [...rc.profiles.keys()].filter((name) => redact(name) === name);
}

/** What to do where there is no profile to choose. */
export const noProfiles = 'Name an rc file with --config, or add the key "profiles" to .referralrc';

function rcLayer({ path, trust }: RcFile, entries: readonly RcEntry[]): Level {
  const given = entries.map(
    ({ setting, text, key, line }): SettingText => ({
      setting,
      text,
      source: { kind: "rc", file: path, line, key, trust },
    }),
  );
  return withoutConflict(layerOf(given), "settings");
}

/** What the top level of the rc file sets; nothing without a file. Throws InputError as `withoutConflict` does. */
export function topLevel(rc: RcFile | null): Level {
  return rc === null ? new Map() : rcLayer(rc, rc.entries);
}

const mostNames = 10;

/** The mistake of choosing a profile that does not exist. Its hint lists those that exist, the nearest first. */
function unknownProfile(rc: RcFile | null, profile: string): InputError {
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

/** Throws InputError if the rc file has no such profile. */
export function checkProfile(rc: RcFile | null, profile: string): void {
  if (rc?.profiles.has(profile) !== true) throw unknownProfile(rc, profile);
}

/** What a profile of the rc file sets itself. Throws InputError if it does not exist, and as `withoutConflict` does. */
export function profileLevel(rc: RcFile | null, profile: string): Level {
  const entries = rc?.profiles.get(profile);
  if (rc === null || entries === undefined) throw unknownProfile(rc, profile);
  return rcLayer(rc, entries);
}

/**
 * What is given for a setting or its alternative, highest level first: the first counts, and hides the others. So a token
 * hides the token file of a lower level, and the other way round.
 */
export function textsFor(layers: readonly Level[], name: SettingName): readonly SettingText[] {
  const names = alternatives.find((pair) => pair.includes(name)) ?? [name];
  return layers.flatMap((layer) => names.flatMap((name) => layer.get(name) ?? []));
}
