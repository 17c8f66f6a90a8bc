import { expect, test } from "vitest";
import { Hints } from "../../src/settings/advice.ts";
import type { Method } from "../../src/settings/definition.ts";
import type { Level } from "../../src/settings/levels.ts";
import { flagLevel } from "../../src/settings/run-settings.ts";
import type { Environment } from "../../src/settings/source.ts";
import { file, settingsOf, type Values, variables } from "../settings/settings-of.ts";

const path = "/yours/.referralrc";
const yours = (values: Values) => file("yours", values);
const digest = { digest: "hex-digest" };
const token = variables({ token: "a" });
test.each([
  ["another value", [token, yours({ token: "b" })], "token"],
  ["the same value", [token, yours({ token: "a" })], null],
  ["the second of two values", [token, yours({ token: "a" }), yours({ token: "b" })], "token"],
  ["a file of the same text", [token, yours({ tokenFile: "a" })], "tokenFile"],
  ["another setting", [token, yours({ username: "b" })], null],
  ["a value that a flag hides", [flagLevel({ token: "c" }), token, yours({ token: "b" })], null],
  ["a value above it", [yours({ token: "b" }), token], null],
  ["another variable", [token, variables({ token: "b" })], null],
])("a variable that hides a value of the rc file is named: %s", (_, levels, key) => {
  const found = key === null ? [] : [{ by: "REFERRAL_TOKEN", place: `${key} at ${path}:3` }];
  expect(new Hints(settingsOf(levels), "token", true).hidden).toEqual(found);
});

test("such a variable is named for the base URL and each setting of the method", () => {
  const below = yours({ baseUrl: "w", token: "x", username: "x", secret: "y", hash: "z" });
  const above = variables({ baseUrl: "v", token: "t", username: "a", secret: "b", hash: "c" });
  const hiddenFor = (method: Method) =>
    new Hints(settingsOf([above, below]), method, true).hidden.map((one) => one.by);
  expect(hiddenFor("token")).toEqual(["REFERRAL_BASEURL", "REFERRAL_TOKEN"]);
  const names = ["BASEURL", "USERNAME", "SECRET", "HASH"];
  expect(hiddenFor("wsse")).toEqual(names.map((name) => `REFERRAL_${name}`));
});

test("the files of certificates of other programs are named that are set and not empty", () => {
  const named = (variables: Environment) =>
    new Hints(settingsOf([], { variables }), "token", true).unusedBundles;
  expect(named({ REQUESTS_CA_BUNDLE: "a", CURL_CA_BUNDLE: "b" })).toEqual([
    "CURL_CA_BUNDLE",
    "REQUESTS_CA_BUNDLE",
  ]);
  expect(named({ REQUESTS_CA_BUNDLE: "", SSL_CERT_FILE: "c" })).toEqual([]);
});

test.each<[string, string | null, Environment, Values]>([
  [
    "names the host",
    "NO_PROXY",
    { HTTPS_PROXY: "p:1", NO_PROXY: "example.com" },
    { baseUrl: "https://a.example.com" },
  ],
  [
    "names it in lower case",
    "no_proxy",
    { https_proxy: "p:1", no_proxy: "*" },
    { baseUrl: "https://a.example.com" },
  ],
  [
    "names another host",
    null,
    { HTTPS_PROXY: "p:1", NO_PROXY: "b.example" },
    { baseUrl: "https://a.example.com" },
  ],
  [
    "names the host, without a proxy",
    null,
    { NO_PROXY: "example.com" },
    { baseUrl: "https://a.example.com" },
  ],
  [
    "names the host, and --proxy is given",
    null,
    { HTTPS_PROXY: "p:1", NO_PROXY: "*" },
    { baseUrl: "https://a.example.com", proxy: "p:2" },
  ],
  ["names loopback", null, { HTTPS_PROXY: "p:1", NO_PROXY: "*" }, { baseUrl: "https://127.0.0.1" }],
])("NO_PROXY is named if it alone keeps the proxy away: it %s", (_, named, given, flags) => {
  const environment: Level = new Map();
  const settings = settingsOf([flagLevel(flags), environment], { environment, variables: given });
  expect(new Hints(settings, "token", true).bypassedProxy).toBe(named);
});

test("a diagnosis can try a token that is set beside the secret, wherever it stands", () => {
  const isSpare = (levels: readonly Level[], method: Method) =>
    new Hints(settingsOf(levels), method, true).hasSpareToken;
  expect(isSpare([token], "wsse")).toBe(true);
  expect(isSpare([flagLevel({ tokenFile: "a" })], "wsse")).toBe(true);
  expect([isSpare([token], "token"), isSpare([], "wsse")]).toEqual([false, false]);
});

test("the places are known of conventions that a found file sets", () => {
  const setIn = (levels: readonly Level[], method: Method = "wsse", isYours = true) =>
    new Hints(settingsOf(levels), method, isYours).setByFoundFile;
  const found = file("found", digest);
  expect(setIn([found])).toEqual(["digest at /found/.referralrc:3"]);
  expect([setIn([found], "wsse", false), setIn([found], "token")]).toEqual([[], []]);
  for (const levels of [[flagLevel(digest), found], [yours(digest)], []]) expect(setIn(levels)).toEqual([]);
});

const all = { ALL_PROXY: "socks5://p:1" };
const https = { baseUrl: "https://api.example.com" };
test.each<[string, string | null, Environment, Values]>([
  ["is set", "ALL_PROXY", all, https],
  ["is set in lower case", "all_proxy", { all_proxy: "p:1", ...all }, https],
  ["is empty", null, { all_proxy: "", ALL_PROXY: "" }, https],
  ["is set, and HTTPS_PROXY too", null, { ...all, HTTPS_PROXY: "p:2" }, https],
  ["is set, and --proxy is given", null, all, { ...https, proxy: "p:2" }],
  ["is not set, but HTTP_PROXY", null, { HTTP_PROXY: "p:2" }, https],
  [
    "is not set, but http_proxy, and NO_PROXY names the host",
    null,
    { http_proxy: "p:2", NO_PROXY: "*" },
    https,
  ],
  ["is not set, but HTTP_PROXY, and HTTPS_PROXY too", null, { HTTP_PROXY: "p:2", HTTPS_PROXY: "p:2" }, https],
  [
    "is not set, but HTTP_PROXY, for an http:// base URL",
    null,
    { HTTP_PROXY: "p:2" },
    { baseUrl: "http://a.example" },
  ],
  ["is set, and only HTTP_PROXY beside it", "ALL_PROXY", { ...all, HTTP_PROXY: "p:2" }, https],
  ["is set, and NO_PROXY names the host", null, { ...all, NO_PROXY: "example.com" }, https],
  ["is set, for a loopback address", null, all, { baseUrl: "https://127.0.0.1" }],
  ["is set, for an http:// base URL", null, all, { baseUrl: "http://api.example.com" }],
  ["is set, for an invalid base URL", null, all, { baseUrl: "x" }],
])("ALL_PROXY is named only if curl would use it and no proxy is used: it %s", (_, named, given, flags) => {
  const environment: Level = new Map();
  const settings = settingsOf([flagLevel(flags), environment], { environment, variables: given });
  expect(new Hints(settings, "token", true).unusedProxy).toBe(named);
});

test.each([
  ["http://user:$PASS@p:1", true],
  ["http://user:%25PASS%25@p:1", true],
  ["http://user:pa**ss@p:1", false],
  ["http://xxx:pass@p:1", false],
  ["http://p:1", false],
])("the user information of %s may be a variable or a mask: %s", (proxy, holds) => {
  expect(new Hints(settingsOf([flagLevel({ proxy })]), "token", true).proxyHoldsVariable).toBe(holds);
});
