import { type Level, textFor } from "./levels.ts";
import type { RcFile } from "./rc-parse.ts";
import { describeSource, type Source } from "./source.ts";
import { definitionOf, flagOf, type SettingName } from "./table.ts";

/** Where the settings of one account are set, and how to change them. No text holds a value of a setting. */
export interface Advice {
  /** Where a setting is set now: `REFERRAL_TOKEN`, `token in /home/me/.referralrc, line 3`, `the default`. */
  placeOf(setting: SettingName): string;
  /** What to do so that the setting has this value from now on, as a sentence without its full stop. */
  fixFor(setting: SettingName, value: string): string;
}

function rcLine(file: string, key: string, value: string): string {
  return file.endsWith(".json") ? `"${key}": "${value}"` : `${key}: ${value}`;
}

/** Advice on the settings of these levels, highest first. Defaults are changed in the rc file if there is one. */
export function adviceFor(
  levels: readonly Level[],
  rc: Pick<RcFile, "path"> | null,
  profile: string | null,
): Advice {
  const sourceOf = (setting: SettingName): Source => textFor(levels, setting)?.source ?? { kind: "default" };
  return {
    placeOf: (setting) => describeSource(sourceOf(setting)),
    fixFor: (setting, value) => {
      const source = sourceOf(setting);
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
          const place = profile === null ? "" : ", below this profile";
          return rc === null
            ? `Use ${flag}, or set ${definitionOf(setting).variables[0]}=${value} (not set now)`
            : `Write ${rcLine(rc.path, setting, value)} into ${rc.path}${place} (not set now)`;
        }
      }
    },
  };
}
