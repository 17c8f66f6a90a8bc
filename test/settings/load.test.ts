import { describe, expect, test } from "vitest";
import type { Options } from "../../src/settings/run-settings.ts";
import { loaded, type Places } from "./loaded.ts";

const rc = { timeout: 5 };
const [inTree, inHome] = ["tree/.referralrc", "home/.referralrc"];
const [home, tree] = [{ [inHome]: rc }, { [inTree]: rc }];
const homeCheckout = { ...home, "home/.git/HEAD": "" };
const configuration = "home/.config/referral/config.json";
const [found, yours, foundHome] = [
  [inTree, "found"],
  [inHome, "yours"],
  [inHome, "found"],
] as const;

test.each<[string, Readonly<Record<string, unknown>>, Places, readonly [string, string] | null]>([
  ["none", {}, {}, null],
  ["that of the working tree first", { ...tree, ...home }, {}, found],
  ["that of a folder above", tree, { working: "tree/a/b" }, found],
  [
    "that of a folder above, where the working folder is gone but known",
    tree,
    { working: "tree/gone" },
    found,
  ],
  ["that of the home folder", home, {}, yours],
  ["the same from inside it", home, { working: "home" }, yours],
  ["the same by way of a link", home, { working: "home", home: "link/" }, yours],
  ["the same written with ..", home, { working: "link", home: "tree/../home" }, yours],
  ["none of a home folder that is missing", home, { home: null, configuration: "x" }, null],
  ["none of a working folder that is gone", tree, { working: null }, null],
  ["that of a home folder in a checkout", homeCheckout, {}, foundHome],
  ["the same, which the system names", homeCheckout, { registered: "home" }, yours],
  ["the same, which the system names by a link", homeCheckout, { registered: "link" }, yours],
  ["the same, where the system names another", homeCheckout, { registered: "tree" }, foundHome],
  ["that of the configuration folder", { [configuration]: rc }, {}, [configuration, "yours"]],
  [
    "the same in a checkout of its own",
    { "c/.git/HEAD": "", "c/referral/config": rc },
    { configuration: "c/referral" },
    ["c/referral/config", "found"],
  ],
  [
    "none of a configuration folder without a home folder",
    { "c/referral/config": rc },
    { home: null, configuration: "c/referral" },
    null,
  ],
])("the rc file in use is %s", async (_, files, places, expected) => {
  expect((await loaded(files, places)).rc).toEqual(expected);
});

describe("--config", () => {
  const files = { "tree/.referralrc": rc, "tree/other": rc };

  test.each<[Options["config"], Readonly<Record<string, string>>, readonly [string, string] | null]>([
    ["other", {}, ["tree/other", "yours"]],
    [undefined, { REFERRAL_CONFIG: "other" }, ["tree/other", "yours"]],
    [undefined, { REFERRAL_CONFIG: "" }, ["tree/.referralrc", "found"]],
    [".referralrc", { REFERRAL_CONFIG: "other" }, ["tree/.referralrc", "yours"]],
    [false, { REFERRAL_CONFIG: "other" }, null],
  ])("%j with the variables %j is the file %j", async (config, environment, expected) => {
    expect((await loaded(files, {}, { config }, environment)).rc).toEqual(expected);
  });

  test.each([
    [
      "",
      {},
      { kind: "usage", message: "--config is empty", hint: "Write a path after it, or use --no-config" },
    ],
    ["none", {}, { kind: "settings", message: expect.stringMatching(/--config\b.* does not exist$/) }],
    [
      undefined,
      { REFERRAL_CONFIG: "none" },
      { message: expect.stringMatching(/REFERRAL_CONFIG\b.* does not exist$/) },
    ],
  ])("%j with the variables %j is an error", async (config, environment, error) => {
    await expect(loaded(files, {}, { config }, environment)).rejects.toMatchObject(error);
  });
});

test("wrong usage of a flag is an error at once, and an invalid setting only when it is used", async () => {
  await expect(loaded({}, {}, { timeout: "soon" })).rejects.toMatchObject({ kind: "usage" });
  await expect(loaded({}, {}, { baseUrl: "nowhere", retry: "x" })).rejects.toMatchObject({
    kind: "usage",
  });
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

const none = 'Name an rc file with --config, or add the key "profiles" to .referralrc';

describe("the accounts", () => {
  const files = { "home/.referralrc": { profiles: { a: {}, b: {} } } };

  test.each<[Options, Readonly<Record<string, string>>, ReadonlyArray<string | null>]>([
    [{}, {}, [null]],
    [{}, { REFERRAL_PROFILE: "b" }, ["b"]],
    [{}, { REFERRAL_PROFILE: "" }, [null]],
    [{ profile: ["b", "a", "b"] }, { REFERRAL_PROFILE: "a" }, ["b", "a"]],
    [{ all: true }, {}, ["a", "b"]],
    [{ accounts: "-" }, { REFERRAL_PROFILE: "b" }, []],
  ])("of the options %j and the variables %j are %j", async (options, environment, expected) => {
    expect((await loaded(files, {}, options, environment)).settings.profiles).toEqual(expected);
  });

  test.each<[string, object | null, Options, string, string]>([
    ["no rc file", null, { all: true }, "--all checks every profile, and there is no rc file", none],
    ["no rc file", null, { profile: ["a"] }, "A profile is chosen, and there is no rc file", none],
    ["no profile", rc, { all: true }, "--all checks every profile, and RC has none", none],
    ["no profile", rc, { profile: ["a"] }, "The rc file RC has no such profile", none],
  ])("must exist: where there is %s", async (_, rc, options, message, hint) => {
    const error = await loaded(rc === null ? {} : { [inHome]: rc }, {}, options).catch((error) => error);
    const said = error.message.replace(/\/\S+\.referralrc/, "RC");
    expect([error.kind, said, error.hint]).toEqual(["settings", message, hint]);
  });

  const profiles = (...names: readonly string[]) => ({
    profiles: Object.fromEntries(names.map((name) => [name, {}])),
  });
  const twelve = Array.from({ length: 12 }, (_, index) => `p${index}`);
  test.each<[readonly string[], object, string]>([
    [
      ["north", "nort"],
      profiles("north", ...twelve),
      "Did you mean north? The file has: north, p0, p1, p2, p3, p4, p5, p6, p7, p8, and 3 more",
    ],
    [
      ["prod"],
      profiles(...twelve, "eu-Prod", "production"),
      "The file has: eu-Prod, production, p0, p1, p2, p3, p4, p5, p6, p7, and 4 more",
    ],
    [["zzzzzz"], profiles("north"), "The file has: north"],
    [["s3cre"], { secret: "s3cret", ...profiles("of s3cret", "north") }, "The file has: north, and 1 more"],
  ])("must exist, and the error for %j lists ten, the nearest first, none with a secret", async (...row) => {
    const [profile, rc, hint] = row;
    await expect(loaded({ [inHome]: rc }, {}, { profile })).rejects.toMatchObject({ hint });
  });
});
