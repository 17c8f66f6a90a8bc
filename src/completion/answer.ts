// Prints suggestions in the form that each shell's script reads.

import type { Command } from "commander";
import { InputError } from "../errors.ts";
import { escapeText } from "../redaction/escape.ts";
import { listedProfiles, loadSettings, type Options } from "../settings/run-settings.ts";
import { extraVariables } from "../settings/table.ts";
import type { Context } from "../system/context.ts";
import type { Shell } from "./scripts.ts";
import { suggest } from "./suggest.ts";

/** The end of a word, which readline writes for `replaced`; null if it does not begin as typed. What is quoted is not completed. */
function bashSpelling(word: string, typed: string, replaced: string): string | null {
  if (!word.startsWith(typed) || !typed.endsWith(replaced) || /["'\\]/.test(typed)) return null;
  return word.slice(typed.length - replaced.length).replace(/[^\w\-./:=@%+,\u0080-\uffff]/g, "\\$&");
}

/** The output for a script: the kind of suggestion (`words`, `files` or `commands`), then one line for each word. */
export async function answer(
  program: Command,
  shell: Shell,
  words: readonly string[],
  context: Context,
): Promise<string> {
  // bash passes the line up to the cursor, and the part at its end that readline will replace.
  const [line = "", replaced = ""] = words;
  const all = shell === "bash" ? line.split(/\s+/).slice(1) : words;
  const [before, current] = [all.slice(0, -1), all.at(-1) ?? ""];
  const suggestion = suggest(program, before, current);
  if (typeof suggestion === "string") return `${suggestion}\n`;
  const candidates =
    "profilesOf" in suggestion
      ? (await profileNames(suggestion.profilesOf, context)).map((word) => ({ word, summary: "" }))
      : suggestion;
  const flag = /^--[^=]+=/.exec(current)?.[0] ?? "";
  const written = ({ word, summary }: Readonly<Record<"word" | "summary", string>>): string | null => {
    switch (shell) {
      case "bash":
        return bashSpelling(flag + word, current, replaced);
      case "zsh":
        // The script removes the flag itself, and splits at the first colon without a backslash.
        return `${word.replace(/[\\:]/g, "\\$&")}${summary === "" ? "" : `:${summary}`}`;
      case "fish":
        return `${flag}${word}\t${summary}`;
    }
  };
  return ["words", ...candidates.flatMap((one) => written(one) ?? []), ""].join("\n");
}

/** The profiles of the rc file that a terminal can show; none without a valid file. It reads one variable. */
async function profileNames(config: Options["config"], context: Context): Promise<readonly string[]> {
  // Completion gets the words before the shell expands `~/`.
  const home = context.homeFolder ?? "~";
  const named = typeof config === "string" ? config.replace(/^~(?=\/)/, () => home) : config;
  const environment = { [extraVariables.config]: context.environment[extraVariables.config] };
  try {
    const { rc } = await loadSettings({ config: named }, { ...context, environment }, async () => {});
    if (rc === null) return [];
    return listedProfiles(rc, [...rc.profiles.keys()]).filter((name) => escapeText(name) === name);
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}
