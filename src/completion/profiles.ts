import { InputError } from "../errors.ts";
import { escapeText } from "../report/escape.ts";
import { listedProfiles } from "../settings/profiles.ts";
import { loadSettings } from "../settings/run-settings.ts";
import { extraVariables } from "../settings/table.ts";
import type { Context } from "../system/context.ts";
import type { Position } from "./position.ts";

/**
 * The names of the rc file's profiles; none if there is no rc file or it is invalid. It reads one environment variable, the
 * one that names the file. It leaves out names with characters that a terminal cannot show.
 */
export async function profileNames(config: Position["config"], context: Context): Promise<readonly string[]> {
  // Completion gets the words before the shell expands `~/`.
  const home = context.homeFolder ?? "~";
  const named = typeof config === "string" ? config.replace(/^~(?=\/)/, () => home) : config;
  const environment = { [extraVariables.config]: context.environment[extraVariables.config] };
  try {
    const { rc } = await loadSettings({ config: named }, { ...context, environment });
    if (rc === null) return [];
    return listedProfiles(rc, [...rc.profiles.keys()]).filter((name) => escapeText(name) === name);
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}
