import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rcCandidates } from "../../src/settings/rc-search.ts";
import { loadSettings, type Options } from "../../src/settings/run-settings.ts";
import { folderWith, namedPipe } from "../support/folder.ts";
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
  const settings = await loadSettings(options, {
    ...contextOf([]),
    environment,
    workingFolder: at(working),
    homeFolder: at(home),
    configurationFolder: `${root}/${configuration}`,
    registeredHomeFolder: () => at(registered ?? null),
  });
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

test.each<[string | undefined, string, RegExp]>([
  ["", "usage", /^--config is empty$/],
  ["none", "settings", /--config\b.* does not exist$/],
  [undefined, "settings", /REFERRAL_CONFIG\b.* does not exist$/],
])("--config %j, or else REFERRAL_CONFIG, is an error: %s", async (config, kind, message) => {
  const hint = expect.stringMatching(kind === "usage" ? /^Write a path after it, or use --no-config$/ : "");
  const error = { kind, message: expect.stringMatching(message), hint };
  await expect(loaded(two, {}, { config }, { REFERRAL_CONFIG: "none" })).rejects.toMatchObject(error);
});

test("wrong usage of a flag is an error at once, and an invalid setting only when it is used", async () => {
  const usage = { kind: "usage" };
  await expect(loaded({}, {}, { timeout: "soon" })).rejects.toMatchObject(usage);
  await expect(loaded({}, {}, { baseUrl: "nowhere", retry: "x" })).rejects.toMatchObject(usage);
  const { settings } = await loaded({}, {}, { baseUrl: "nowhere" });
  expect(settings.shared.get("baseUrl").problem).toMatchObject({ kind: "settings" });
});

test("the top level of the rc file and a profile set each thing once", async () => {
  const both = { token: "a", tokenFile: "b" };
  const error = { kind: "settings", message: expect.stringMatching(/set the same thing$/) };
  await expect(loaded({ [inHome]: both })).rejects.toMatchObject(error);
  const { settings } = await loaded({ [inHome]: { profiles: { p: both } } });
  expect(() => settings.of({ profile: "p", own: null })).toThrow(expect.objectContaining(error));
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

  test.each<[object, Options, string]>([
    [{}, { all: true }, "--all checks every profile, and there is no rc file"],
    [{}, { profile: ["a"] }, "A profile is chosen, and there is no rc file"],
    [home, { all: true }, "--all checks every profile, and RC has none"],
    [home, { profile: ["a"] }, "The rc file RC has no such profile"],
  ])("must exist: with the files %j and the options %j", async (files, options, message) => {
    const error = await loaded({ ...files }, {}, options).catch((error) => error);
    const said = error.message.replace(/\/\S+\.referralrc/, "RC");
    const hint = 'Name an rc file with --config, or add the key "profiles" to .referralrc';
    expect([error.kind, said, error.hint]).toEqual(["settings", message, hint]);
  });

  test.each(["--config", "REFERRAL_CONFIG"])("a pipe that %s names says what to do", async (place) => {
    const path = namedPipe();
    const isFlag = place === "--config";
    const run = loaded({}, {}, isFlag ? { config: path } : {}, isFlag ? {} : { REFERRAL_CONFIG: path });
    await expect(run).rejects.toMatchObject({
      message: `The rc file ${path} is not a regular file`,
      hint: "Write its content into a file of your own (mode 600), and name that file",
    });
  });

  const twelve = Array.from({ length: 12 }, (_, index) => `p${index}`);
  const nort = "The file has: north, p0, p1, p2, p3, p4, p5, p6, p7, p8, and 3 more";
  const prod = "The file has: eu-Prod, production, p0, p1, p2, p3, p4, p5, p6, p7, and 4 more";
  test.each<[readonly string[], readonly string[], string]>([
    [["north", "nort"], ["north", ...twelve], nort],
    [["prod"], [...twelve, "eu-Prod", "production"], prod],
    [["zzzzzz"], ["north"], "The file has: north"],
    [["prod"], ["eu-prod", "prd"], "The file has: prd, eu-prod"],
    [["tset"], ["test"], "The file has: test"],
    [["dxx"], ["dev"], "The file has: dev"],
    [["s3cre"], ["of s3cret", "north"], "The file has: north, and 1 more"],
  ])("must exist, and the error for %j lists ten, the nearest first, none with a secret", async (...row) => {
    const [profile, names, hint] = row;
    const rc = { secret: "s3cret", profiles: Object.fromEntries(names.map((name) => [name, {}])) };
    await expect(loaded({ [inHome]: rc }, {}, { profile })).rejects.toMatchObject({ hint });
  });
});
