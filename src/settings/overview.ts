import { InputError, orInputError } from "../errors.ts";
import type { Redactor } from "../redaction/redact.ts";
import type { Context } from "../system/context.ts";
import { standardInput } from "./inputs.ts";
import { redactorFor } from "./known-secrets.ts";
import { type SettingText, textsFor } from "./levels.ts";
import type { Sources } from "./load.ts";
import { namedMethods } from "./methods.ts";
import { pathExists } from "./named-file.ts";
import { type Precedence, precedenceOf } from "./precedence.ts";
import { readers } from "./readers.ts";
import { secretsAtHand } from "./secret-reader.ts";
import { describeSource, type Source, type Trust } from "./source.ts";
import { credentialNames, definitionOf, type SettingName, settingNames } from "./table.ts";
import { explainRefusal, type RouteSources, travelRefusal, trustOf } from "./trust.ts";
import type { Setting } from "./values.ts";

/** One setting as `config` shows it. `value` is null if nothing is set, and is never a secret. */
interface SettingRow {
  readonly name: SettingName;
  readonly value: string | null;
  readonly source: Source | null;
  readonly hides: readonly Source[];
  readonly problem: string | null;
  /** A remark on whether the value, or another one that is set, is used. */
  readonly note: string | null;
}

/**
 * Whether one part of a credential will be used with the base URL; `reason` says why not. `onlyWith` is the flag without which
 * `test` does not check the part's method.
 */
interface TravelRow {
  readonly name: SettingName;
  readonly source: Source;
  readonly mayTravel: boolean;
  readonly onlyWith: "--token" | "--wsse" | null;
  readonly reason: string | null;
}

/** What decides whether a value may be shown. */
interface View {
  readonly redact: Redactor;
  readonly context: Context;
}

/** The content of `config`: every setting, and whether each part of a credential will be used. */
export interface SettingsOverview {
  readonly settings: readonly SettingRow[];
  readonly credentials: readonly TravelRow[];
  readonly profile: string | null;
  readonly rc: { readonly file: string; readonly trust: Trust } | null;
}

function noteOf(name: SettingName, source: Source | null, { unused }: Precedence): string | null {
  const other = unused.get(name);
  if (other !== undefined)
    return `${describeSource(other.source)} is set and not used, because a profile is chosen`;
  return name === "retry" && source !== null && trustOf(source) === "found"
    ? "does not apply to a credential of yours: the file was only found in the working tree"
    : null;
}

/** A value for display. Numbers and choices are never secrets, so they are not redacted. */
function shownValue(name: SettingName, { value, shown }: Setting<unknown>, view: View): string {
  const { kind } = definitionOf(name);
  if (kind === "number" || kind === "choice" || kind === "secret") return shown;
  const isMissing =
    kind === "path" && shown !== standardInput && !pathExists(value as SettingText, view.context);
  if (isMissing) return "[not found]";
  // The scheme is never secret. A short secret could be the word `http`.
  return kind === "url" ? shown.replace(/(?<=:\/\/).+/, view.redact) : view.redact(shown);
}

function rowOf(name: SettingName, precedence: Precedence, view: View): SettingRow {
  const { levels } = precedence;
  const read = orInputError(() => readers[name](levels));
  if (read === null) {
    return {
      name,
      value: null,
      source: null,
      hides: [],
      problem: null,
      note: noteOf(name, null, precedence),
    };
  }
  const given = textsFor(levels, name).map(({ source }) => source);
  const isInvalid = read instanceof InputError;
  const source = isInvalid ? (given[0] ?? null) : read.source;
  // An invalid URL may hold a password, and any other invalid value may be a secret in the wrong place.
  const invalid = source === null ? null : "[invalid]";
  return {
    name,
    value: isInvalid ? invalid : shownValue(name, read, view),
    source,
    hides: given.filter((other) => other !== source),
    problem: isInvalid ? read.message : null,
    note: noteOf(name, source, precedence),
  };
}

function travelRows(settings: readonly SettingRow[], precedence: Precedence): readonly TravelRow[] {
  const methods = namedMethods(precedence);
  const sourceOf = (name: SettingName): Source | null =>
    settings.find((row) => row.name === name)?.source ?? null;
  const baseUrl = sourceOf("baseUrl");
  const route: RouteSources | null = baseUrl && {
    baseUrl,
    proxy: sourceOf("proxy"),
    caCert: sourceOf("caCert"),
  };
  return settings.flatMap(({ name, source }): readonly TravelRow[] => {
    if (source === null || !credentialNames.has(name)) return [];
    const method = name.startsWith("token") ? "token" : "wsse";
    const onlyWith = methods.includes(method) ? null : (`--${method}` as const);
    if (route === null) return [{ name, source, mayTravel: false, onlyWith, reason: "No base URL is set" }];
    const part = { setting: name, source };
    const refusal = travelRefusal(part, route);
    const reason = refusal && explainRefusal(part, refusal).message;
    return [{ name, source, mayTravel: refusal === null, onlyWith, reason }];
  });
}

/** Every setting of a profile with its source, and whether each credential will be used. Waits for no input. */
export function overviewOf(sources: Sources, profile: string | null, context: Context): SettingsOverview {
  const { rc } = sources;
  const precedence = precedenceOf(sources, profile);
  const redact = redactorFor(sources, profile, secretsAtHand(precedence.levels, context));
  const settings = settingNames.map((name) => rowOf(name, precedence, { redact, context }));
  return {
    settings,
    credentials: travelRows(settings, precedence),
    profile: profile && redact(profile),
    rc: rc && { file: rc.path, trust: rc.trust },
  };
}
