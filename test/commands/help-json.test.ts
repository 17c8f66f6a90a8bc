import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allVariables } from "../../src/commands/help-json.ts";
import { exitCodes } from "../../src/exit-codes.ts";
import { definitionOf, settingNames } from "../../src/settings/table.ts";
import { version } from "../../src/version.ts";
import { runInProcess } from "../support/run.ts";

async function documentOf(args: readonly string[]) {
  const { stdout, ...run } = await runInProcess(args);
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(/^[\x20-\x7e\n]*\n$/);
  return JSON.parse(stdout);
}

test("help --json prints every command, option, variable and exit code, in 7-bit ASCII", async () => {
  const document = await documentOf(["help", "--json"]);
  expect(document).toMatchObject({ schemaVersion: 1, name: "referral-auth", version, exitCodes });
  const names = document.commands.map(({ name }: { name: string }) => name);
  expect(names).toEqual(["test", "header", "config", "emulator", "completion", "help"]);
  for (const { name, options } of document.commands) {
    const { stdout } = await runInProcess(["help", name]);
    const flags = stdout.match(/(?<=^ {2}(?:-h, )?)--[a-z-]+/gm);
    expect(options.map(({ flag }: { flag: string }) => flag).toSorted()).toEqual(flags?.toSorted());
  }
});

test("help --json says what each option takes, its choices, default, rc key and variables", async () => {
  const document = await documentOf(["help", "test", "--json"]);
  const [{ name, usage, options }, ...more] = document.commands;
  expect([name, usage, more]).toEqual(["test", "referral-auth test [options]", []]);
  const optionOf = (wanted: string) => options.find(({ flag }: { flag: string }) => flag === wanted);
  const none = { short: null, choices: null, default: null, setting: null, variables: [] };
  expect(optionOf("--retry")).toEqual({
    ...none,
    flag: "--retry",
    value: "required",
    valueName: "n",
    summary: definitionOf("retry").summary,
    group: "Request",
    default: "0",
    setting: "retry",
    variables: ["REFERRAL_RETRY"],
  });
  expect(optionOf("--hash")).toMatchObject({ choices: ["sha1", "sha256", "sha512"], default: "sha1" });
  expect(optionOf("--token")).toMatchObject({ value: "optional", variables: ["REFERRAL_TOKEN"] });
  expect(optionOf("--profile")).toMatchObject({ setting: null, variables: ["REFERRAL_PROFILE"] });
  expect(optionOf("--diagnose")).toMatchObject({ value: "none", valueName: null, variables: [] });
  const [emulator] = (await documentOf(["help", "emulator", "--json"])).commands;
  for (const { variables } of emulator.options) expect(variables).toEqual([]);
});

test("every variable of a setting, and every one that the source reads by its name, is listed once", async () => {
  const listed = allVariables.flatMap(([names]) => names);
  expect(new Set(listed).size).toBe(listed.length);
  const source = globSync("src/**/*.ts")
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  const read = [...source.matchAll(/environment(?:\.|\[")([A-Z][A-Z_]+)/g)].map(([, name = ""]) => name);
  expect(read.length).toBeGreaterThan(3);
  const ofSettings = settingNames.flatMap((name) => definitionOf(name).variables);
  expect([...ofSettings, ...read].filter((name) => !listed.includes(name))).toEqual([]);
  const { variables } = await documentOf(["help", "--json"]);
  expect(variables.map(({ name }: { name: string }) => name)).toEqual(listed);
});
