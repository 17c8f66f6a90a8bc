import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { definitionOf, flagOf, type SettingName, settingNames } from "../../src/settings/table.ts";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";
import { arranged, isCredential, type Level, levels, pairs, precedence } from "./levels.ts";

// Commands can be set in an rc file alone.
const flagged = settingNames.filter((name) => flagOf(name) !== "");

/** A valid value of a setting for each level. */
function values(name: SettingName): Readonly<Record<Level, string>> {
  const { kind, choices = [] } = definitionOf(name);
  const [flag, environment, profile, top] =
    kind === "url"
      ? levels.map((level) => `https://${level}.example/`)
      : kind === "number"
        ? ["11", "12", "13", "14"]
        : kind === "choice"
          ? levels.map((_, index) => choices[index % choices.length])
          : kind === "path"
            ? // Only a path at which something exists is shown.
              ["/", "/usr", "/etc", "/tmp"]
            : levels;
  return { flag, environment, profile, top } as Record<Level, string>;
}

/** The row of `config --json` for a setting that these levels set. */
async function shown(name: SettingName, setting: readonly Level[], profileChosen: boolean) {
  const { args, environment, rc } = arranged(
    setting.map((level) => ({ name, level, value: values(name)[level] })),
  );
  const homeFolder = folderWith({ ".referralrc": rc });
  const run = await runInProcess(
    ["config", "--json", ...args, ...(profileChosen ? ["--profile", "p"] : [])],
    {
      // Which variable names the proxy depends on the base URL.
      environment: { ...(name === "proxy" && { REFERRAL_BASE_URL: "https://api.example" }), ...environment },
      homeFolder,
    },
  );
  expect(run, run.everything).toMatchObject({ exitCode: 0, stderr: "" });
  const row = JSON.parse(run.stdout).settings.find((one: { name: string }) => one.name === name);
  return { ...row, file: join(homeFolder, ".referralrc") };
}

/** What `config` says of the source at a level. */
function sourceOf(name: SettingName, level: Level, file: string): object {
  if (level === "flag") return { kind: "flag", flag: flagOf(name) };
  if (level === "environment")
    return {
      kind: "environment",
      variable: name === "proxy" ? "HTTPS_PROXY" : definitionOf(name).variables[0],
    };
  return { kind: "rc", file, key: name, trust: "yours" };
}

describe.each([
  ["without a profile", false],
  ["with a profile", true],
])("%s", (_, profileChosen) => {
  const cases = flagged.flatMap((name) => pairs.map((pair) => ({ name, pair })));

  test.each(cases)("$name at $pair: the higher one counts and hides the lower", async ({ name, pair }) => {
    const row = await shown(name, pair, profileChosen);
    const [winner, ...hidden] = precedence(name, profileChosen).filter((level) => pair.includes(level));

    const isSecret = definitionOf(name).kind === "secret";
    const value = winner === undefined ? null : isSecret ? "[secret]" : values(name)[winner];
    expect(row.value).toBe(winner === undefined ? (definitionOf(name).fallback ?? null) : value);
    if (winner !== undefined) expect(row.source).toMatchObject(sourceOf(name, winner, row.file));
    expect(row.hides).toMatchObject(hidden.map((level) => sourceOf(name, level, row.file)));
    const isUnused = profileChosen && isCredential(name) && pair.includes("environment");
    const note = `${definitionOf(name).variables[0]} is set and not used, because a profile is chosen`;
    expect(row.note).toBe(isUnused ? note : null);
  });
});

test.each(settingNames)("%s has its default if no level sets it", async (name) => {
  const fallback = definitionOf(name).fallback ?? null;
  expect(await shown(name, [], false)).toMatchObject({
    value: fallback,
    source: fallback === null ? null : { kind: "default" },
    hides: [],
    note: null,
  });
});
