// Writes dist/referral-auth.1, the manual page: commands and options as declared for commander, variables and exit codes
// from their tables.
import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { buildProgram } from "../src/app.ts";
import { exitCodes } from "../src/exit-codes.ts";
import { definitionOf, extraVariables, settingNames } from "../src/settings/table.ts";
import type { Context } from "../src/system/context.ts";
import { version } from "../src/version.ts";

/** Everything that commander has printed so far. */
interface Printed {
  text: string;
}

/** Escapes a text for roff, in ASCII, so that it contains no requests and no escapes. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(
      /[^\n\x20-\x7e]/gu,
      (character) => `\\[u${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`,
    )
    .replace(/^(?=[.'])/gm, "\\&");
}

const bold = (text: string): string => `\\fB${roff(text)}\\fR`;
const entry = (term: string, text: string): string => `.TP\n${term}\n${roff(text)}\n`;
const section = (title: string, body: string): string => `.SH ${title}\n${body}`;

/** Flags in bold and their values in italics. */
function flagTerm(flags: string): string {
  return flags.replace(/[^[<]+|[[<][^\]>]*[\]>]/g, (part) =>
    /^[[<]/.test(part)
      ? roff(part).replace(/\w[\w/]*/, "\\fI$&\\fR")
      : bold(part.trimEnd()) + (part.endsWith(" ") ? " " : ""),
  );
}

/** The text of the help after the options, without the exit codes, which have their own section. */
function remarks(command: Command, print: Printed): string {
  const before = print.text.length;
  command.outputHelp();
  const after = print.text.slice(before).split(command.helpInformation())[1] ?? "";
  const paragraphs = after.trim().split(/\n\n+/);
  const kept = paragraphs.filter((text) => text !== "" && !text.startsWith("Exit codes:"));
  return kept.length === 0 ? "" : `.PP\n.nf\n${roff(kept.join("\n\n")).replace(/\n\n/g, "\n.sp\n")}\n.fi\n`;
}

function commandText(command: Command, print: Printed): string {
  const help = command.createHelp();
  const rows = help
    .visibleArguments(command)
    .map((one) => entry(`\\fI${roff(one.name())}\\fR`, help.argumentDescription(one)));
  const options = help.visibleOptions(command);
  const groups = help.groupItems([...command.options], options, (one) => one.helpGroupHeading ?? "");
  for (const [heading, grouped] of groups) {
    if (heading !== "") rows.push(`.PP\n${roff(heading)}\n`);
    rows.push(...grouped.map((one) => entry(flagTerm(one.flags), one.description)));
  }
  const usage = `${command.name()} ${command.usage()}`;
  return `.SS ${roff(usage)}\n${roff(command.description())}\n${rows.join("")}${remarks(command, print)}`;
}

function environment(): string {
  const rows = settingNames.flatMap((name) => {
    const { variables, summary } = definitionOf(name);
    return entry(variables.map(bold).join(", "), summary);
  });
  const { profile, config } = extraVariables;
  rows.push(
    entry(bold(profile), "profile of the rc file"),
    entry(bold(config), "rc file to use instead of searching for one"),
  );
  return `A flag counts before a variable, and a variable before the rc file. With a profile, the profile and the rc file count before variables. An empty variable counts as unset.\n${rows.join("")}`;
}

const files = `${entry(
  bold(".referralrc"),
  "YAML or JSON. It is searched from the working directory upward, then in the home folder, also as .referralrc.json, .referralrc.yaml and .referralrc.yml.",
)}${entry(bold("~/.config/referral/config"), "Searched last, with the same endings. XDG_CONFIG_HOME and the platform can name another folder.")}`;

/** The manual page, in the man macros. */
export function manualPage(): string {
  const print = { text: "" };
  const program = buildProgram(
    // With no arguments every command is declared, and none of them runs.
    { args: [] as readonly string[] } as Context,
    () => {},
    (text) => {
      print.text += text;
    },
  );
  const name = program.name();
  const options = program.createHelp().visibleOptions(program);
  return [
    `.TH ${name.toUpperCase()} 1 "" "${name} ${version}" "User Commands"\n.nh\n`,
    section("NAME", `${roff(name)} \\- checks credentials of the referral service's API\n`),
    section("SYNOPSIS", `${bold(name)} \\fIcommand\\fR [\\fIoptions\\fR]\n`),
    section("DESCRIPTION", `${roff(program.description())}\n`),
    section("OPTIONS", options.map((one) => entry(flagTerm(one.flags), one.description)).join("")),
    section("COMMANDS", program.commands.map((command) => commandText(command, print)).join("")),
    section("EXIT STATUS", exitCodes.map(({ code, meaning }) => entry(bold(String(code)), meaning)).join("")),
    section("ENVIRONMENT", environment()),
    section("FILES", files),
  ].join("");
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(new URL("../dist/referral-auth.1", import.meta.url), manualPage());
}
