import { expect, test } from "vitest";
import { buildProgram } from "../../src/app.ts";
import type { Position } from "../../src/completion/position.ts";
import { suggest } from "../../src/completion/suggest.ts";
import { conventionNames, hashNames } from "../../src/wsse/digest.ts";
import { contextOf } from "../support/run.ts";

const program = buildProgram(
  contextOf([]),
  () => {},
  () => {},
);

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

const commandNames = program.commands.map((command) => command.name());

test.each(program.commands)("suggests every flag of %s with its summary", async (command) => {
  const { suggestion } = await suggested(command.name(), "--");
  const flags = [...command.options.map(({ long }) => long), "--help"].toSorted();
  const summary = expect.stringMatching(/^[^()\n\t]+$/);
  const found = [...suggestion].toSorted((one, other) =>
    JSON.stringify(one) < JSON.stringify(other) ? -1 : 1,
  );
  expect(found).toEqual(flags.map((word) => ({ word, summary })));
});

test.each<[string, unknown]>([
  ["", commandNames],
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

test("suggests flags after a command that takes no argument, and after --token, whose value is optional", async () => {
  const flags = await wordsFor("test", "--");
  expect(await wordsFor("test", "")).toEqual(flags);
  expect(await wordsFor("test", "--token", "")).toEqual(flags);
  expect(await wordsFor("test", "--token", "value", "--")).toEqual(flags);
});

test("takes a value that looks like a flag or a command for a value", async () => {
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
