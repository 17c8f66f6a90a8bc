import type { Command } from "commander";
import { bashLine, bashSpelling, unquoted } from "./bash-line.ts";
import type { Shell } from "./shell.ts";
import { type Candidate, type ProfileNames, suggest } from "./suggest.ts";

/** What a script passes on of the command line, and how it wants the candidates. */
interface Question {
  readonly before: readonly string[];
  readonly current: string;
  /** One line of the answer; null where the candidate does not fit. */
  readonly written: (candidate: Candidate, flag: string) => string | null;
}

const escapeColons = (text: string): string => text.replace(/[\\:]/g, "\\$&");

function questionOf(shell: Shell, words: readonly string[]): Question {
  if (shell === "bash") {
    // The line up to the cursor, and the end of it that readline will replace.
    const [line = "", replaced = ""] = words;
    const { before, raw } = bashLine(line);
    const written = ({ word }: Candidate, flag: string) => bashSpelling(flag + word, raw, replaced);
    return { before, current: unquoted(raw), written };
  }
  const common = { before: words.slice(0, -1), current: words.at(-1) ?? "" };
  if (shell === "fish") {
    return { ...common, written: ({ word, summary }, flag) => `${flag}${word}\t${summary}` };
  }
  // zsh's own function takes the flag off, and splits at the first colon that has no backslash.
  return {
    ...common,
    written: ({ word, summary }) => `${escapeColons(word)}${summary === "" ? "" : `:${summary}`}`,
  };
}

/**
 * The answer to a script's question, line by line: what kind of thing can stand at the cursor (`words`, `files` or
 * `commands`), and then the words.
 */
export async function answer(
  program: Command,
  shell: Shell,
  words: readonly string[],
  profileNames: ProfileNames,
): Promise<string> {
  const { before, current, written } = questionOf(shell, words);
  const suggestion = await suggest(program, before, current, profileNames);
  if (suggestion.kind !== "words") return `${suggestion.kind}\n`;
  const flag = /^--[^=]+=/.exec(current)?.[0] ?? "";
  const lines = suggestion.candidates.flatMap((candidate) => written(candidate, flag) ?? []);
  return ["words", ...lines, ""].join("\n");
}
