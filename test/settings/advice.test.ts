import { expect, test } from "vitest";
import { adviceFor } from "../../src/settings/advice.ts";
import type { Level, SettingText } from "../../src/settings/levels.ts";
import type { Source } from "../../src/settings/source.ts";

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
  expect(adviceFor(levels, { path: file }, null).fixFor("digest", "base64-nonce")).toBe(fix);
});

test.each([
  [null, null, "Use --hash sha256, or set REFERRAL_HASH=sha256 (not set now)"],
  [{ path: file }, null, `Write hash: sha256 into ${file} (not set now)`],
  [{ path: file }, "live", `Write hash: sha256 into ${file}, below this profile (not set now)`],
])("a default is changed in the rc file if there is one: %j, profile %j", (rcFile, profile, fix) => {
  expect(adviceFor([flag], rcFile, profile).fixFor("hash", "sha256")).toBe(fix);
});

test("the place of a secret is that of the setting which gives it", () => {
  const { placeOf } = adviceFor([level({ ...rc, key: "secretFile" }, "secretFile")], null, null);
  expect(placeOf("secret")).toBe(`secretFile in ${file}, line 3`);
  expect(placeOf("digest")).toBe("the default");
});
