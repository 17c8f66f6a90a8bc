import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildProgram } from "../../src/app.ts";
import { exitCodes } from "../../src/exit-codes.ts";
import { definitionOf, settingNames } from "../../src/settings/table.ts";
import { folderWith } from "../support/folder.ts";
import { contextOf } from "../support/run.ts";
import { type Packed, packed } from "./packed.ts";

let made: Packed;
let page: string;
beforeAll(() => {
  made = packed();
  page = readFileSync(join(made.folder, "dist/referral-auth.1"), "utf8");
});
afterAll(() => made?.remove());

const program = buildProgram(
  contextOf([]),
  () => {},
  () => {},
);

/** The text as the page has it, in roff. */
const roff = (text: string): string => text.replaceAll("\\", "\\e").replaceAll("-", "\\-");

/** The part of the page below a heading, up to the next one. */
function below(heading: string): string {
  const parts = page.split(/^\.S[HS] /m);
  return parts.find((part) => part.startsWith(heading)) ?? "";
}

describe("the manual page", () => {
  test.each(program.commands.map((command) => [command.name(), command] as const))(
    "has %s with its arguments and options, each as help has it and in the order of its groups, or named if an earlier command has it",
    (name, command) => {
      const text = below(roff(name));
      const plain = (term = ""): string => term.replace(/\\f.|\\(?=-)/g, "");
      const terms = [...text.matchAll(/^\.TP\n(.*)$/gm)].map(([, term]) => plain(term));
      const above = plain(/^As above: (.*)\.$/m.exec(text)?.[1]).split("; ");
      const help = command.createHelp();

      expect(text).toContain(roff(command.description()));
      const listed = (command.helpInformation().match(/^ {2}-[^\n]*?(?= {2}|$)/gm) ?? []).map((flags) =>
        flags.trim(),
      );
      const words = help.visibleArguments(command).map((argument) => argument.name());
      expect(terms).toEqual([...words, ...listed.filter((flags) => !above.includes(flags))]);
      expect(listed).toEqual(expect.arrayContaining(above));
      expect(listed).toHaveLength(help.visibleOptions(command).length);
    },
  );

  test("has every exit code and every variable", () => {
    for (const { code, meaning } of exitCodes)
      expect(below("EXIT STATUS")).toContain(`\\fB${code}\\fR\n${roff(meaning)}\n`);
    for (const variable of settingNames.flatMap((name) => definitionOf(name).variables))
      expect(below("ENVIRONMENT")).toContain(`\\fB${variable}\\fR`);
  });

  test("has no entry without a name: what only rc files set has no variable", () => {
    expect(settingNames.filter((name) => definitionOf(name).variables.length === 0)).not.toEqual([]);
    expect(page).not.toMatch(/^\.TP\n\n/m);
  });

  test("is ASCII, and no line of text is taken for a request", () => {
    expect(page).toMatch(/^[\n\x20-\x7e]+$/);
    const requests = page.split("\n").filter((line) => /^[.']/.test(line));
    const known = /^\.(?:TH|SH|SS|TP|PP|nh|nf|fi|sp)\b/;
    expect(requests.filter((line) => !known.test(line))).toEqual([]);
  });

  test("is where man looks for it after a global installation", () => {
    const prefix = folderWith();
    const options = ["--global", "--offline", "--loglevel=error", "--prefix", prefix];
    execFileSync("npm", ["install", ...options, made.tarball], { stdio: ["ignore", "ignore", "inherit"] });

    expect(readFileSync(join(prefix, "share/man/man1/referral-auth.1"), "utf8")).toBe(page);
  });
});
