import { InputError } from "../errors.ts";
import { type Fix, flagWords } from "./fix.ts";
import type { SettingText } from "./levels.ts";
import { parsed, type Settings } from "./resolve.ts";
import { describeSource, type Source } from "./source.ts";
import { definitionOf, flagOf, type SettingName } from "./table.ts";

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

/** Where the settings of one account are set, and how to change them. No text holds a value of a setting. */
export function adviceOf(settings: Settings) {
  const sourceOf = (setting: SettingName): Source =>
    settings.get(setting).given?.source ?? { kind: "default" };
  const placeOf = (setting: SettingName): string => describeSource(sourceOf(setting));
  const wordsOf = (part: Fix[number]): string => {
    if (typeof part === "string") return part;
    if ("flag" in part) return flagWords[part.flag][settings.scope.reader];
    if ("set" in part) return waysToSet(part.set, part.to, sourceOf(part.set), settings);
    return `(now set by ${part.nowSet.map(placeOf).join(" and ")})`;
  };
  return {
    /** Where a setting is set now: `REFERRAL_TOKEN`, `token in /home/me/.referralrc, line 3`, `the default`. */
    placeOf,
    /** A fix as a sentence without its full stop, in the words of the command line or of the library. */
    inWords: (fix: Fix): string => fix.map(wordsOf).join(""),
  };
}

/** Says that REFERRAL_BASE_URL is set and that another base URL counts, which no flag gives; null if that is not so. */
export function unusedBaseUrl(settings: Settings): string | null {
  const [winner, ...others] = settings.texts("baseUrl");
  if (winner === undefined || winner.source.kind === "flag") return null;
  const unused = others.find(({ source }) => source.kind === "environment");
  if (unused === undefined || hrefOf(unused) === hrefOf(winner)) return null;
  return `${describeSource(unused.source)} is set and not used where the base URL is ${describeSource(winner.source)}`;
}

function hrefOf(baseUrl: SettingText): string {
  const endpoint = parsed("baseUrl", baseUrl);
  return endpoint instanceof InputError ? baseUrl.text : endpoint.url.href;
}
