import { describe, expect, test } from "vitest";
import { buildProgram } from "../../src/app.ts";
import type { Position } from "../../src/completion/position.ts";
import { type Suggestion, suggest } from "../../src/completion/suggest.ts";
import { conventionNames, hashNames } from "../../src/wsse/digest.ts";
import { contextOf } from "../support/run.ts";

const program = buildProgram(
  contextOf([]),
  () => {},
  () => {},
);

/** What is suggested for the last of these words, and which rc file the profiles were asked of. */
async function suggested(
  ...words: readonly string[]
): Promise<{ readonly suggestion: Suggestion; readonly asked: readonly Position["config"][] }> {
  const asked: Position["config"][] = [];
  const suggestion = await suggest(program, words.slice(0, -1), words.at(-1) ?? "", async (config) => {
    asked.push(config);
    return ["production"];
  });
  return { suggestion, asked };
}

/** The suggested words alone. */
async function wordsFor(...words: readonly string[]): Promise<readonly string[]> {
  const { suggestion } = await suggested(...words);
  return suggestion.kind === "words" ? suggestion.candidates.map(({ word }) => word) : [suggestion.kind];
}

describe("completion suggests", () => {
  test("the commands, as help lists them", async () => {
    expect(await wordsFor("")).toEqual(program.commands.map((command) => command.name()));
  });

  test.each(program.commands.map((command) => [command.name(), command] as const))(
    "every flag of %s with its summary",
    async (name, command) => {
      const { suggestion } = await suggested(name, "--");
      const flags = [...command.options.map(({ long }) => long), "--help"];

      expect(suggestion).toMatchObject({ kind: "words" });
      expect((await wordsFor(name, "--")).toSorted()).toEqual(flags.toSorted());
      for (const { summary } of suggestion.kind === "words" ? suggestion.candidates : [])
        expect(summary).toMatch(/^[^()\n\t]+$/);
    },
  );

  test.each([
    [["test", "--digest", ""], conventionNames],
    [["test", "--digest=te"], conventionNames],
    [["header", "--wsse", "--hash", ""], hashNames],
    [["emulator", "--digest", ""], conventionNames],
    [
      ["emulator", "--answer", ""],
      ["html", "redirect", "slow", "reset"],
    ],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [
      ["help", ""],
      ["test", "header", "config", "emulator", "completion"],
    ],
    [["test", "--profile", ""], ["production"]],
    [["test", "--profile", "one", "--profile="], ["production"]],
  ])("%j: the names that are known", async (words, names) => {
    expect(await wordsFor(...words)).toEqual(names);
  });

  test.each([
    [["test", "--token-file", ""]],
    [["test", "--secret-file=x"]],
    [["test", "--ca-cert", ""]],
    [["config", "--config", "/e"]],
    [["test", "--junit", ""]],
    [["emulator", "--ready-file", ""]],
    [["emulator", "--accounts="]],
    [["emulator", "--", "npm", "run"]],
    [["emulator", "npm", "run"]],
    [["emulator", "--explain", "npm", "--"]],
  ])("%j: files", async (words) => {
    expect(await wordsFor(...words)).toEqual(["files"]);
  });

  test.each([
    [["emulator", ""]],
    [["emulator", "--port", "8080", "n"]],
    [["emulator", "--explain", "--", ""]],
  ])("%j: the commands of the machine", async (words) => {
    expect(await wordsFor(...words)).toEqual(["commands"]);
  });

  test.each([
    [["test", "--secret", ""]],
    [["test", "--username", "-"]],
    [["test", "--token="]],
    [["test", "--timeout", ""]],
    [["emulator", "--allow-host", ""]],
    [["test", "--nonsense="]],
    [["completion", "bash", "--", ""]],
  ])("%j: nothing, since any value is possible", async (words) => {
    expect(await wordsFor(...words)).toEqual([]);
  });

  test("flags after a command that takes no argument, and after --token, whose value is optional", async () => {
    const flags = await wordsFor("test", "--");
    expect(await wordsFor("test", "")).toEqual(flags);
    expect(await wordsFor("test", "--token", "")).toEqual(flags);
    expect(await wordsFor("test", "--token", "value", "--")).toEqual(flags);
  });

  test("a value that looks like a flag or a command is a value", async () => {
    expect(await wordsFor("test", "--username", "--digest", "")).toEqual(await wordsFor("test", ""));
    expect(await wordsFor("test", "--profile", "header", "--shard")).toContain("--shard");
  });

  test.each([
    [["test", "--profile", ""], undefined],
    [["test", "--config", "a", "--profile", ""], "a"],
    [["test", "--config=a=b", "--profile="], "a=b"],
    [["test", "--config", "a", "--config", "b", "--profile", ""], "b"],
    [["test", "--no-config", "--profile", ""], false],
    [["test", "--username", "--config", "--profile", ""], undefined],
  ])("%j: profiles of the named rc file", async (words, config) => {
    expect((await suggested(...words)).asked).toEqual([config]);
  });

  test("reads profiles only if one can follow", async () => {
    for (const words of [[""], ["test", "--"], ["test", "--digest", ""], ["test", "--config", ""]])
      expect((await suggested(...words)).asked).toEqual([]);
  });
});
