import { Mistake, orMistake } from "../mistake.ts";
import { givenFor } from "./layers.ts";
import { type Levels, levelsOf } from "./levels.ts";
import type { Sources } from "./load.ts";
import { readers } from "./readers.ts";
import { describeSource, type Source, type Trust } from "./source.ts";
import { type SettingName, settingNames } from "./table.ts";
import { explainRefusal, travelRefusal, trustOf, type Way } from "./trust.ts";

/** One setting as `config` shows it. `value` is null where nothing is set, and never a secret. */
interface SettingRow {
  readonly name: SettingName;
  readonly value: string | null;
  readonly source: Source | null;
  readonly hides: readonly Source[];
  readonly problem: string | null;
  /** What else decides whether the value, or another one that is set, is used. */
  readonly note: string | null;
}

/** Whether one part of a credential may travel to the base URL; `reason` says why not. */
interface TravelRow {
  readonly name: SettingName;
  readonly source: Source;
  readonly mayTravel: boolean;
  readonly reason: string | null;
}

/** All that `config` shows: every setting, and every part of a credential with whether it may travel. */
export interface Config {
  readonly settings: readonly SettingRow[];
  readonly credentials: readonly TravelRow[];
  readonly profile: string | null;
  readonly rc: { readonly file: string; readonly trust: Trust } | null;
}

function noteOf(name: SettingName, source: Source | null, { unused }: Levels): string | null {
  const other = unused.get(name);
  if (other !== undefined)
    return `${describeSource(other.source)} is set and not used, because a profile is chosen`;
  return name === "retry" && source !== null && trustOf(source) === "found"
    ? "does not apply to a credential of yours: the file was only found in the working tree"
    : null;
}

function rowOf(name: SettingName, levels: Levels): SettingRow {
  const { layers } = levels;
  const read = orMistake(() => readers[name](layers));
  if (read === null) {
    return { name, value: null, source: null, hides: [], problem: null, note: noteOf(name, null, levels) };
  }
  const given = givenFor(layers, name).map(({ source }) => source);
  const isInvalid = read instanceof Mistake;
  const source = isInvalid ? (given[0] ?? null) : read.source;
  // An invalid URL may hold a password, and any other invalid value may be a secret in the wrong place.
  const invalid = source === null ? null : "[invalid]";
  return {
    name,
    value: isInvalid ? invalid : read.shown,
    source,
    hides: given.filter((other) => other !== source),
    problem: isInvalid ? read.message : null,
    note: noteOf(name, source, levels),
  };
}

function travelRows(settings: readonly SettingRow[]): readonly TravelRow[] {
  const sourceOf = (name: SettingName): Source | null =>
    settings.find((row) => row.name === name)?.source ?? null;
  const baseUrl = sourceOf("baseUrl");
  const way: Way | null = baseUrl && { baseUrl, proxy: sourceOf("proxy"), caCert: sourceOf("caCert") };
  const parts = ["token", "tokenFile", "username", "secret", "secretFile"] as const;
  return parts.flatMap((name): readonly TravelRow[] => {
    const source = sourceOf(name);
    if (source === null) return [];
    if (way === null) return [{ name, source, mayTravel: false, reason: "No base URL is set" }];
    const part = { setting: name, source };
    const refusal = travelRefusal(part, way);
    const reason = refusal && explainRefusal(part, refusal).message;
    return [{ name, source, mayTravel: refusal === null, reason }];
  });
}

/** Every setting of the chosen profile with its source, and where each credential may go. No secret's file is read. */
export function configOf(sources: Sources): Config {
  const { rc, profiles } = sources;
  const profile = profiles[0] ?? null;
  const levels = levelsOf(sources, profile);
  const settings = settingNames.map((name) => rowOf(name, levels));
  return {
    settings,
    credentials: travelRows(settings),
    profile,
    rc: rc && { file: rc.path, trust: rc.trust },
  };
}
