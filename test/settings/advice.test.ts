import { describe, expect, test } from "vitest";
import {
  cutByComment,
  hiddenByEnvironment,
  SettingsAdvice,
  setByFoundFile,
  unusedBaseUrl,
} from "../../src/settings/advice.ts";
import type { Level, SettingText } from "../../src/settings/levels.ts";
import { flagLevel } from "../../src/settings/run-settings.ts";
import type { Source } from "../../src/settings/source.ts";
import { rcAt, settingsOf } from "./settings-of.ts";

const file = "/home/me/.referralrc";
const rc = { kind: "rc", file, line: 3, key: "digest", trust: "yours" } as const satisfies Source;
const level = (source: Source, setting: SettingText["setting"] = "digest"): Level =>
  new Map([[setting, { setting, text: "hex-digest", source }]]);
const flag = level({ kind: "flag", flag: "--digest" });
const variable = level({ kind: "environment", variable: "REFERRAL_DIGEST" });

test.each([
  ["a flag", [flag, variable], "Use --digest base64-nonce (now set by --digest)"],
  ["a variable", [variable, level(rc)], "Use --digest base64-nonce (now set by REFERRAL_DIGEST)"],
  ["an rc file", [level(rc)], `Write digest: base64-nonce into ${file}, line 3 (now set there)`],
  [
    "an rc file in JSON",
    [level({ ...rc, file: "/a.json" })],
    'Write "digest": "base64-nonce" into /a.json, line 3 (now set there)',
  ],
])("a fix changes the setting where it is set now: %s", (_, levels, fix) => {
  expect(new SettingsAdvice(settingsOf(levels, { rc: rcAt(file) })).fixFor("digest", "base64-nonce")).toBe(
    fix,
  );
});

test.each([
  [null, null, "Use --hash sha256, or set REFERRAL_HASH=sha256 (not set now)"],
  [file, null, `Write hash: sha256 into ${file} (not set now)`],
  [file, "live", `Write hash: sha256 into ${file}, below this profile (not set now)`],
])("a default is changed in the rc file if there is one: %j, profile %j", (path, profile, fix) => {
  expect(
    new SettingsAdvice(settingsOf([flag], { rc: path === null ? null : rcAt(path), profile })).fixFor(
      "hash",
      "sha256",
    ),
  ).toBe(fix);
});

test("the place of a secret is that of the setting which gives it", () => {
  const advice = new SettingsAdvice(settingsOf([level({ ...rc, key: "secretFile" }, "secretFile")]));
  expect(advice.placeOf("secret")).toBe(`secretFile in ${file}, line 3`);
  expect(advice.placeOf("digest")).toBe("the default");
});

/** A level that sets these, from a variable or from a line of the rc file. */
function levelFrom(
  kind: "environment" | "rc",
  values: Partial<Record<SettingText["setting"], string>>,
): Level {
  return new Map(
    (Object.entries(values) as Array<[SettingText["setting"], string]>).map(([setting, text]) => {
      const source: Source =
        kind === "rc" ? { ...rc, key: setting } : { kind, variable: `REFERRAL_${setting}` };
      return [setting, { setting, text, source }];
    }),
  );
}

describe("a variable that hides a value of the rc file", () => {
  const found = { by: "REFERRAL_token", place: `token in ${file}, line 3` };
  const token = levelFrom("environment", { token: "a" });

  test.each([
    ["another value", [token, levelFrom("rc", { token: "b" })], [found]],
    ["the same value", [token, levelFrom("rc", { token: "a" })], []],
    [
      "the second of two values",
      [token, levelFrom("rc", { token: "a" }), levelFrom("rc", { token: "b" })],
      [found],
    ],
    [
      "a file of the same text",
      [token, levelFrom("rc", { tokenFile: "a" })],
      [{ by: "REFERRAL_token", place: `tokenFile in ${file}, line 3` }],
    ],
    ["nothing", [token], []],
    ["another setting", [token, levelFrom("rc", { username: "b" })], []],
    ["a value that a flag hides", [flagLevel({ token: "c" }), token, levelFrom("rc", { token: "b" })], []],
    ["a value above it", [levelFrom("rc", { token: "b" }), token], []],
    ["another variable", [token, levelFrom("environment", { token: "b" })], []],
    ["where none is set", [], []],
  ])("%s", (_, levels, expected) => {
    expect(hiddenByEnvironment(settingsOf(levels), ["token"])).toEqual(expected);
  });

  test("is named for each setting that is asked for", () => {
    const settings = settingsOf([
      levelFrom("environment", { username: "a", secret: "b", hash: "c" }),
      levelFrom("rc", { username: "x", secret: "y", hash: "z" }),
    ]);
    const by = hiddenByEnvironment(settings, ["username", "secret"]).map((one) => one.by);
    expect(by).toEqual(["REFERRAL_username", "REFERRAL_secret"]);
  });
});

test("the places are known of values that a comment may cut, and of those that a found file sets", () => {
  const cut: Level = new Map([["token", { setting: "token", text: "a", source: rc, commentFollows: true }]]);
  expect(cutByComment(settingsOf([cut]), ["token", "secret"])).toEqual([`digest in ${file}, line 3`]);
  expect(cutByComment(settingsOf([flag]), ["token"])).toEqual([]);
  const found = level({ ...rc, trust: "found" });
  expect(setByFoundFile(settingsOf([found]), ["hash", "digest"])).toEqual([`digest in ${file}, line 3`]);
  for (const levels of [[flag, found], [level(rc)], []])
    expect(setByFoundFile(settingsOf(levels), ["digest"])).toEqual([]);
});

describe("REFERRAL_BASE_URL", () => {
  const [mine, other] = ["https://mine.example", "https://other.example"];
  const variable = levelFrom("environment", { baseUrl: mine });
  const unused = `REFERRAL_baseUrl is set and not used: the base URL is baseUrl in ${file}, line 3`;
  test.each([
    ["hidden by another", [levelFrom("rc", { baseUrl: other }), variable], unused],
    ["hidden by the same, written differently", [levelFrom("rc", { baseUrl: `${mine}/` }), variable], null],
    ["hidden by a flag", [flagLevel({ baseUrl: other }), variable], null],
    ["that counts", [variable, levelFrom("rc", { baseUrl: other })], null],
    ["that is not set", [levelFrom("rc", { baseUrl: other })], null],
    ["without any", [], null],
  ])("%s", (_, levels, expected) => {
    expect(unusedBaseUrl(settingsOf(levels))).toBe(expected);
  });
});
