import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rcCandidates } from "../../src/settings/rc-search.ts";
import { loadSettings, type Options } from "../../src/settings/run-settings.ts";
import { folderWith } from "../support/folder.ts";
import { contextOf } from "../support/run.ts";

/** Where the program runs, as paths below the folder of the test; `null` if there is none. */
type Places = Partial<Record<"working" | "home" | "configuration" | "registered", string | null>>;

/** Loads the settings in a folder with these files. `link` leads to `home`. */
async function loaded(
  files: Readonly<Record<string, unknown>>,
  { working = "tree", home = "home", configuration = "home/.config/referral", registered }: Places = {},
  options: Options = {},
  environment: Readonly<Record<string, string>> = {},
) {
  const root = folderWith({ "tree/.keep": "", "home/.keep": "", ...files });
  symlinkSync(join(root, "home"), join(root, "link"));
  const at = (place: string | null) => (place === null ? null : `${root}/${place}`);
  const context = {
    ...contextOf([]),
    environment,
    workingFolder: at(working),
    homeFolder: at(home),
    configurationFolder: `${root}/${configuration}`,
    registeredHomeFolder: () => at(registered ?? null),
  };
  const settings = await loadSettings(options, context, async () => {});
  const { rc } = settings;
  return { settings, rc: rc && `${rc.trust} ${rc.path.slice(root.length + 1)}` };
}

test("an rc file is looked for upward, then in a home folder, then in an absolute configuration folder", () => {
  const found = (working: string | null, home: string | null, configuration?: string) =>
    rcCandidates(working, home, configuration).map(({ path, place }) => `${place} ${path}`);
  const endings = ["", ".json", ".yaml", ".yml"];
  const inHome = endings.map((ending) => `home /home/me/.referralrc${ending}`);
  const configured = endings.map((ending) => `configuration /etc/config${ending}`);
  const inTree = (...folders: readonly string[]) =>
    folders.flatMap((folder) => endings.map((ending) => `tree ${folder}/.referralrc${ending}`));
  expect(found("/a/b", "/home/me", "/etc")).toEqual([...inTree("/a/b", "/a", ""), ...inHome, ...configured]);
  expect(found("/home/me/a", "/home/me", "/etc")).toEqual([
    ...inTree("/home/me/a"),
    ...inHome,
    ...configured,
  ]);
  expect(found("/a", null, "/etc")).toEqual(inTree("/a", ""));
  expect(found(null, null)).toEqual([]);
  expect(found(null, "/home/me", "etc")).toEqual(inHome);
});

const rc = { timeout: 5 };
const [inTree, inHome] = ["tree/.referralrc", "home/.referralrc"];
const [home, tree] = [{ [inHome]: rc }, { [inTree]: rc }];
const homeCheckout = { ...home, "home/.git/HEAD": "" };
const configuration = "home/.config/referral/config.json";
const [found, yours, foundHome] = [`found ${inTree}`, `yours ${inHome}`, `found ${inHome}`];
const atC = { configuration: "c/referral" };
const own = { "c/referral/config": rc };

test.each<[string, Readonly<Record<string, unknown>>, Places, string | null]>([
  ["none", {}, {}, null],
  ["that of the working tree first", { ...tree, ...home }, {}, found],
  ["that of a folder above a working folder that is gone but known", tree, { working: "tree/gone" }, found],
  ["that of the home folder", home, {}, yours],
  ["the same from inside it", home, { working: "home" }, yours],
  ["the same by way of a link", home, { working: "home", home: "link/" }, yours],
  ["the same written with ..", home, { working: "link", home: "tree/../home" }, yours],
  ["none of a home folder that is missing", home, { home: null, configuration: "x" }, null],
  ["none of a working folder that is gone", tree, { working: null }, null],
  ["that of a home folder in a checkout", homeCheckout, {}, foundHome],
  ["the same, which the system names", homeCheckout, { registered: "home" }, yours],
  ["the same, which the system names by a link", homeCheckout, { registered: "link" }, yours],
  ["that of the configuration folder", { [configuration]: rc }, {}, `yours ${configuration}`],
  ["the same in a checkout of its own", { "c/.git/HEAD": "", ...own }, atC, "found c/referral/config"],
  ["none of a configuration folder without a home", own, { home: null, ...atC }, null],
])("the rc file in use is %s", async (_, files, places, expected) => {
  expect((await loaded(files, places)).rc).toBe(expected);
});

const two = { "tree/.referralrc": rc, "tree/other": rc };
test.each<[Options["config"], string | null, string | null]>([
  ["other", null, "yours tree/other"],
  [undefined, "other", "yours tree/other"],
  [undefined, "", "found tree/.referralrc"],
  [".referralrc", "other", "yours tree/.referralrc"],
  [false, "other", null],
])("--config %j with REFERRAL_CONFIG %j is the file %j", async (config, variable, expected) => {
  const environment = variable === null ? undefined : { REFERRAL_CONFIG: variable };
  expect((await loaded(two, {}, { config }, environment)).rc).toBe(expected);
});

describe("the accounts", () => {
  test.each<[Options, string, ReadonlyArray<string | null>]>([
    [{}, "", [null]],
    [{}, "b", ["b"]],
    [{ profile: ["b", "a", "b"] }, "a", ["b", "a"]],
    [{ all: true }, "", ["a", "b"]],
    [{ accounts: "-" }, "b", []],
  ])("of the options %j and REFERRAL_PROFILE %j are %j", async (options, REFERRAL_PROFILE, expected) => {
    const files = { [inHome]: { profiles: { a: {}, b: {} } } };
    expect((await loaded(files, {}, options, { REFERRAL_PROFILE })).settings.profiles).toEqual(expected);
  });
});
