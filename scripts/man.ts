// Writes dist/referral-auth.1, the manual page: commands and options as declared for commander, variables and exit codes
// from their tables.
import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { buildProgram } from "../src/app.ts";
import { allVariables } from "../src/commands/help-json.ts";
import { exitCodes } from "../src/exit-codes.ts";
import type { Context } from "../src/system/context.ts";
import { version } from "../src/version.ts";

let printed = "";
const program = buildProgram(
  // With no arguments every command is declared, and none of them runs.
  { args: [] as readonly string[], stdout: { isTerminal: false } } as Context,
  () => {},
  (text) => (printed += text),
);

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
const section = (title: string, ...body: readonly string[]): string => `.SH ${title}\n${body.join("")}`;

/** Flags in bold and their values in italics. */
function flagTerm(flags: string): string {
  return flags.replace(/[^[<]+|[[<][^\]>]*[\]>]/g, (part) =>
    /^[[<]/.test(part)
      ? roff(part).replace(/\w[\w/]*/, "\\fI$&\\fR")
      : bold(part.trimEnd()) + (part.endsWith(" ") ? " " : ""),
  );
}

/** Lines as they are, which groff would fill. */
const verbatim = (text: string): string => `.PP\n.nf\n${roff(text).replace(/\n\n/g, "\n.sp\n")}\n.fi\n`;

/** The text of the help after the options, without the exit codes, which have their own section. */
function remarks(command: Command): string {
  printed = "";
  command.outputHelp();
  const after = printed.split(command.helpInformation())[1] ?? "";
  const paragraphs = after.trim().split(/\n\n+/);
  const kept = paragraphs.filter((text) => text !== "" && !text.startsWith("Exit codes:"));
  return kept.length === 0 ? "" : verbatim(kept.join("\n\n"));
}

const help = program.createHelp();

const described = new Set<string>();

/** The options of a command, each group below its heading. Those that an earlier command describes are only named. */
function optionsOf(command: Command): readonly string[] {
  const shown = help.visibleOptions(command);
  const known = shown.filter(({ flags, description }) => described.has(flags + description));
  const fresh = shown.filter((option) => !known.includes(option));
  for (const { flags, description } of fresh) described.add(flags + description);
  const groups = help.groupItems([...command.options], fresh, (one) => one.helpGroupHeading ?? "");
  return [
    ...[...groups].flatMap(([heading, options]) => [
      heading === "" || options.length === 0 ? "" : `.PP\n${roff(heading)}\n`,
      ...options.map(({ flags, description }) => entry(flagTerm(flags), description)),
    ]),
    known.length === 0 ? "" : `.PP\nAs above: ${known.map(({ flags }) => flagTerm(flags)).join("; ")}.\n`,
  ];
}

function commandText(command: Command): string {
  const words = help.visibleArguments(command);
  const [description = "", ...examples] = command.description().split("\n\n");
  return [
    `.SS ${roff(`${command.name()} ${command.usage()}`)}\n${roff(description)}\n`,
    ...examples.map(verbatim),
    ...words.map((word) => entry(`\\fI${roff(word.name())}\\fR`, help.argumentDescription(word))),
    ...optionsOf(command),
    remarks(command),
  ].join("");
}

const name = program.name();
const page = [
  `.TH ${name.toUpperCase()} 1 "" "${name} ${version}" "User Commands"\n.nh\n`,
  section("NAME", `${roff(name)} \\- checks credentials of the referral service's API\n`),
  section("SYNOPSIS", `${bold(name)} \\fIcommand\\fR [\\fIoptions\\fR]\n`),
  section("DESCRIPTION", `${roff(program.description())}\n`),
  section("OPTIONS", ...optionsOf(program)),
  section("COMMANDS", ...program.commands.map(commandText)),
  section("EXIT STATUS", ...exitCodes.map(({ code, meaning }) => entry(bold(String(code)), meaning))),
  section(
    "ENVIRONMENT",
    "A flag counts before a variable, and a variable before the rc file. With a profile, the profile and the rc file count before variables. An empty variable counts as unset.\n",
    ...allVariables.map(([names, summary]) => entry(names.map(bold).join(", "), summary)),
  ),
  section(
    "FILES",
    entry(
      bold(".referralrc"),
      "YAML or JSON. It is searched from the working directory upward, then in the home folder, also as .referralrc.json, .referralrc.yaml and .referralrc.yml.",
    ),
    entry(
      bold("~/.config/referral/config"),
      "Searched last, with the same endings. XDG_CONFIG_HOME and the platform can name another folder.",
    ),
  ),
  section("SEE ALSO", `${bold("curl")}(1), ${bold("jq")}(1), ${bold("chronyc")}(1)\n`),
];
writeFileSync("dist/referral-auth.1", page.join(""));
