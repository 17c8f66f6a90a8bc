// `completion`: prints a static script for a shell, made from the declared commands and options as their help is. It asks no
// program while one types; what is no command or option is completed as the name of a file.

import { Argument, type Command } from "commander";
import type { DeclareCommand } from "./setting-options.ts";

const help = `
Load it in every new shell:
  bash  echo 'source <(referral-auth completion bash)' >> ~/.bashrc
  zsh   echo 'source <(referral-auth completion zsh)' >> ~/.zshrc
        (after compinit)
  fish  referral-auth completion fish \\
          > ~/.config/fish/completions/referral-auth.fish`;

/** What can stand behind a command, or behind the program's name: a word, what it means, and whether a value follows it. */
interface Word {
  readonly word: string;
  readonly summary: string;
  readonly takesValue: boolean;
}

function wordsOf(command: Command): readonly Word[] {
  const help = command.createHelp();
  const names = help.visibleCommands(command).map((one) => ({ word: one.name(), summary: one.summary() }));
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const flags = help.visibleOptions(command).map(({ long, description, required }) => {
    // The first sentence, without the facts in brackets behind it.
    const [summary = ""] = description.split(/ \(|; /, 1);
    return { word: long ?? "", summary, takesValue: required };
  });
  return [...names, ...choices.map((word) => ({ word, summary: "" })), ...flags].map((one) => ({
    takesValue: false,
    ...one,
  }));
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The words of the program itself, and those of each command by its name. */
type Words = readonly [
  program: readonly Word[],
  commands: ReadonlyArray<readonly [name: string, words: readonly Word[]]>,
];

// bash 3.2, which macOS has, knows neither mapfile nor compopt.
const bash = ([program, commands]: Words): string => {
  const listOf = (words: readonly Word[]): string => quoted(words.map(({ word }) => word).join(" "));
  return `# bash completion for referral-auth.
_referral_auth() {
  local words=
  case $COMP_CWORD:\${COMP_WORDS[1]} in
    1:*) words=${listOf(program)} ;;
${commands.map(([name, words]) => `    *:${name}) words=${listOf(words)} ;;\n`).join("")}  esac
  COMPREPLY=()
  if [[ $2 == -* || $3 != -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$2")); fi
}
complete -o default -F _referral_auth referral-auth
`;
};

const zsh = ([program, commands]: Words): string => {
  // zsh splits at the first colon without a backslash.
  const listOf = (words: readonly Word[]): string =>
    words
      .map(
        ({ word, summary }) =>
          `\n        ${quoted(`${word}${summary && `:${summary.replaceAll(":", "\\:")}`}`)}`,
      )
      .join("");
  return `#compdef referral-auth
# zsh completion for referral-auth, to be sourced or put into a folder of fpath as _referral-auth.
_referral-auth() {
  local -a candidates
  case $CURRENT:$words[2] in
    2:*)
      candidates=(${listOf(program)}
      ) ;;
${commands.map(([name, words]) => `    *:${name})\n      candidates=(${listOf(words)}\n      ) ;;\n`).join("")}  esac
  compset -P '--*='
  if [[ $PREFIX == -* || $words[CURRENT-1] != -* ]] && _describe referral-auth candidates; then return; fi
  _files
}
if [[ $funcstack[1] == _referral-auth ]]; then
  _referral-auth "$@"
else
  compdef _referral-auth referral-auth
fi
`;
};

const fish = ([program, commands]: Words): string => {
  const line = (name: string, { word, summary, takesValue }: Word): string => {
    const what = word.startsWith("--") ? `-l ${word.slice(2)}${takesValue ? " -r" : ""}` : `-f -a ${word}`;
    return `complete -c referral-auth -n '__referral_auth ${name}' ${what}${summary && ` -d ${quoted(summary)}`}\n`;
  };
  return `# fish completion for referral-auth.
function __referral_auth
    set -l words (commandline -opc)
    test "$words[2]" = "$argv[1]"
end
${[["", program] as const, ...commands].flatMap(([name, words]) => words.map((word) => line(name, word))).join("")}`;
};

const scripts = { bash, zsh, fish };

/** Declares `completion`: prints the completion script of a shell. Needs all other commands declared. */
export const addCompletionCommand: DeclareCommand = (program, context, exitWith) => {
  program
    .command("completion")
    .summary("print the completion script of a shell")
    .description("Prints the completion script of a shell.")
    .addArgument(new Argument("<shell>", "shell whose script to print").choices(Object.keys(scripts)))
    .addHelpText("after", help)
    .action(async (shell: keyof typeof scripts) => {
      const commands = program.commands.map((command) => [command.name(), wordsOf(command)] as const);
      await context.stdout.write(scripts[shell]([wordsOf(program), commands]));
      exitWith(0);
    });
};
