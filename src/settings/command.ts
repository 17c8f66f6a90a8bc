import { invalid, type SettingText } from "./levels.ts";
import { definitionOf } from "./table.ts";

const placeholder = "{profile}";

/** Encodes the words of a command as the text of a setting. */
export const commandText = (words: readonly string[]): string => JSON.stringify(words);

const wordsOf = (text: string): readonly string[] => JSON.parse(text);

/** Whether a setting is a command whose words hold the name of the profile, so that each account has a secret of its own. */
export function holdsProfile({ setting, text }: SettingText): boolean {
  const isCommand = definitionOf(setting).kind === "command";
  return isCommand && wordsOf(text).some((word, index) => index > 0 && word.includes(placeholder));
}

/** A command for display. Words are in quotes if a shell needs them. */
export function shownCommand(text: string): string {
  return wordsOf(text)
    .map((word) => (/^[\w@%+=:,./{}-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(" ");
}

/** The words to run, with the name of the profile filled in. Throws InputError if the name cannot be used. */
export function wordsFor(given: SettingText, profile: string | null): readonly string[] {
  const [command = "", ...args] = wordsOf(given.text);
  if (!holdsProfile(given)) return [command, ...args];
  if (profile === null)
    throw invalid(
      given,
      `contains ${placeholder}, and no profile is chosen`,
      "Choose one with --profile, or all with --all; a line of --accounts needs the key profile",
    );
  if (profile.includes("\0"))
    throw invalid(
      given,
      `contains ${placeholder}, and the name of this profile contains a NUL character`,
      "Rename the profile",
    );
  // The command would read such a word as an option.
  if (profile.startsWith("-") && args.some((word) => word.startsWith(placeholder)))
    throw invalid(
      given,
      `contains ${placeholder} at the start of a word, and the name of this profile begins with -`,
      `Rename the profile, or write something before ${placeholder}`,
    );
  return [command, ...args.map((word) => word.replaceAll(placeholder, () => profile))];
}
