// `help`, and how every help is printed.

import { Argument, type Command } from "commander";
import { columnsOf } from "../report/paint.ts";
import type { Context } from "../system/context.ts";
import type { Output } from "../system/streams.ts";
import type { DeclareCommand } from "./setting-options.ts";
import { unknownCommand } from "./usage.ts";

/** The width of the terminal that shows a help; Infinity if it is none. */
export const helpColumns = ({ stdout }: Pick<Context, "stdout">): number => columnsOf(stdout);

const namesOf = ({ commands }: Command): string[] => commands.map((command) => command.name());

/** Prints a help so that no word of it is cut. */
export async function printHelp(text: string, output: Output): Promise<void> {
  const { fitted } = await import("../report/layout.ts");
  await output.write(fitted(text, columnsOf(output)));
}

/** Declares `help`: prints what `--help` prints, of the program or of one command. */
export const addHelpCommand: DeclareCommand = (program, context, exitWith) => {
  const argument = new Argument("[command]", "command to show the help of");
  // Set the names for completion alone: `argument.choices()` would also check what was typed, and its error repeats it.
  argument.argChoices = namesOf(program);
  program
    .command("help")
    .summary("show the help of the program or of a command")
    .description("Prints the help of the program or of a command, as --help does.")
    .addArgument(argument)
    .action((name: string | undefined) => {
      const command = name === undefined ? program : program.commands.find((one) => one.name() === name);
      if (command === undefined) throw unknownCommand(name ?? "", namesOf(program), context.args);
      command.outputHelp();
      exitWith(0);
    });
};
