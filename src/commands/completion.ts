// `completion`: prints the script of a shell, which calls this program back for suggestions.

import { Argument, type Command } from "commander";
import { type Shell, scripts, shells } from "../completion/scripts.ts";
import type { DeclareCommand } from "./setting-options.ts";
import { excessWord } from "./usage.ts";

const help = `
Load it in every new shell:
  bash  echo 'source <(referral-auth completion bash)' >> ~/.bashrc
  zsh   echo 'source <(referral-auth completion zsh)' >> ~/.zshrc
        (after compinit)
  fish  referral-auth completion fish \\
          > ~/.config/fish/completions/referral-auth.fish`;

/** Declares `completion`: prints the completion script of a shell, or suggestions if that script calls it. */
export const addCompletionCommand: DeclareCommand = (program, context, exitWith) => {
  program
    .command("completion")
    .summary("print the completion script of a shell")
    .description("Prints the completion script of a shell.")
    .addArgument(new Argument("<shell>", "shell whose script to print").choices(shells))
    // The script asks for suggestions with the words of the line after `--`. No user types them, so the help is silent.
    .allowExcessArguments()
    .addHelpText("after", help)
    .action(async (name: Shell, _options: object, command: Command) => {
      const words = command.args.slice(1);
      if (words.length > 0 && context.args[2] !== "--") throw excessWord(command, context.args);
      if (words.length === 0) {
        await context.stdout.write(scripts[name]);
      } else {
        const { answer } = await import("../completion/answer.ts");
        await context.stdout.write(await answer(program, name, words, context));
      }
      exitWith(0);
    });
};
