import { expect, test } from "vitest";
import { buildProgram } from "../../src/app.ts";
import { contextOf, runInProcess } from "../support/run.ts";

const ignore = (): void => {};
const program = buildProgram(contextOf([]), ignore, ignore);

/** What can stand behind each command of the table, `""` for the program itself: the names and long options of its help. */
const table = [program, ...program.commands].flatMap((command) => {
  const help = command.createHelp();
  const names = help.visibleCommands(command).map((one) => one.name());
  const flags = help.visibleOptions(command).flatMap(({ long }) => long ?? []);
  return [...names, ...flags].map((word) => [command === program ? "" : command.name(), word].join(" "));
});

/** The words of each command, as each shell's script has them. */
const readers: Readonly<Record<string, (script: string) => readonly string[]>> = {
  bash: (script) =>
    [...script.matchAll(/^ {4}(?:1:\*|\*:(\w+))\) words='(.*)' ;;$/gm)].flatMap(([, name = "", words = ""]) =>
      words.split(" ").map((word) => `${name} ${word}`),
    ),
  zsh: (script) =>
    script
      .split(/^ {4}(?=\S*:\S*\) )/m)
      .slice(1)
      .flatMap((block) => {
        const name = /^\*:(\w+)/.exec(block)?.[1] ?? "";
        return [...block.matchAll(/^ {6}'([\w-]+):/gm)].map(([, word]) => `${name} ${word}`);
      }),
  fish: (script) =>
    [...script.matchAll(/^complete .*'__referral_auth (\w*)' (-f -a |-l )([\w-]+)/gm)].map(
      ([, name, form, word]) => `${name} ${form === "-l " ? "--" : ""}${word}`,
    ),
};
const arguments_ = ["completion bash", "completion zsh", "completion fish"].concat(
  program.commands.slice(0, -1).map((command) => `help ${command.name()}`),
);

test.each(Object.keys(readers))(
  "the script of %s has each command and option of the table once",
  async (shell) => {
    const { exitCode, stdout, stderr } = await runInProcess(["completion", shell]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(readers[shell]?.(stdout).toSorted()).toEqual([...table, ...arguments_].toSorted());
  },
);
