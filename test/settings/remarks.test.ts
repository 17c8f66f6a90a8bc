import { describe, expect, test } from "vitest";
import { flagLevel, type Level } from "../../src/settings/levels.ts";
import { parseRc } from "../../src/settings/rc-parse.ts";
import { hiddenByEnvironment, knownHosts } from "../../src/settings/remarks.ts";
import type { Source } from "../../src/settings/source.ts";
import type { SettingName } from "../../src/settings/table.ts";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve } from "../support/serve.ts";
import { rcSource } from "./levels.ts";

/** A level that sets these, from a variable or from a line of the rc file. */
function level(kind: "environment" | "rc", values: Partial<Record<SettingName, string>>): Level {
  return new Map(
    (Object.entries(values) as Array<[SettingName, string]>).map(([setting, text]) => {
      const source: Source = kind === "rc" ? rcSource(setting) : { kind, variable: `REFERRAL_${setting}` };
      return [setting, { setting, text, source }];
    }),
  );
}

describe("a variable that hides a value of the rc file", () => {
  const hidden = (layers: readonly Level[], names: readonly SettingName[] = ["token"]) =>
    hiddenByEnvironment(layers, names);
  const found = { by: "REFERRAL_token", place: "token in /home/me/.referralrc, line 3" };
  const variable = level("environment", { token: "a" });

  test.each([
    ["another value", [variable, level("rc", { token: "b" })], [found]],
    ["the same value", [variable, level("rc", { token: "a" })], []],
    [
      "the second of two values",
      [variable, level("rc", { token: "a" }), level("rc", { token: "b" })],
      [found],
    ],
    [
      "a file of the same text",
      [variable, level("rc", { tokenFile: "a" })],
      [{ by: "REFERRAL_token", place: "tokenFile in /home/me/.referralrc, line 3" }],
    ],
    ["nothing", [variable], []],
    ["another setting", [variable, level("rc", { username: "b" })], []],
    ["a value that a flag hides", [flagLevel({ token: "c" }), variable, level("rc", { token: "b" })], []],
    ["a value above it", [level("rc", { token: "b" }), variable], []],
    ["another variable", [variable, level("environment", { token: "b" })], []],
    ["where none is set", [], []],
  ])("%s", (_, layers, expected) => {
    expect(hidden(layers)).toEqual(expected);
  });

  test("is named for each setting that is asked for", () => {
    const layers = [
      level("environment", { username: "a", secret: "b", hash: "c" }),
      level("rc", { username: "x", secret: "y", hash: "z" }),
    ];
    expect(hidden(layers, ["username", "secret"]).map(({ by }) => by)).toEqual([
      "REFERRAL_username",
      "REFERRAL_secret",
    ]);
  });
});

describe("the hosts that are set anywhere", () => {
  const sources = (flags: Level, variables: Level, text: string | null) => ({
    flags,
    environment: variables,
    variables: {},
    rc: text === null ? null : parseRc(Buffer.from(text), "/rc", "yours"),
    profiles: [null],
  });
  const none: Level = new Map();

  test("are those of flags, variables, the rc file and its profiles, each once", () => {
    const text =
      "proxy: https://p.example\nbaseUrl: https://c.example\nprofiles:\n  a: { baseUrl: https://d.example:1/x }\n  b: { baseUrl: https://a.example }\n";
    const flags = flagLevel({ baseUrl: "https://a.example/v1", proxy: "https://p.example" });
    const all = sources(flags, level("environment", { baseUrl: "https://b.example" }), text);
    expect(knownHosts(all)).toEqual(["a.example", "b.example", "c.example", "d.example"]);
  });

  test("leave out what is no base URL, and need no rc file", () => {
    expect(knownHosts(sources(flagLevel({ baseUrl: "a.example" }), none, null))).toEqual([]);
  });
});

test.each([
  ["token: abc #def", true],
  ['token: "abc" #def', false],
])("a comment behind a value without quotes is a finding after a refusal: %s", async (line, expected) => {
  const api = await serve((_request, response) => json(response, 401, { code: 401, message: "No" }));
  const homeFolder = folderWith({ ".referralrc": `baseUrl: ${api.url}\n${line}\n` });
  const { exitCode, stdout } = await runInProcess(["test", "--json"], { homeFolder });
  expect(exitCode).toBe(4);
  const ids = JSON.parse(stdout).checks[0].findings.map(({ id }: { id: string }) => id);
  expect(ids.includes("yaml-comment")).toBe(expected);
});
