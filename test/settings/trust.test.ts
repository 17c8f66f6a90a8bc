import { join } from "node:path";
import { expect, test } from "vitest";
import { levelOf } from "../../src/settings/levels.ts";
import { trustOfPlace } from "../../src/settings/rc-file.ts";
import type { RcPlace } from "../../src/settings/rc-search.ts";
import type { Settings } from "../../src/settings/resolve.ts";
import { describePart, describeSource, type Source, type Trust, trustOf } from "../../src/settings/source.ts";
import type { SettingName } from "../../src/settings/table.ts";
import { rcSource, settingsOf } from "./settings-of.ts";

const found: Source = rcSource("k", "found");
const yours: readonly Source[] = [
  { kind: "flag", flag: "--given" },
  { kind: "environment", variable: "REFERRAL_GIVEN" },
  { kind: "default" },
  { kind: "option", option: "credential.token" },
  { kind: "account-line", place: "line 1 of --accounts", key: "token" },
  rcSource("k"),
];
const sources = [...yours, found];

test("messages name every source, and the part of a credential if its source does not", () => {
  const [line, rc] = ["token in line 1 of --accounts", "k at /yours/.referralrc:3"];
  const names = ["--given", "REFERRAL_GIVEN", "the default", "credential.token"];
  expect(yours.map(describeSource)).toEqual([...names, line, rc]);
  const parts = [...names.map((name) => `token from ${name}`), line, `token from ${rc}`];
  expect(yours.map((source) => describePart("token", source))).toEqual(parts);
});

const parts = ["baseUrl", "proxy", "extraCertificates"] as const;
const words = {
  baseUrl: "to the base URL",
  proxy: "through the proxy",
  extraCertificates: "with the CA certificates",
};
const flags = { baseUrl: "--base-url", proxy: "--proxy", extraCertificates: "--ca-cert" };
const texts = { baseUrl: "https://api.example", proxy: "http://proxy.example", extraCertificates: "ca.pem" };

/** Settings with this route; a base URL of yours unless it is set. */
function routed(route: Partial<Record<(typeof parts)[number], Source>>) {
  const set = Object.entries({ baseUrl: yours[0], ...route }) as [(typeof parts)[number], Source][];
  return settingsOf([levelOf(set.map(([setting, source]) => ({ setting, text: texts[setting], source })))]);
}

test("a credential of yours is sent only by a route that is yours in every part; a found one is sent by any", () => {
  const all = (source: Source) => routed({ baseUrl: source, proxy: source, extraCertificates: source });
  for (const setting of ["token", "username", "secret", "tokenFile", "secretFile"] as const)
    for (const source of sources) {
      // A secret in a file that a found rc file names is yours.
      const isFound = source === found && !setting.endsWith("File");
      const refusal = (settings: Settings) => settings.travelRefusal({ setting, source, text: "x" });
      for (const own of yours) expect(refusal(all(own))).toBeNull();
      for (const part of parts) {
        const said = refusal(routed({ [part]: found }))?.message ?? null;
        if (isFound) expect(said).toBeNull();
        else expect(said).toContain(`is not sent ${words[part]}`);
      }
    }
  expect(sources.filter((source) => trustOf(source) === "found")).toEqual([found]);
});

test.each(parts)("a refusal over %s names both sources, the flag that allows it and --config", (part) => {
  const told = (setting: SettingName, source: Source) =>
    routed({ [part]: found }).travelRefusal({ setting, source, text: "x" });
  const place = `is yours and is not sent ${words[part]} at /found/.referralrc:3: that rc file was only found in the working tree`;
  const hint = `If you trust it, give ${flags[part]} yourself, or name the file with --config /found/.referralrc`;
  const message = `REFERRAL_TOKEN ${place}`;
  const refusal = told("token", { kind: "environment", variable: "REFERRAL_TOKEN" });
  expect(refusal).toMatchObject({ kind: "settings", message, hint });
  // The setting is not yours, but the file that it names is.
  expect(told("tokenFile", found)?.message).toBe(`The file that k at /found/.referralrc:3 names ${place}`);
  expect(told("tokenFile", rcSource("k"))?.message).toBe(`k at /yours/.referralrc:3 ${place}`);
});

test.each<[baseUrl: string, source: Source, certificates: Source, refused: string | null]>([
  ["http://127.0.0.1:1", found, found, words.baseUrl],
  // Only TLS needs certificates.
  ["http://127.0.0.1:1", rcSource("k"), found, null],
  ["https://127.0.0.1:1", rcSource("k"), found, words.extraCertificates],
  ["not a URL", rcSource("k"), found, words.extraCertificates],
])("a base URL %s of %j with certificates of %j is refused: %j", (baseUrl, source, certificates, refused) => {
  const settings = settingsOf([
    levelOf([
      { setting: "baseUrl", text: baseUrl, source },
      { setting: "extraCertificates", text: "ca.pem", source: certificates },
    ]),
  ]);
  const said = settings.travelRefusal({ setting: "token", source: rcSource("token"), text: "x" });
  expect(said?.message ?? null).toEqual(
    refused === null ? null : expect.stringContaining(`is not sent ${refused}`),
  );
});

test("without a base URL nothing is sent anywhere", () => {
  const refusal = settingsOf([]).travelRefusal({ setting: "token", source: found, text: "x" });
  const [message, hint] = ["No base URL is set", "Give one with --base-url"];
  expect(refusal).toMatchObject({ kind: "settings", message, hint });
});

// What is yours of home and configuration, by where `.git` lies. test/settings/load.test.ts has links and missing folders.
test.each<[RcPlace["place"], string, Partial<Record<"home" | "registered" | "git", string>>, Trust]>([
  ["home", "/a/me/.referralrc", { home: "/a/me" }, "yours"],
  ["home", "/a/me/.referralrc", { home: "/a/me", git: "/a/me" }, "found"],
  ["home", "/a/me/.referralrc", { home: "/a/me", git: "/a" }, "found"],
  ["home", "/a/me/.referralrc", { home: "/a/me", git: "/" }, "found"],
  ["home", "/a/me/.referralrc", { home: "/a/me", git: "/a/me", registered: "/a/me" }, "yours"],
  ["home", "/a/me/.referralrc", { home: "/a/me", git: "/a/me", registered: "/a" }, "found"],
  ["home", "/a/me/.referralrc", { home: "/a/me", git: "/b" }, "yours"],
  ["home", "/a/me/sub/.referralrc", { home: "/a/me/sub", git: "/a/me", registered: "/a/me" }, "found"],
  ["configuration", "/c/x/config", {}, "yours"],
  ["configuration", "/c/x/config", { git: "/c/x" }, "found"],
  ["configuration", "/c/x/config", { home: "/a/me", git: "/" }, "found"],
  ["configuration", "/a/me/.config/x/config", { home: "/a/me", git: "/a/me/.config/x" }, "found"],
  ["configuration", "/a/me/.config/x/config", { home: "/a/me", git: "/a/me/.config" }, "yours"],
  ["configuration", "/a/me/x/config", { home: "/a/me", git: "/a/me" }, "found"],
  ["configuration", "/a/me/x/config", { home: "/a/me", git: "/a/me", registered: "/a/me" }, "yours"],
  ["configuration", "/a/me/x/config", { home: "/b", git: "/a/me", registered: "/a/me" }, "yours"],
  ["configuration", "/a/me/x/config", { home: "/a/me", git: "/a", registered: "/a/me" }, "yours"],
  ["configuration", "/a/me/sub/x/config", { home: "/a/me", git: "/a/me/sub" }, "found"],
  ["tree", "/a/me/sub/.referralrc", { home: "/a/me", registered: "/a/me" }, "found"],
])("the %s file %s with %j is %s", (place, path, { home = null, registered = null, git }, trust) => {
  const system = {
    registeredHomeFolder: () => registered,
    realPath: (folder: string) => folder,
    fileExists: (file: string) => git !== undefined && file === join(git, ".git"),
  };
  expect(trustOfPlace({ path, place }, home, system)).toBe(trust);
});
