import { InputError, orInputError } from "../errors.ts";
import { masked, type Redactor } from "../redaction/redact.ts";
import type { Context } from "../system/context.ts";
import { shownCommand } from "./command.ts";
import { standardInput } from "./inputs.ts";
import { redactorFor } from "./known-secrets.ts";
import { type SettingText, textsFor, winnerOf } from "./levels.ts";
import type { Sources } from "./load.ts";
import { namedMethods } from "./methods.ts";
import { pathExists } from "./named-file.ts";
import { type Precedence, precedenceOf } from "./precedence.ts";
import { parseProxy } from "./proxy.ts";
import { readers } from "./readers.ts";
import { secretsAtHand } from "./secret-reader.ts";
import { describeSource, type Source, type Trust } from "./source.ts";
import { credentialNames, definitionOf, hasDefault, type SettingName, settingNames } from "./table.ts";
import { type RouteSources, travelRefusal, trustOf } from "./trust.ts";
import { winnerOrDefault } from "./values.ts";

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
  /** Whether it names a file that does not exist. */
  readonly isMissing: boolean;
  readonly onlyWith: "--token" | "--wsse" | null;
  readonly reason: string | null;
}

// Stands for a path at which nothing exists: it may be a secret in the wrong place.
const notFound = "[not found]";

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
  /** The rc file, and how many profiles it has. */
  readonly rc: { readonly file: string; readonly trust: Trust; readonly profiles: number } | null;
}

function noteOf(name: SettingName, source: Source | null, { unused }: Precedence): string | null {
  const other = unused.get(name);
  if (other !== undefined)
    return `${describeSource(other.source)} is set and not used, because a profile is chosen`;
  return name === "retry" && source !== null && trustOf(source) === "found"
    ? "does not apply to a credential of yours: the file was only found in the working tree"
    : null;
}

function withoutPassword(url: URL): string {
  if (url.username === "" && url.password === "") return url.href;
  return `${url.protocol}//${masked}@${url.host}${url.pathname}`;
}

/** A valid value for display. Numbers and choices are never secrets, so they are not redacted. */
function shownValue(given: SettingText, { redact, context }: View): string {
  const { setting, text } = given;
  switch (definitionOf(setting).kind) {
    case "secret":
      return masked;
    case "number":
    case "choice":
      return text;
    case "text":
      return redact(text);
    case "command":
      return redact(shownCommand(text));
    case "path":
      return text === standardInput || pathExists(given, context) ? redact(text) : notFound;
    case "url": {
      const proxy = setting === "proxy" ? parseProxy(text) : null;
      const shown = proxy instanceof URL ? withoutPassword(proxy) : text;
      // The scheme is never secret. A short secret could be the word `http`.
      return shown.replace(/(?<=:\/\/).+/, redact);
    }
  }
}

function rowOf(name: SettingName, precedence: Precedence, view: View): SettingRow {
  const { levels } = precedence;
  const given = hasDefault(name) ? winnerOrDefault(levels, name) : winnerOf(levels, name);
  const source = given?.source ?? null;
  const read = orInputError(() => readers[name](levels));
  const problem = read instanceof InputError ? read.message : null;
  // An invalid URL may hold a password, and any other invalid value may be a secret in the wrong place.
  const shown = (text: SettingText) => (problem === null ? shownValue(text, view) : "[invalid]");
  const others = textsFor(levels, name).filter((other) => other.source !== source);
  return {
    name,
    value: given && shown(given),
    source,
    hides: given === null ? [] : others.map((other) => other.source),
    problem,
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
  return settings.flatMap(({ name, source, value }): readonly TravelRow[] => {
    if (source === null || !credentialNames.has(name)) return [];
    const method = name.startsWith("token") ? "token" : "wsse";
    const onlyWith = methods.includes(method) ? null : (`--${method}` as const);
    const row = { name, source, isMissing: value === notFound, onlyWith };
    if (route === null) return [{ ...row, mayTravel: false, reason: "No base URL is set" }];
    const refusal = travelRefusal({ setting: name, source }, route);
    return [{ ...row, mayTravel: refusal === null, reason: refusal?.message ?? null }];
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
    rc: rc && { file: rc.path, trust: rc.trust, profiles: rc.profiles.size },
  };
}
