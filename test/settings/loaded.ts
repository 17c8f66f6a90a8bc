import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { loadSettings, type Options } from "../../src/settings/run-settings.ts";
import { folderWith } from "../support/folder.ts";
import { contextOf } from "../support/run.ts";

/** Where the program runs, as paths below the folder of the test; `null` if there is none. */
export interface Places {
  readonly working?: string | null;
  readonly home?: string | null;
  readonly configuration?: string;
  readonly registered?: string;
}

/** Loads the settings in a folder with these files. `link` leads to `home`. */
export async function loaded(
  files: Readonly<Record<string, unknown>>,
  { working = "tree", home = "home", configuration = "home/.config/referral", registered }: Places = {},
  options: Options = {},
  environment: Readonly<Record<string, string>> = {},
) {
  const root = folderWith({ "tree/.keep": "", "home/.keep": "", ...files });
  symlinkSync(join(root, "home"), join(root, "link"));
  const at = (place: string | null) => (place === null ? null : `${root}/${place}`);
  const settings = await loadSettings(options, {
    ...contextOf([]),
    environment,
    workingFolder: at(working),
    homeFolder: at(home),
    configurationFolder: `${root}/${configuration}`,
    registeredHomeFolder: () => at(registered ?? null),
  });
  const { rc } = settings;
  return { settings, rc: rc && [rc.path.slice(root.length + 1), rc.trust] };
}
