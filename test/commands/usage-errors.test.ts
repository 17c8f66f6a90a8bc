import { expect, test } from "vitest";
import { formatNames } from "../../src/run/options.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";

const form = "--shard is not of the form i/n with i from 1 to n";
const twice = "The accounts and a secret cannot both come from standard input";
const fromFile = "Read one of them from a file";
const standardOutput = (flag: string) =>
  `Write ${flag} /dev/stdout for standard output, or ./- for a file of that name`;
const choose = "Add --all, --accounts, or --profile for each";

// Words that are no option or no command: test/threats/command-line.both-ways.test.ts.
test.each<readonly [readonly string[], string, string]>([
  ...["0/2", "3/2", "1", "a/b", "1/0", "-1/3", "1/3/5"].map(
    (shard) => [["--all", "--shard", shard], form, "Write it like --shard 2/7"] as const,
  ),
  [["--shard", "1/2"], "--shard divides accounts, and no account is chosen", choose],
  [["--accounts", ""], "--accounts is empty", "Write a path after it, or - for standard input"],
  [["--accounts", "x", "--accounts", "y"], "--accounts is given twice", "Keep one of the two"],
  [["--accounts", "-", "--token-file", "-"], twice, fromFile],
  [["--accounts", "-", "--secret-file", "-"], twice, fromFile],
  ...formatNames
    .map((name) => `--${name}`)
    .flatMap((flag) => [
      [[flag, ""], `${flag} is empty`, "Write a path after it"] as const,
      [[flag, "-"], `${flag} takes a path, and - is none`, standardOutput(flag)] as const,
    ]),
])("test %j is wrong usage: %s", async (args, message, hint) => {
  const run = await runInProcess(["test", ...args, "--json"]);
  expect(run.exitCode).toBe(2);
  expect(run.document.error).toEqual({ code: 2, message, hint });
});

test.each(["header --token", "config"])("%s takes one profile", async (command) => {
  const profiles = ["--profile", planted.token, "--profile", "other"];
  const run = await runInProcess([...command.split(" "), ...profiles]);
  const stderr = expect.stringContaining("--profile is given twice");
  expect(run).toMatchObject({ exitCode: 2, stdout: "", stderr });
});

test.each([
  ["test", ["--ndjson", "--json"], "--json and --ndjson"],
  ["test", ["--all", "--profile", "x"], "--all and --profile"],
  ["test", ["--accounts", "x", "--profile", "x", "--profile=x"], "--accounts and --profile"],
  ["test", ["--all", "--accounts=x"], "--accounts and --all"],
  ["config", ["--profile=x", "--all"], "--all and --profile"],
  ["emulator", ["--accounts", "x", "--token=x"], "--accounts and --token"],
  ["emulator", ["--username", "x", "--accounts", "x"], "--accounts and --username"],
  ["emulator", ["--secret", "x", "--accounts", "x", "command"], "--accounts and --secret"],
])("%s %j is wrong usage, and no value is repeated", async (command, args, flags) => {
  const values = args.map((arg) => arg.replace(/(?<=^|=)x$/, planted.secret));
  const run = await runInProcess([command, ...values]);
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toBe(`Error: ${flags} cannot be used together\n  try       Keep one of the two\n`);
});

const [ofTest, ofOthers] = [
  ["checks", "error", "exitCode", "linesRead", "notChecked", "notRead", "ok", "schemaVersion", "version"],
  ["error", "exitCode", "ok", "schemaVersion", "version"],
];
test.each<[string[], string[] | null]>([
  [["test", "--nothing", "--json"], ofTest],
  [["test", "--shard", "x", "--json"], ofTest],
  [["test", "--json", "--base-url"], ofTest],
  [["test", "--json"], ofTest],
  [["config", "--nothing", "--json"], ofOthers],
  [["config", "--json", "--config", "/gone.json"], ofOthers],
  [["emulator", "--json", "--nothing"], ofOthers],
  [["emulator", "--json", "command"], ofOthers],
  // The word is a value, or belongs to another command.
  [["test", "--base-url", "--json"], null],
  [["test", "--profile", "--json"], null],
  [["test", "--", "--json"], null],
  [["emulator", "--port", "--json"], null],
  [["emulator", "--port", "x", "command", "--json"], null],
  [["header", "--json"], null],
])("the error of %j is a document with the keys %j", async (args, keys) => {
  const { stdout, stderr } = await runInProcess(args);
  expect(stdout === "" ? null : Object.keys(JSON.parse(stdout)).toSorted()).toEqual(keys);
  expect(stderr).toMatch(/^Error: /);
});
