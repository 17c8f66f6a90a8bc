import type { Command } from "commander";
import { InputError } from "../errors.ts";
import { escapeText } from "../report/escape.ts";
import { listedProfiles, loadSettings } from "../settings/run-settings.ts";
import { extraVariables } from "../settings/table.ts";
import type { Context } from "../system/context.ts";
import { bashLine, bashSpelling, unquoted } from "./bash-line.ts";
import type { Shell } from "./scripts.ts";
import { type Candidate, type Position, suggest } from "./suggest.ts";

/** The command line that a script passes on, and how the script expects the candidates. */
interface Question {
  readonly before: readonly string[];
  readonly current: string;
  /** The line for one candidate; null if the candidate does not fit. */
  readonly written: (candidate: Candidate, flag: string) => string | null;
}

function questionOf(shell: Shell, words: readonly string[]): Question {
  if (shell === "bash") {
    // The line up to the cursor, and the part at its end that readline will replace.
    const [line = "", replaced = ""] = words;
    const { before, raw } = bashLine(line);
    const written = ({ word }: Candidate, flag: string) => bashSpelling(flag + word, raw, replaced);
    return { before, current: unquoted(raw), written };
  }
  // The zsh script removes the flag itself, and splits at the first colon without a backslash.
  const forZsh: Question["written"] = ({ word, summary }) =>
    `${word.replace(/[\\:]/g, "\\$&")}${summary === "" ? "" : `:${summary}`}`;
  const forFish: Question["written"] = ({ word, summary }, flag) => `${flag}${word}\t${summary}`;
  const written = shell === "zsh" ? forZsh : forFish;
  return { before: words.slice(0, -1), current: words.at(-1) ?? "", written };
}

/** The output for a script: the kind of suggestion (`words`, `files` or `commands`), then one line for each word. */
export async function answer(
  program: Command,
  shell: Shell,
  words: readonly string[],
  context: Context,
): Promise<string> {
  const { before, current, written } = questionOf(shell, words);
  const suggestion = suggest(program, before, current);
  if (typeof suggestion === "string") return `${suggestion}\n`;
  const candidates =
    "profilesOf" in suggestion
      ? (await profileNames(suggestion.profilesOf, context)).map((word) => ({ word, summary: "" }))
      : suggestion;
  const flag = /^--[^=]+=/.exec(current)?.[0] ?? "";
  const lines = candidates.flatMap((candidate) => written(candidate, flag) ?? []);
  return ["words", ...lines, ""].join("\n");
}

/** The profiles of the rc file that a terminal can show; none without a valid file. It reads one variable. */
async function profileNames(config: Position["config"], context: Context): Promise<readonly string[]> {
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
