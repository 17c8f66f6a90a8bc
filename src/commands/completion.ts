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

/** What can stand behind a command: a word, and what it means. */
type Word = readonly [word: string, summary: string, takesValue?: boolean];

function wordsOf(command: Command): readonly Word[] {
  const help = command.createHelp();
  return [
    ...help.visibleCommands(command).map((one): Word => [one.name(), one.summary()]),
    ...command.registeredArguments.flatMap(({ argChoices = [] }) =>
      argChoices.map((word): Word => [word, ""]),
    ),
    ...help.visibleOptions(command).map(({ long, description, required }): Word => {
      // The first sentence, without the facts in brackets behind it.
      const [summary = ""] = description.split(/ \(|; /, 1);
      return [long ?? "", summary, required];
    }),
  ];
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const shells = ["bash", "zsh", "fish"] as const;

/** The script of each shell, for the words of each command by its name; those of the program itself are by "". */
function scriptsFor(table: ReadonlyArray<readonly [name: string, words: readonly Word[]]>) {
  /** A row of a `case` for each command: `place` is where the first word stands. */
  const cases = (place: number, listOf: (words: readonly Word[]) => string): string =>
    table
      .map(([name, words]) => `    ${name === "" ? `${place}:*` : `*:${name}`}) ${listOf(words)} ;;\n`)
      .join("");
  return {
    // bash 3.2, which macOS has, knows neither mapfile nor compopt.
    bash: `# bash completion for referral-auth.
_referral_auth() {
  local words=
  case $COMP_CWORD:\${COMP_WORDS[1]} in
${cases(1, (words) => `words=${quoted(words.map(([word]) => word).join(" "))}`)}  esac
  COMPREPLY=()
  if [[ $2 == -* || $3 != -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$2")); fi
}
complete -o default -F _referral_auth referral-auth
`,
    // zsh splits a candidate at its first colon without a backslash.
    zsh: `#compdef referral-auth
# zsh completion for referral-auth, to be sourced or put into a folder of fpath as _referral-auth.
_referral-auth() {
  local -a candidates
  case $CURRENT:$words[2] in
${cases(2, (words) => {
  const lines = words.map(([word, summary]) => quoted(`${word}:${summary.replaceAll(":", "\\:")}`));
  return `candidates=(\n      ${lines.join("\n      ")}\n    )`;
})}  esac
  compset -P '--*='
  if [[ $PREFIX == -* || $words[CURRENT-1] != -* ]] && _describe referral-auth candidates; then return; fi
  _files
}
if [[ $funcstack[1] == _referral-auth ]]; then
  _referral-auth "$@"
else
  compdef _referral-auth referral-auth
fi
`,
    fish: `# fish completion for referral-auth.
function __referral_auth
    set -l words (commandline -opc)
    test "$words[2]" = "$argv[1]"
end
${table
  .flatMap(([name, words]) =>
    words.map(([word, summary, takesValue = false]) => {
      const what = word.startsWith("--") ? `-l ${word.slice(2)}${takesValue ? " -r" : ""}` : `-f -a ${word}`;
      return `complete -c referral-auth -n '__referral_auth ${name}' ${what} -d ${quoted(summary)}\n`;
    }),
  )
  .join("")}`,
  } satisfies Record<(typeof shells)[number], string>;
}

/** Declares `completion`: prints the completion script of a shell. Needs all other commands declared. */
export const addCompletionCommand: DeclareCommand = (program, context, exitWith) => {
  program
    .command("completion")
    .summary("print the completion script of a shell")
    .description("Prints the completion script of a shell.")
    .addArgument(new Argument("<shell>", "shell whose script to print").choices(shells))
    .addHelpText("after", help)
    .action(async (shell: (typeof shells)[number]) => {
      const commands = [program, ...program.commands];
      const table = commands.map((one) => [one === program ? "" : one.name(), wordsOf(one)] as const);
      await context.stdout.write(scriptsFor(table)[shell]);
      exitWith(0);
    });
};
