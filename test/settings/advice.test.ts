import { expect, test } from "vitest";
import { unusedBaseUrl } from "../../src/settings/advice.ts";
import { fix, flag, nowSet, setTo, theBaseUrl } from "../../src/settings/fix.ts";
import type { Level } from "../../src/settings/levels.ts";
import { flagLevel } from "../../src/settings/run-settings.ts";
import { file, level, rcSource, settingsInWords, settingsOf, type Values, variables } from "./settings-of.ts";

const path = "/yours/.referralrc";
const given = (...levels: readonly Level[]) => settingsOf(levels);
const yours = (values: Values) => file("yours", values);
const digest = { digest: "hex-digest" };
const inJson = level(digest, (key) => ({ ...rcSource(key), file: "/a.json" }));
const rc = { path, shown: path, trust: "yours", top: new Map(), profiles: new Map() } as const;
const profile = "live";
const inLine = "Set hash to x for this account in the file of --accounts (not set now)";

test.each([
  ["digest", given(flagLevel(digest), variables(digest)), "Use --digest x (now set by --digest)"],
  ["digest", given(variables(digest), yours(digest)), "Use --digest x (now set by REFERRAL_DIGEST)"],
  ["digest", given(yours(digest)), `Write digest: x at ${path}:3 (now set there)`],
  ["digest", given(inJson), 'Write "digest": "x" at /a.json:3 (now set there)'],
  ["hash", given(), "Use --hash x, or set REFERRAL_HASH=x (not set now)"],
  ["hash", settingsOf([], { rc }), `Write hash: x into ${path} (not set now)`],
  ["hash", settingsOf([], { rc, profile }), `Write hash: x into ${path}, below this profile (not set now)`],
  ["hash", settingsOf([], { rc, profile, chosenBy: "line" }), inLine],
] as const)(
  "a fix of %s changes it where it is set, and a default in the rc file if there is one",
  (...row) => {
    const [setting, settings, fix] = row;
    expect(settingsInWords(settings).inWords(setTo(setting, "x"))).toBe(fix);
  },
);

test("a fix names flags in the words of its reader, and places as they are set now", () => {
  const host = fix`Check the host ${nowSet("baseUrl")} or ${flag("proxy")}, as ${"{baseUrl} --proxy"} says ${2} times`;
  const levels = [level({ baseUrl: "x" }, () => ({ kind: "option", option: "baseUrl" }))];
  expect(
    [settingsInWords(given()), settingsInWords(settingsOf(levels, { reader: "library" }))].map((one) =>
      one.inWords(host),
    ),
  ).toEqual([
    "Check the host (now set by the default) or --proxy, as {baseUrl} --proxy says 2 times",
    "Check the host (now set by baseUrl) or option proxy, as {baseUrl} --proxy says 2 times",
  ]);
});

test("a place is named once in a report, as path:line in a file, and so is a setting by its key there", () => {
  const shown = level({ token: "t", baseUrl: "u" }, (key) => ({ ...rcSource(key), shown: "rc.yaml" }));
  const { inWords } = settingsInWords(given(shown));
  const [copy, check] = [fix`Copy ${nowSet("token")}, again`, fix`Check ${theBaseUrl}: twice`];
  expect([copy, check].map((one) => inWords(one))).toEqual([
    "Copy (rc.yaml:3), again",
    "Check baseUrl (rc.yaml:3): twice",
  ]);
  const told = new Set(["other.yaml:3"]);
  expect([check, check, copy].map((one) => inWords(one, told))).toEqual([
    "Check baseUrl (rc.yaml:3): twice",
    "Check baseUrl: twice",
    "Copy, again",
  ]);
  const byFlag = settingsInWords(given(flagLevel({ baseUrl: "u" })));
  expect(byFlag.inWords(check)).toBe("Check the base URL (now set by --base-url): twice");
});

test("a credential of two parts is set in two places", () => {
  const advice = settingsInWords(given(flagLevel({ username: "u" }), variables({ secret: "s" })));
  expect(advice.inWords(fix`Compare it ${nowSet("username", "secret")}`)).toBe(
    "Compare it (now set by --username and REFERRAL_SECRET)",
  );
});

test("the place of a secret is that of the setting which gives it", () => {
  const advice = settingsInWords(given(yours({ secretFile: "x" })));
  expect(advice.placeOf("secret")).toBe(`secretFile at ${path}:3`);
  expect(advice.placeOf("digest")).toBe("the default");
});

const [mine, other] = ["https://mine.example", "https://other.example"];
const variable = variables({ baseUrl: mine });
const unused = `REFERRAL_BASEURL is set and not used where the base URL is baseUrl at ${path}:3`;
test.each([
  ["hidden by another", [yours({ baseUrl: other }), variable], unused],
  ["hidden by the same, written differently", [yours({ baseUrl: `${mine}/` }), variable], null],
  ["hidden by a flag", [flagLevel({ baseUrl: other }), variable], null],
  ["that counts", [variable, yours({ baseUrl: other })], null],
  ["that is not set", [yours({ baseUrl: other })], null],
  ["without any", [], null],
])("REFERRAL_BASE_URL %s", (_, levels, expected) => {
  expect(unusedBaseUrl(settingsOf(levels))).toBe(expected);
});
