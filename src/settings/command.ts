import { dirname } from "node:path";
import { InputError } from "../errors.ts";
import { CommandProblem } from "../system/commands.ts";
import type { Context } from "../system/context.ts";
import type { SettingText } from "./levels.ts";
import { describeSource } from "./source.ts";

const placeholder = "{profile}";
const deadlineSeconds = 30;

/** The text of a setting that is a command with these words. */
export function commandText(words: readonly string[]): string {
  return JSON.stringify(words);
}

function wordsOf(text: string): readonly string[] {
  return JSON.parse(text);
}

/** A command as it is shown: its words, in quotes where a shell would need them. */
export function shownCommand(text: string): string {
  return wordsOf(text)
    .map((word) => (/^[\w@%+=:,./{}-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(" ");
}

/** The words to run for a profile. Throws InputError if the name of the profile cannot stand in them. */
function wordsFor({ text, source }: SettingText, profile: string | null): readonly string[] {
  const [command = "", ...args] = wordsOf(text);
  if (!args.some((word) => word.includes(placeholder))) return [command, ...args];
  const refused = (problem: string, hint: string): InputError =>
    new InputError("settings", `${describeSource(source)} ${problem}`, hint);
  if (profile === null)
    throw refused(`contains ${placeholder}, and no profile is chosen`, "Choose one with --profile");
  if (profile.includes("\0"))
    throw refused(
      "cannot take the name of this profile, which contains a NUL character",
      "Rename the profile",
    );
  // The command would take such a word for an option.
  if (profile.startsWith("-") && args.some((word) => word.startsWith(placeholder)))
    throw refused(
      "would begin a word with the name of this profile, which begins with -",
      `Rename the profile, or write something before ${placeholder}`,
    );
  return [command, ...args.map((word) => word.replaceAll(placeholder, () => profile))];
}

/** Runs the commands that settings name, each with the same words once. */
export class NamedCommands {
  readonly #context: Context;
  readonly #outputs = new Map<string, Promise<Uint8Array>>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** What the command prints for this profile. Rejects with InputError, which holds nothing that the command printed. */
  async run(given: SettingText, profile: string | null, maxBytes: number): Promise<Uint8Array> {
    const { source } = given;
    // A found rc file with a command is refused when it is read.
    if (source.kind !== "rc" || source.trust === "found")
      throw new Error("a command of an rc file of yours is expected");
    const words = wordsFor(given, profile);
    // Relative paths are seen from the rc file: the working directory may be anybody's checkout.
    const folder = dirname(source.file);
    const { environment, interrupted } = this.#context;
    const key = commandText([folder, ...words]);
    const output =
      this.#outputs.get(key) ??
      this.#context.runCommand(words, { folder, environment, maxBytes, deadlineSeconds, interrupted });
    this.#outputs.set(key, output);
    try {
      return await output;
    } catch (error) {
      if (!(error instanceof CommandProblem)) throw error;
      throw new InputError(
        "settings",
        `The command of ${describeSource(source)} ${error.message}`,
        "Run the command yourself to see why: what it prints is not shown here",
      );
    }
  }
}
