import { Argument } from "commander";
import type { DeclareCommand } from "./declare-command.ts";
import { unknownCommand } from "./usage.ts";

/** Declares `help`: prints what `--help` prints, of the program or of one command. */
export const addHelpCommand: DeclareCommand = (program, _context, exitWith) => {
  const names = program.commands.map((command) => command.name());
  const argument = new Argument("[command]", "command to show the help of");
  // For completion. Commander's own check of choices would repeat what was typed.
  argument.argChoices = names;
  program
    .command("help")
    .summary("show the help of the program or of a command")
    .description("Prints the help of the program or of a command, as --help does.")
    .addArgument(argument)
    .action((name?: string) => {
      const command = name === undefined ? program : program.commands.find((one) => one.name() === name);
      if (command === undefined) throw unknownCommand(name ?? "", names);
      command.outputHelp();
      exitWith(0);
    });
};
