// Writes dist/referral-auth.1, the manual page: each command's help as it is, exit codes and variables from their tables.
import { writeFileSync } from "node:fs";
import { buildProgram } from "../src/app.ts";
import { exitCodes } from "../src/exit-codes.ts";
import { definitionOf, extraVariables, settingNames } from "../src/settings/table.ts";
import type { Context } from "../src/system/context.ts";
import { version } from "../src/version.ts";

// It counts for http base URLs alone, and there a proxy is refused.
const refusedProxy: readonly string[] = ["http_proxy", "HTTP_PROXY"];

/** Every variable that the program reads, and what it is for: those of settings first, by the table's order. */
export const variables: ReadonlyArray<readonly [names: readonly string[], summary: string]> = [
  ...settingNames
    .map((name) => definitionOf(name))
    .map(
      ({ variables, summary }) => [variables.filter((one) => !refusedProxy.includes(one)), summary] as const,
    )
    .filter(([names]) => names.length > 0),
  [[extraVariables.profile], "profile of the rc file"],
  [[extraVariables.config], "rc file to use instead of searching for one"],
  [refusedProxy, "proxy for http base URLs, where a proxy is refused"],
  [["no_proxy", "NO_PROXY"], "hosts that are reached without a proxy"],
  [["NO_COLOR"], "print without colour"],
  [["FORCE_COLOR"], "print with colour into a pipe or file too; 0: print without"],
  [["TERM"], "dumb or empty: print without colour, and rewrite no line"],
  [["CI"], "rewrite no line"],
  [["GITHUB_ACTIONS"], "true: print an error annotation for each failed check"],
  [["GITHUB_STEP_SUMMARY"], "file to append a job summary to, with GITHUB_ACTIONS"],
];

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
/** Lines as they are, which groff would fill. */
const verbatim = (text: string): string => `.nf\n${roff(text.trim()).replace(/\n\n+/g, "\n.sp\n")}\n.fi\n`;

function manual(): string {
  let printed = "";
  const program = buildProgram(
    // With no arguments every command is declared, and none of them runs.
    { args: [] as readonly string[], stdout: { isTerminal: false } } as Context,
    () => {},
    (text) => (printed += text),
  );
  const helps = [program, ...program.commands].map((command) => {
    printed = "";
    command.outputHelp();
    return `.SS ${roff(command.name())}\n${verbatim(printed)}`;
  });
  const name = program.name();
  return [
    `.TH ${name.toUpperCase()} 1 "" "${name} ${version}" "User Commands"\n.nh\n`,
    section("NAME", `${roff(name)} \\- checks credentials of the referral service's API\n`),
    section("SYNOPSIS", `${bold(name)} \\fIcommand\\fR [\\fIoptions\\fR]\n`),
    section("COMMANDS", ...helps),
    section("EXIT STATUS", ...exitCodes.map(({ code, meaning }) => entry(bold(String(code)), meaning))),
    section(
      "ENVIRONMENT",
      "A flag counts before a variable, and a variable before the rc file. With a profile, the profile and the rc file count before variables. An empty variable counts as unset.\n",
      ...variables.map(([names, summary]) => entry(names.map(bold).join(", "), summary)),
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
  ].join("");
}

if (process.argv[1] === import.meta.filename) writeFileSync("dist/referral-auth.1", manual());
