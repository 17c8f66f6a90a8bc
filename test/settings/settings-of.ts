import { Hints } from "../../src/settings/advice.ts";
import { environmentProxy, type Level, levelOf } from "../../src/settings/levels.ts";
import { parseRc } from "../../src/settings/rc-parse.ts";
import { type Scope, Settings, scopeOf } from "../../src/settings/resolve.ts";
import { flagLevel, RunSettings } from "../../src/settings/run-settings.ts";
import type { Source, Trust } from "../../src/settings/source.ts";
import { keyOf, type SettingName } from "../../src/settings/table.ts";
import type { Context } from "../../src/system/context.ts";

export type Values = Partial<Record<SettingName, string>>;

/** A level that sets these values. */
export function level(values: Values, sourceOf: (name: SettingName) => Source): Level {
  const given = Object.entries(values) as [SettingName, string][];
  return levelOf(given.map(([setting, text]) => ({ setting, text, source: sourceOf(setting) })));
}
export const variables = (values: Values): Level =>
  level(values, (name) => ({ kind: "environment", variable: `REFERRAL_${name.toUpperCase()}` }));
/** Line 3 of an rc file, which sets this key. */
export const rcSource = (key: string, trust: Trust = "yours") =>
  ({ kind: "rc", file: `/${trust}/.referralrc`, line: 3, key, trust }) as const satisfies Source;
/** What an rc file sets, on its line 3. */
export const file = (trust: Trust, values: Values): Level =>
  level(values, (name) => rcSource(keyOf(name), trust));

/** The settings of these levels, highest first, as without an account. */
export function settingsOf(
  levels: readonly Level[],
  more: Partial<Scope> & { readonly profile?: string | null } = {},
): Settings {
  const { profile = null, ...scope } = more;
  const proxyFor = environmentProxy(scope.variables ?? {});
  return new Settings({ ...scopeOf(levels, "commandLine"), proxyFor, ...scope }, profile);
}

/** What an account's hints say whatever its method, as an object that a test can spread. */
export function settingsInWords(settings: Settings): Pick<Hints, "placeOf" | "shortPlaceOf" | "inWords"> {
  const hints = new Hints(settings, "token", false);
  return {
    placeOf: (setting) => hints.placeOf(setting),
    shortPlaceOf: (setting) => hints.shortPlaceOf(setting),
    inWords: (fix, told) => hints.inWords(fix, told),
  };
}

/** What flags, environment and rc file of a run set. */
export interface GivenRun {
  readonly flags?: Readonly<Record<string, string>>;
  readonly variables?: Context["environment"];
  readonly rc?: string | null;
  readonly profiles?: readonly (string | null)[];
}

/** The settings of a run. */
export function runOf({ flags = {}, variables = {}, rc = null, profiles = [null] }: GivenRun): RunSettings {
  const file = rc === null ? null : parseRc(Buffer.from(rc), "/rc", "yours");
  return new RunSettings(flagLevel(flags), variables, file, profiles);
}

/** A value as JSON in visible ASCII; the length of a long one. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 500
    ? `${text.length} characters`
    : text.replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
