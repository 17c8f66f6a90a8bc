import { InputError } from "../errors.ts";
import { escapeText } from "../report/escape.ts";
import { loadSources } from "../settings/load.ts";
import { listedProfiles } from "../settings/profiles.ts";
import { extraVariables } from "../settings/table.ts";
import type { Context } from "../system/context.ts";
import type { Position } from "./position.ts";

/** `~/` as a shell would expand it: completion gets words as they are typed. */
function expanded(path: string, home: string | null): string {
  return path.startsWith("~/") && home !== null ? home + path.slice(1) : path;
}

/**
 * The names of the rc file's profiles; none where there is no such file, or it cannot be used. Of the environment only
 * what names the file is looked at. A name that no line can show is left out.
 */
export async function profileNames(config: Position["config"], context: Context): Promise<readonly string[]> {
  const named = typeof config === "string" ? expanded(config, context.homeFolder) : config;
  const environment = { [extraVariables.config]: context.environment[extraVariables.config] };
  try {
    const { rc } = await loadSources({ values: {}, config: named }, { ...context, environment });
    return listedProfiles(rc).filter((name) => escapeText(name) === name);
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}
