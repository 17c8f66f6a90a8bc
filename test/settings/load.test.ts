import { describe, expect, test } from "vitest";
import type { Options } from "../../src/settings/run-settings.ts";
import { loaded, type Places } from "./loaded.ts";

const git = { "home/.git/HEAD": "" };
const rc = { timeout: 5 };

test.each<[string, Readonly<Record<string, unknown>>, Places, readonly [string, string] | null]>([
  ["none", {}, {}, null],
  [
    "that of the working tree first",
    { "tree/.referralrc": rc, "home/.referralrc": rc },
    {},
    ["tree/.referralrc", "found"],
  ],
  [
    "that of a folder above",
    { "tree/.referralrc": rc },
    { working: "tree/a/b" },
    ["tree/.referralrc", "found"],
  ],
  ["that of the home folder", { "home/.referralrc": rc }, {}, ["home/.referralrc", "yours"]],
  ["the same from inside it", { "home/.referralrc": rc }, { working: "home" }, ["home/.referralrc", "yours"]],
  [
    "the same by way of a link",
    { "home/.referralrc": rc },
    { working: "home", home: "link/" },
    ["home/.referralrc", "yours"],
  ],
  [
    "the same written with ..",
    { "home/.referralrc": rc },
    { working: "link", home: "tree/../home" },
    ["home/.referralrc", "yours"],
  ],
  [
    "none of a home folder that is missing",
    { "home/.referralrc": rc },
    { home: null, configuration: "x" },
    null,
  ],
  ["none of a working folder that is gone", { "tree/.referralrc": rc }, { working: null }, null],
  [
    "that of a home folder in a checkout",
    { ...git, "home/.referralrc": rc },
    {},
    ["home/.referralrc", "found"],
  ],
  [
    "the same, which the system names",
    { ...git, "home/.referralrc": rc },
    { registered: "home" },
    ["home/.referralrc", "yours"],
  ],
  [
    "the same, which the system names by a link",
    { ...git, "home/.referralrc": rc },
    { registered: "link" },
    ["home/.referralrc", "yours"],
  ],
  [
    "the same, where the system names another",
    { ...git, "home/.referralrc": rc },
    { registered: "tree" },
    ["home/.referralrc", "found"],
  ],
  [
    "that of the configuration folder",
    { "home/.config/referral/config.json": rc },
    {},
    ["home/.config/referral/config.json", "yours"],
  ],
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

test("the top level of the rc file sets each thing once", async () => {
  const both = { "home/.referralrc": { token: "a", tokenFile: "b" } };
  await expect(loaded(both)).rejects.toMatchObject({ kind: "settings", message: /set the same thing$/ });
});

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

  test("must exist", async () => {
    await expect(loaded(files, {}, { profile: ["a", "c"] })).rejects.toMatchObject({ kind: "settings" });
    await expect(loaded({}, {}, { all: true })).rejects.toMatchObject({
      kind: "settings",
      message: "--all checks every profile, and there is no rc file",
    });
    await expect(loaded({ "home/.referralrc": rc }, {}, { all: true })).rejects.toMatchObject({
      message: expect.stringMatching(/^--all checks every profile, and \/\S+\/home\/\.referralrc has none$/),
    });
  });
});
