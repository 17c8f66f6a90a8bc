import type { Context } from "../context.ts";
import { Mistake, orMistake } from "../mistake.ts";
import { type Environment, givenFor, type Layer } from "./layers.ts";
import { layersOf, type Sources } from "./load.ts";
import { readers } from "./readers.ts";
import type { Source, Trust } from "./source.ts";
import { type SettingName, settingNames } from "./table.ts";
import { explainRefusal, travelRefusal, type Way } from "./trust.ts";

/** One setting as `config` shows it. `value` is null where nothing is set, and never a secret. */
interface SettingRow {
  readonly name: SettingName;
  readonly value: string | null;
  readonly source: Source | null;
  readonly hides: readonly Source[];
  readonly problem: string | null;
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

function rowOf(name: SettingName, layers: readonly Layer[], environment: Environment): SettingRow {
  const read = orMistake(() => readers[name](layers, environment));
  if (read === null) return { name, value: null, source: null, hides: [], problem: null };
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
    const refusal = travelRefusal(source, way);
    const reason = refusal && explainRefusal(source, refusal).message;
    return [{ name, source, mayTravel: refusal === null, reason }];
  });
}

/** Every setting of the chosen profile with its source, and where each credential may go. No secret's file is read. */
export function configOf(sources: Sources, { environment }: Context): Config {
  const { rc, profiles } = sources;
  const profile = profiles[0] ?? null;
  const layers = layersOf(sources, profile);
  const settings = settingNames.map((name) => rowOf(name, layers, environment));
  return {
    settings,
    credentials: travelRows(settings),
    profile,
    rc: rc && { file: rc.path, trust: rc.trust },
  };
}
