import { expect, test } from "vitest";
import { buildProgram } from "../../src/app.ts";
import { suggest } from "../../src/completion/suggest.ts";
import { conventionNames } from "../../src/wsse/digest.ts";
import { contextOf } from "../support/run.ts";

const ignore = (): void => {};
const program = () => buildProgram(contextOf([]), ignore, ignore);

/** What is suggested for the last of these words. */
const suggested = (...words: readonly string[]) => suggest(program(), words.slice(0, -1), words.at(-1) ?? "");

/** The suggested words alone. */
function wordsFor(...words: readonly string[]): unknown {
  const suggestion = suggested(...words);
  if (typeof suggestion === "string") return suggestion;
  return "profilesOf" in suggestion ? "profiles" : suggestion.map(({ word }) => word);
}

test.each(program().commands)("suggests every flag of %s with its summary", (command) => {
  const suggestion = suggested(command.name(), "--");
  const flags = [...command.options.map(({ long }) => long), "--help"];
  const summary = expect.stringMatching(/^[^()\n\t]+$/);
  expect(suggestion).toHaveLength(flags.length);
  for (const word of flags) expect(suggestion).toContainEqual({ word, summary });
});

test.each<[string, unknown]>([
  ["", program().commands.map((command) => command.name())],
  ["test --digest ", conventionNames],
  ["test --digest=te", conventionNames],
  ["completion ", ["bash", "zsh", "fish"]],
  ["help ", ["test", "header", "config", "emulator", "completion"]],
  ["test --profile ", "profiles"],
  ["test --profile one --profile=", "profiles"],
  ["test --token-file ", "files"],
  ["config --config /e", "files"],
  ["emulator --ready-file ", "files"],
  ["emulator -- npm run", "files"],
  ["emulator --explain npm --", "files"],
  ["emulator ", "commands"],
  ["emulator --port 8080 n", "commands"],
  ["emulator --explain -- ", "commands"],
  // Any value is possible.
  ["test --secret ", []],
  ["test --token=", []],
  ["test --nonsense=", []],
  ["completion bash -- ", []],
])("suggests for %j: %j", (line, expected) => {
  expect(wordsFor(...line.split(" "))).toEqual(expected);
});

test.each([
  "test ",
  // The value of --token is optional.
  "test --token ",
  "test --token value --",
  // A value may look like a flag or a command.
  "test --username --digest ",
  "test --profile header --",
])("suggests the flags of test for %j", (line) => {
  expect(wordsFor(...line.split(" "))).toEqual(wordsFor("test", "--"));
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
])("reads the profiles for %j from the named rc file: %j", (line, asked) => {
  const suggestion = suggested(...line.split(" "));
  const profiles = typeof suggestion === "object" && "profilesOf" in suggestion;
  expect(profiles ? [suggestion.profilesOf] : []).toEqual(asked);
});
