import { expect, test } from "vitest";
import { buildProgram } from "../../src/app.ts";
import type { Position } from "../../src/completion/position.ts";
import { suggest } from "../../src/completion/suggest.ts";
import { conventionNames, hashNames } from "../../src/wsse/digest.ts";
import { contextOf } from "../support/run.ts";

const ignore = (): void => {};
const program = buildProgram(contextOf([]), ignore, ignore);

/** What is suggested for the last of these words, and which rc file the profiles were asked of. */
async function suggested(...words: readonly string[]) {
  const asked: Position["config"][] = [];
  const suggestion = await suggest(program, words.slice(0, -1), words.at(-1) ?? "", async (config) => {
    asked.push(config);
    return ["production"];
  });
  return { suggestion, asked };
}

/** The suggested words alone. */
async function wordsFor(...words: readonly string[]): Promise<unknown> {
  const { suggestion } = await suggested(...words);
  return typeof suggestion === "string" ? suggestion : suggestion.map(({ word }) => word);
}

test.each(program.commands)("suggests every flag of %s with its summary", async (command) => {
  const { suggestion } = await suggested(command.name(), "--");
  const flags = [...command.options.map(({ long }) => long), "--help"];
  const summary = expect.stringMatching(/^[^()\n\t]+$/);
  expect(suggestion).toHaveLength(flags.length);
  for (const word of flags) expect(suggestion).toContainEqual({ word, summary });
});

test.each<[string, unknown]>([
  ["", program.commands.map((command) => command.name())],
  ["test --digest ", conventionNames],
  ["test --digest=te", conventionNames],
  ["header --wsse --hash ", hashNames],
  ["emulator --digest ", conventionNames],
  ["emulator --answer ", ["html", "redirect", "slow", "reset"]],
  ["completion ", ["bash", "zsh", "fish"]],
  ["help ", ["test", "header", "config", "emulator", "completion"]],
  ["test --profile ", ["production"]],
  ["test --profile one --profile=", ["production"]],
  ["test --token-file ", "files"],
  ["test --secret-file=x", "files"],
  ["test --ca-cert ", "files"],
  ["config --config /e", "files"],
  ["test --junit ", "files"],
  ["emulator --ready-file ", "files"],
  ["emulator --accounts=", "files"],
  ["emulator -- npm run", "files"],
  ["emulator npm run", "files"],
  ["emulator --explain npm --", "files"],
  ["emulator ", "commands"],
  ["emulator --port 8080 n", "commands"],
  ["emulator --explain -- ", "commands"],
  // Any value is possible.
  ["test --secret ", []],
  ["test --username -", []],
  ["test --token=", []],
  ["test --timeout ", []],
  ["emulator --allow-host ", []],
  ["test --nonsense=", []],
  ["completion bash -- ", []],
])("suggests for %j: %j", async (line, expected) => {
  expect(await wordsFor(...line.split(" "))).toEqual(expected);
});

test.each([
  "test ",
  // The value of --token is optional.
  "test --token ",
  "test --token value --",
  // A value may look like a flag or a command.
  "test --username --digest ",
  "test --profile header --",
])("suggests the flags of test for %j", async (line) => {
  expect(await wordsFor(...line.split(" "))).toEqual(await wordsFor("test", "--"));
});

test.each([
  ["test --profile ", [undefined]],
  ["test --token --config a --profile ", ["a"]],
  ["test --config=a=b --profile=", ["a=b"]],
  ["test --config a --config b --profile ", ["b"]],
  ["test --no-config --profile ", [false]],
  ["test --username --config --profile ", [undefined]],
  // No profile can follow.
  ["", []],
  ["test --", []],
  ["test --config ", []],
])("reads the profiles for %j from the named rc file: %j", async (line, asked) => {
  expect((await suggested(...line.split(" "))).asked).toEqual(asked);
});
