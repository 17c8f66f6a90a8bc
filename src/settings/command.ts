import { dirname } from "node:path";
import { InputError } from "../errors.ts";
import { CommandProblem } from "../system/commands.ts";
import type { Context } from "../system/context.ts";
import type { SettingText } from "./levels.ts";
import { describeSource } from "./source.ts";

const placeholder = "{profile}";
const deadlineSeconds = 30;

/** Encodes the words of a command as the text of a setting. */
export function commandText(words: readonly string[]): string {
  return JSON.stringify(words);
}

function wordsOf(text: string): readonly string[] {
  return JSON.parse(text);
}

/** A command for display. Words are in quotes if a shell needs them. */
export function shownCommand(text: string): string {
  return wordsOf(text)
    .map((word) => (/^[\w@%+=:,./{}-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(" ");
}

/** The words to run, with the name of the profile filled in. Throws InputError if the name cannot be used. */
function wordsFor({ text, source }: SettingText, profile: string | null): readonly string[] {
  const [command = "", ...args] = wordsOf(text);
  if (!args.some((word) => word.includes(placeholder))) return [command, ...args];
  const refused = (problem: string, hint: string): InputError =>
    new InputError("settings", `${describeSource(source)} ${problem}`, hint);
  if (profile === null)
    throw refused(`contains ${placeholder}, and no profile is chosen`, "Choose one with --profile");
  if (profile.includes("\0"))
    throw refused(
      `contains ${placeholder}, and the name of this profile contains a NUL character`,
      "Rename the profile",
    );
  // The command would read such a word as an option.
  if (profile.startsWith("-") && args.some((word) => word.startsWith(placeholder)))
    throw refused(
      `contains ${placeholder} at the start of a word, and the name of this profile begins with -`,
      `Rename the profile, or write something before ${placeholder}`,
    );
  return [command, ...args.map((word) => word.replaceAll(placeholder, () => profile))];
}

/** Runs the commands that settings name. Accounts with the same command and words share one run. */
export class NamedCommands {
  readonly #context: Context;
  readonly #outputs = new Map<string, Promise<Uint8Array>>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** The output of the command for this profile. Rejects with InputError, which never contains that output. */
  async run(given: SettingText, profile: string | null, maxBytes: number): Promise<Uint8Array> {
    const { source } = given;
    // A found rc file with a command is refused when it is read.
    if (source.kind !== "rc" || source.trust === "found")
      throw new Error("only an rc file of yours can name a command");
    const words = wordsFor(given, profile);
    // Run it in the folder of the rc file: the working directory may be somebody else's checkout.
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
        "Run the command yourself to see why; its output is not shown here",
      );
    }
  }
}
