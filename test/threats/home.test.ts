import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runAsChild } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const accepting = () => serve((_request, response) => json(response, 200, success));
const token = { REFERRAL_TOKEN: planted.token };

// test/settings/{trust,load}.test.ts have the rules. These rows show that the process finds its folders by them.
test.each<[string, Readonly<Record<string, string>>]>([
  ["HOME is empty", { HOME: "" }],
  ["HOME is .", { HOME: "." }],
  ["HOME is a relative path to it", { HOME: "../tree" }],
  ["XDG_CONFIG_HOME is empty", { XDG_CONFIG_HOME: "" }],
  ["XDG_CONFIG_HOME is .", { XDG_CONFIG_HOME: "." }],
  ["XDG_CONFIG_HOME is one of its folders", { XDG_CONFIG_HOME: "settings" }],
  ["HOME is empty and XDG_CONFIG_HOME is .", { HOME: "", XDG_CONFIG_HOME: "." }],
])("a working tree is not your home folder if %s", async (_, environment) => {
  const api = await accepting();
  const places = ["referral", "settings/referral", ".config/referral"].map(
    (name) => `tree/${name}/config.json`,
  );
  for (const names of [["tree/.referralrc"], places]) {
    const files = Object.fromEntries(names.map((name) => [name, { baseUrl: api.url }]));
    const workingFolder = join(folderWith(files), "tree");
    const run = await runAsChild(["test"], { workingFolder, environment: { ...token, ...environment } });
    expect(run, run.everything).toMatchObject({ exitCode: 3, stdout: "" });
    expect(leaks(run.everything)).toEqual([]);
  }
  expect(api.connections()).toBe(0);
});

describe.each([".git/HEAD", ".git"])("a checkout with %s is not yours", (git) => {
  test.each([
    ["HOME is the checkout", { HOME: "tree" }, ".referralrc"],
    ["HOME leads into it by a link", { HOME: "link/home" }, "home/.referralrc"],
    ["HOME is in it, by its configuration folder", { HOME: "tree" }, ".config/referral/config.yml"],
    ["XDG_CONFIG_HOME is in it", { HOME: "other", XDG_CONFIG_HOME: "tree/x" }, "x/referral/config"],
    ["both are, by a link", { HOME: "tree", XDG_CONFIG_HOME: "link" }, "referral/config.json"],
  ])("if %s", async (_, folders, rcName) => {
    const api = await accepting();
    const files = { [`tree/${rcName}`]: { baseUrl: api.url }, [`tree/${git}`]: "x", "other/.keep": "" };
    const place = folderWith(files);
    symlinkSync(join(place, "tree"), join(place, "link"));
    const absolute = Object.entries(folders).map(([name, folder]) => [name, join(place, folder)]);
    const environment = { ...token, ...Object.fromEntries(absolute) };
    const run = await runAsChild(["test"], { workingFolder: join(place, "other"), environment });
    expect(run, run.everything).toMatchObject({ exitCode: 3, stdout: "" });
    const said = run.stderr.replace(/\s+/g, " ");
    expect(said).toMatch(/give --base-url yourself, or name the file with --config/);
    expect(leaks(run.everything)).toEqual([]);
    expect(api.connections()).toBe(0);
  });
});

test.each([
  ["by way of a link, from a folder inside it", "link/", "home/.referralrc"],
  ["with two slashes", "/home", "home/.referralrc"],
  ["with its configuration folder", "home", "home/.config/referral/config.json"],
])("the home folder is yours, %s", async (_, home, rcName) => {
  const api = await accepting();
  const place = folderWith({ [rcName]: { baseUrl: api.url }, "home/work/.keep": "" });
  symlinkSync(join(place, "home"), join(place, "link"));
  const environment = { ...token, HOME: `${place}/${home}` };
  const run = await runAsChild(["test"], { workingFolder: join(place, "home/work"), environment });
  expect(run, run.everything).toMatchObject({ exitCode: 0, stderr: "" });
  expect(api.requests).toHaveLength(1);
});
