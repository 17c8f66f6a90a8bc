import fc from "fast-check";
import { expect, test } from "vitest";
import { Hints } from "../../src/settings/advice.ts";
import type { Method } from "../../src/settings/definition.ts";
import { environmentProxy, type Level } from "../../src/settings/levels.ts";
import { flagLevel } from "../../src/settings/run-settings.ts";
import { file, settingsOf, type Values, variables } from "../settings/settings-of.ts";

const path = "/yours/.referralrc";
const yours = (values: Values) => file("yours", values);
const token = variables({ token: "a" });
test.each([
  ["another value", [token, yours({ token: "b" })], "token"],
  ["the same value", [token, yours({ token: "a" })], null],
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

const networkNames = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "ALL_PROXY"];
const certificateNames = ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE"];

test("each variable for proxies and certificates that is set is listed once, and NO_PROXY by the matcher that decides", () => {
  const names = "p.example:1 example.com * b.example .example.com:8443 10.0.0.0/8".split(" ");
  const value = fc.constantFrom("", ...names);
  const spelt = fc.constantFrom(
    ...networkNames,
    ...networkNames.map((one) => one.toLowerCase()),
    ...certificateNames,
  );
  fc.assert(
    fc.property(fc.dictionary(spelt, value), fc.boolean(), fc.boolean(), (given, isFlag, isAtTls) => {
      const flags = flagLevel({ baseUrl: "https://a.example.com", ...(isFlag && { proxy: "p:2" }) });
      const level: Level = new Map();
      const settings = settingsOf([flags, level], { environment: level, variables: given });
      const said = new Hints(settings, "token", true).networkVariables(isAtTls ? { stored: null } : null);
      const doesOf = (name: string): string | undefined =>
        said
          .find((one) => one.split(" ").some((word) => word.toUpperCase() === name))
          ?.replace(/^.* set and /, "");
      // Where no TLS is begun, no certificate matters.
      const names = [...networkNames, ...(isAtTls ? certificateNames : [])];
      const isSet = (name: string) => Boolean(given[name] || given[name.toLowerCase()]);
      const named = [...networkNames, ...certificateNames].filter((name) => doesOf(name) !== undefined);
      expect(named).toEqual(names.filter(isSet));
      const baseUrl = settings.get("baseUrl").value;
      const [proxied, direct] = [given, { ...given, NO_PROXY: "", no_proxy: "" }].map(
        (some) => baseUrl && environmentProxy(some)(baseUrl),
      );
      const isNamed = doesOf("NO_PROXY")?.startsWith("names this host") ?? false;
      if (direct) expect(isNamed).toBe(proxied === null);
      if (isSet("HTTPS_PROXY")) expect(doesOf("HTTPS_PROXY")).toBe(!isFlag && proxied ? "used" : "not used");
      for (const name of ["HTTP_PROXY", "ALL_PROXY", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE"])
        expect([undefined, "not used"]).toContain(doesOf(name));
    }),
  );
  const library = new Hints(settingsOf([]), "token", true).networkVariables({ stored: 3 });
  expect(library).toEqual([
    "SSL_CERT_FILE is set and replaces the certificates of this system and of Node.js (3 in its file)",
  ]);
});

test("a diagnosis can try a token that is set beside the secret, wherever it stands", () => {
  const isSpare = (levels: readonly Level[], method: Method) =>
    new Hints(settingsOf(levels), method, true).hasSpareToken;
  expect(isSpare([token], "wsse")).toBe(true);
  expect(isSpare([flagLevel({ tokenFile: "a" })], "wsse")).toBe(true);
  expect([isSpare([token], "token"), isSpare([], "wsse")]).toEqual([false, false]);
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
