import { Mistake } from "../mistake.ts";
import { didYouMean } from "../nearest.ts";
import { redactorOf } from "../redact.ts";
import type { RcFile } from "./rc-file.ts";
import type { RcEntry } from "./rc-parse.ts";
import { describeSource, type Source } from "./source.ts";
import { alternatives, definitionOf, flagOf, type SettingName, settingNames } from "./table.ts";

/** A value as it was written, and where. */
export interface Given {
  readonly setting: SettingName;
  readonly text: string;
  readonly source: Source;
}

/** The secrets among these values, as they stand there; no file is read. */
export function secretTexts(values: Iterable<Pick<Given, "setting" | "text">>): readonly string[] {
  return [...values].flatMap(({ setting, text }) => (definitionOf(setting).kind === "secret" ? [text] : []));
}

/** All that one level (flags, environment, profile, top level of the rc) sets; levels come in order of precedence. */
export type Layer = ReadonlyMap<SettingName, Given>;

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The values of flags by setting; `true` for `--token` without a value, which sets nothing. */
export type FlagValues = Partial<Record<SettingName, string | true>>;

function layerOf(given: readonly Given[], kind: Mistake["kind"]): Layer {
  const layer = new Map(given.map((one) => [one.setting, one]));
  for (const [first, second] of alternatives) {
    const [one, other] = [layer.get(first), layer.get(second)];
    if (one && other) {
      const message = `${describeSource(one.source)} and ${describeSource(other.source)} set the same thing`;
      throw new Mistake(kind, message, "Keep one of the two");
    }
  }
  return layer;
}

/** What the flags set. Throws a Mistake where a value is given twice: itself, and the file that holds it. */
export function flagLayer(values: FlagValues): Layer {
  const given = settingNames.flatMap((setting): Given[] => {
    const text = values[setting];
    return typeof text === "string"
      ? [{ setting, text, source: { kind: "flag", flag: flagOf(setting) } }]
      : [];
  });
  return layerOf(given, "usage");
}

/** What the environment sets; an empty variable counts as unset. Proxies are chosen per base URL, by `proxySetting`. */
export function environmentLayer(environment: Environment): Layer {
  const given = settingNames.flatMap((setting): Given[] => {
    if (setting === "proxy") return [];
    const variable = definitionOf(setting).variables.find((name) => environment[name]);
    const text = variable === undefined ? undefined : environment[variable];
    return variable && text ? [{ setting, text, source: { kind: "environment", variable } }] : [];
  });
  return layerOf(given, "settings");
}

/** The names of an rc file's profiles that may be listed: those that hold no secret of the file. */
export function listedProfiles(rc: RcFile | null): readonly string[] {
  if (rc === null) return [];
  const redact = redactorOf(secretTexts([rc.entries, ...rc.profiles.values()].flat()));
  return [...rc.profiles.keys()].filter((name) => redact(name) === name);
}

/** What to do where there is no profile to choose. */
export const noProfiles = 'Name an rc file with --config, or add the key "profiles" to .referralrc';

/** The layers of the rc file: the chosen profile, if any, above the top level. */
export function rcLayers(rc: RcFile | null, profile: string | null): readonly Layer[] {
  const layer = (entries: readonly RcEntry[]): Layer =>
    layerOf(
      entries.map(({ setting, text, key, line }) => ({
        setting,
        text,
        source: { kind: "rc", file: rc?.path ?? "", line, key, trust: rc?.trust ?? "found" },
      })),
      "settings",
    );
  if (profile === null) return rc === null ? [] : [layer(rc.entries)];
  const chosen = rc?.profiles.get(profile);
  if (rc === null || chosen === undefined) {
    const known = listedProfiles(rc);
    throw new Mistake(
      "settings",
      rc === null
        ? "A profile is chosen, and there is no rc file"
        : `The rc file ${rc.path} has no such profile`,
      didYouMean(profile, known) ||
        (known.length > 0 ? 'Choose one that is below the key "profiles" in that file' : noProfiles),
    );
  }
  return [layer(chosen), layer(rc.entries)];
}

/**
 * What is given for a setting or its alternative, highest level first: the first counts, and hides the others. So a token
 * hides the token file of a lower level, and the other way round.
 */
export function givenFor(layers: readonly Layer[], name: SettingName): readonly Given[] {
  const names = alternatives.find((pair) => pair.includes(name)) ?? [name];
  return layers.flatMap((layer) => names.flatMap((name) => layer.get(name) ?? []));
}
