import { endpointOf } from "./base-url.ts";
import { isInvalid } from "./definition.ts";
import type { Fix } from "./fix.ts";
import type { Settings } from "./resolve.ts";
import { describeSource, type Source } from "./source.ts";
import { definitionOf, flagOf, type SettingName } from "./table.ts";
import { trustOf } from "./trust.ts";

/** Where the settings of one account are set, and how to change them. No text holds a value of a setting. */
export interface Advice {
  /** Where a setting is set now: `REFERRAL_TOKEN`, `token in /home/me/.referralrc, line 3`, `the default`. */
  placeOf(setting: SettingName): string;
  /** A fix as a sentence without its full stop, in the words of the command line or of the library. */
  inWords(fix: Fix): string;
}

function rcLine(file: string, key: string, value: string): string {
  return file.endsWith(".json") ? `"${key}": "${value}"` : `${key}: ${value}`;
}

/** How to give a setting a value. Defaults are changed in the rc file if there is one. */
function waysToSet(setting: SettingName, value: string, source: Source, settings: Settings): string {
  const flag = `${flagOf(setting)} ${value}`;
  switch (source.kind) {
    case "flag":
    case "environment":
      return `Use ${flag} (now set by ${describeSource(source)})`;
    case "rc":
      return `Write ${rcLine(source.file, setting, value)} into ${source.file}, line ${source.line} (now set there)`;
    case "account-line":
      return `Write ${rcLine(".json", setting, value)} into line ${source.line} of --accounts (now set there)`;
    case "option":
      return `Set ${source.option} to ${value}`;
    case "default": {
      const { rc, chosenBy } = settings.scope;
      // A line's name is no profile of the rc file, and the rc file's top level would change all lines.
      if (chosenBy === "line")
        return `Write ${rcLine(".json", setting, value)} into the account's line of --accounts (not set now)`;
      if (rc === null)
        return `Use ${flag}, or set ${definitionOf(setting).variables[0]}=${value} (not set now)`;
      const place = settings.profile === null ? "" : ", below this profile";
      return `Write ${rcLine(rc.path, setting, value)} into ${rc.path}${place} (not set now)`;
    }
  }
}

/** Advice on the settings of an account. */
export function adviceOf(settings: Settings): Advice {
  const sourceOf = (setting: SettingName): Source => settings.winner(setting)?.source ?? { kind: "default" };
  const placeOf = (setting: SettingName): string => describeSource(sourceOf(setting));
  const wordsOf = (part: Fix[number]): string => {
    if (typeof part === "string") return part;
    if ("flag" in part) return settings.scope.flagWords[part.flag];
    if ("set" in part) return waysToSet(part.set, part.to, sourceOf(part.set), settings);
    return `(now set by ${part.nowSet.map(placeOf).join(" and ")})`;
  };
  return { placeOf, inWords: (fix) => fix.map(wordsOf).join("") };
}

/** Environment variables that hide a different value of the rc file, among these settings and their alternatives. */
export function hiddenByEnvironment(
  settings: Settings,
  names: readonly SettingName[],
): ReadonlyArray<{ readonly by: string; readonly place: string }> {
  return names.flatMap((name) => {
    const [winner, ...rest] = settings.texts(name);
    if (winner?.source.kind !== "environment") return [];
    const other = rest.find(
      ({ source, setting, text }) =>
        source.kind === "rc" && (setting !== winner.setting || text !== winner.text),
    );
    return other === undefined ? [] : [{ by: winner.source.variable, place: describeSource(other.source) }];
  });
}

/** The places of those of these settings whose value may be cut: in a YAML file, a comment follows it and it has no quotes. */
export function cutByComment(settings: Settings, names: readonly SettingName[]): readonly string[] {
  return names.flatMap((name) => {
    const winner = settings.winner(name);
    return winner?.commentFollows ? [describeSource(winner.source)] : [];
  });
}

/** The places of those of these settings that an rc file found in the working tree sets. */
export function setByFoundFile(settings: Settings, names: readonly SettingName[]): readonly string[] {
  return names.flatMap((name) => {
    const winner = settings.winner(name);
    return winner !== null && trustOf(winner.source) === "found" ? [describeSource(winner.source)] : [];
  });
}

/** Says that REFERRAL_BASE_URL is set and that another base URL counts, which no flag gives; null if that is not so. */
export function unusedBaseUrl(settings: Settings): string | null {
  const [winner, ...others] = settings.texts("baseUrl");
  if (winner === undefined || winner.source.kind === "flag") return null;
  const unused = others.find(({ source }) => source.kind === "environment");
  if (unused === undefined || hrefOf(unused.text) === hrefOf(winner.text)) return null;
  return `${describeSource(unused.source)} is set and not used where the base URL is ${describeSource(winner.source)}`;
}

function hrefOf(baseUrl: string): string {
  const endpoint = endpointOf(baseUrl);
  return isInvalid(endpoint) ? baseUrl : endpoint.url.href;
}
