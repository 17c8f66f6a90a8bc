import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { definitionOf, flagOf, type SettingName, settingNames } from "../../src/settings/table.ts";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";

/** Four valid values of a setting, one for each level. */
function values(name: SettingName): readonly [string, string, string, string] {
  const { kind, choices = [] } = definitionOf(name);
  switch (kind) {
    case "url":
      return [
        "https://flag.example",
        "https://environment.example",
        "https://profile.example",
        "https://top.example",
      ];
    case "number":
      return ["11", "12", "13", "14"];
    case "choice":
      return [choices[0], choices[1], choices[2], choices.at(-1)] as [string, string, string, string];
    case "text":
    case "secret":
      return ["flag", "environment", "profile", "top"];
    case "path":
      // Only what exists is shown.
      return ["/", "/usr", "/etc", "/tmp"];
  }
}

/** One key of YAML. */
const line = (name: SettingName, value: string): string =>
  `${definitionOf(name).key}: ${definitionOf(name).kind === "number" ? value : JSON.stringify(value)}`;

async function shown(
  name: SettingName,
  args: readonly string[],
  environment: Record<string, string>,
  homeFolder: string,
) {
  const base = name === "baseUrl" || name === "proxy" ? { REFERRAL_BASE_URL: "https://api.example" } : {};
  const run = await runInProcess(["config", "--json", ...args], {
    environment: { ...(name === "proxy" ? base : {}), ...environment },
    homeFolder,
  });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  return JSON.parse(run.stdout).settings.find((row: { name: string }) => row.name === name);
}

const masked = (name: SettingName, value: string): string =>
  definitionOf(name).kind === "secret" ? "[secret]" : value;
// A proxy is shown as a URL, which has a path.
const asShown = (name: SettingName, value: string): string =>
  masked(name, name === "proxy" ? new URL(value).href : value);

describe.each(settingNames)("%s", (name) => {
  const [flag, environment, profile, top] = values(name);
  const variable = name === "proxy" ? "HTTPS_PROXY" : (definitionOf(name).variables[0] as string);
  const rc = `${line(name, top)}\nprofiles:\n  work:\n    ${line(name, profile)}\n`;
  const homeFolder = () => folderWith({ ".referralrc": rc });

  test("a flag wins over the environment, that over the profile, that over the top level", async () => {
    const home = homeFolder();
    const place = {
      kind: "rc",
      file: join(home, ".referralrc"),
      trust: "yours",
      key: definitionOf(name).key,
    };
    const all = { environment: { [variable]: environment }, args: [flagOf(name), flag, "--profile", "work"] };

    const byFlag = await shown(name, all.args, all.environment, home);
    expect(byFlag).toMatchObject({
      value: asShown(name, flag),
      source: { kind: "flag", flag: flagOf(name) },
    });

    const byEnvironment = await shown(name, ["--profile", "work"], all.environment, home);
    expect(byEnvironment).toMatchObject({
      value: asShown(name, environment),
      source: { kind: "environment", variable },
    });

    const byProfile = await shown(name, ["--profile", "work"], { [variable]: "" }, home);
    expect(byProfile).toMatchObject({ value: asShown(name, profile), source: { ...place, line: 4 } });

    const byTop = await shown(name, [], {}, home);
    expect(byTop).toMatchObject({ value: asShown(name, top), source: { ...place, line: 1 } });
  });

  test("what is not set anywhere has its default", async () => {
    const fallback = definitionOf(name).fallback ?? null;
    expect(await shown(name, [], {}, folderWith())).toMatchObject({
      value: fallback,
      source: fallback === null ? null : { kind: "default" },
      hides: [],
    });
  });
});
