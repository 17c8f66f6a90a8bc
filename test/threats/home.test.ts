import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runAsChild } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { inShell } from "./shell.ts";

describe("a working tree does not count as the home folder:", () => {
  const homes: ReadonlyArray<readonly [string, Readonly<Record<string, string | undefined>>]> = [
    ["HOME is empty", { HOME: "" }],
    ["HOME is .", { HOME: "." }],
    ["HOME is ./", { HOME: "./" }],
    ["HOME is a relative path to it", { HOME: "../tree" }],
    ["XDG_CONFIG_HOME is empty", { XDG_CONFIG_HOME: "" }],
    ["XDG_CONFIG_HOME is .", { XDG_CONFIG_HOME: "." }],
    ["XDG_CONFIG_HOME is a relative path to it", { XDG_CONFIG_HOME: "../tree" }],
    ["XDG_CONFIG_HOME is one of its folders", { XDG_CONFIG_HOME: "settings" }],
    ["HOME is empty and XDG_CONFIG_HOME is .", { HOME: "", XDG_CONFIG_HOME: "." }],
  ];

  test.each(homes)("%s, and an rc file there is not trusted", async (_, environment) => {
    const api = await serve((_request, response) => json(response, 200, success));
    const rc = { baseUrl: api.url };
    const places = [
      "tree/referral/config",
      "tree/referral/config.json",
      "tree/settings/referral/config.json",
      "tree/.config/referral/config.json",
    ];
    for (const files of [
      { "tree/.referralrc": rc },
      Object.fromEntries(places.map((place) => [place, rc])),
    ]) {
      const workingFolder = join(folderWith(files), "tree");
      const given = { HOME: "/nowhere", REFERRAL_TOKEN: planted.token, ...environment };
      const run = await inShell("$RUN test", given, workingFolder);
      expect(run, run.everything).toMatchObject({ exitCode: 3, stdout: "" });
      expect(leaks(run.everything)).toEqual([]);
    }
    expect(api.connections()).toBe(0);
  });
});

describe("the home folder is yours,", () => {
  test.each([
    ["with a slash at its end", (home: string) => `${home}/`],
    ["written with ..", (home: string) => `${home}/work/..`],
    ["written with two slashes", (home: string) => home.replace(/\/(?=[^/]*$)/, "//")],
    ["by way of a link", (home: string) => `${home}-link`],
  ])("%s, also from a folder inside it", async (_, write) => {
    const api = await serve((_request, response) => json(response, 200, success));
    const place = folderWith({ "home/.referralrc": { baseUrl: api.url }, "home/work/tree/.keep": "" });
    const home = join(place, "home");
    const run = await inShell(
      `ln -s "$PLACE/home" "$PLACE/home-link"; cd "$PLACE/home/work/tree"; $RUN test`,
      {
        PLACE: place,
        HOME: write(home),
        REFERRAL_TOKEN: planted.token,
      },
      place,
    );
    expect(run, run.everything).toMatchObject({ exitCode: 0, stderr: "" });
    expect(api.requests).toHaveLength(1);
  });

  test("and so is its configuration folder", async () => {
    const api = await serve((_request, response) => json(response, 200, success));
    const homeFolder = folderWith({ ".config/referral/config.json": { baseUrl: api.url } });
    const run = await runAsChild(["test"], { homeFolder, environment: { REFERRAL_TOKEN: planted.token } });
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  });
});
