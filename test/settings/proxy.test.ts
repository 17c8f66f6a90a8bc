import { expect, test } from "vitest";
import type { Level } from "../../src/settings/levels.ts";
import { flagLevel } from "../../src/settings/run-settings.ts";
import type { Context } from "../../src/system/context.ts";
import { file, settingsOf } from "./settings-of.ts";

const https = "https://api.example.com/v1";
const http = "http://api.example.com";

/** The host of the proxy that a flag, these variables and an rc file name for a base URL; null for none. */
const proxyOf = (...given: Parameters<typeof proxySettings>) =>
  proxySettings(...given).value("proxy")?.host ?? null;

function proxySettings(
  variables: Context["environment"],
  baseUrl: string | null = https,
  flag?: string,
  rc?: string,
) {
  const environment: Level = new Map();
  const flags = flagLevel({ proxy: flag });
  const [own, last] = [rc === undefined ? {} : { proxy: rc }, baseUrl === null ? {} : { baseUrl }];
  const levels = [flags, environment, file("yours", own), flagLevel(last)];
  return settingsOf(levels, { environment, variables });
}

const all = { https_proxy: "secure", http_proxy: "clear" };

// test/settings/precedence.test.ts has the levels, test/settings/run-settings.test.ts the base URLs.
test.each<[string, string | null, ...Parameters<typeof proxyOf>]>([
  ["the rc file if the variable is empty", "file", { https_proxy: "" }, https, undefined, "file"],
  ["the rc file if NO_PROXY names the host", "file", { ...all, no_proxy: "*" }, https, undefined, "file"],
  ["the flag, even without a base URL", "flag", all, null, "flag"],
  ["the flag, even if the base URL is invalid", "flag", all, "x", "flag"],
  ["the lower case first", "lower", { HTTPS_PROXY: "upper", https_proxy: "lower" }],
  ["no variable of the other scheme", null, { http_proxy: "a", HTTP_PROXY: "b" }],
  ["no variable of the other scheme, for http://", null, { https_proxy: "a", HTTPS_PROXY: "b" }, http],
])("the proxy that counts is %s", (_, host, ...given) => {
  expect(proxyOf(...given)).toBe(host);
});

test.each([
  ["http_proxy", { http_proxy: "p:1" }, undefined],
  ["HTTP_PROXY", { HTTP_PROXY: "p:1" }, undefined],
  ["--proxy", {}, "p:1"],
])(
  "a proxy of an http:// base URL could read the credential, so it is refused: %s",
  (name, variables, flag) => {
    const message = `${name} is set, and a proxy could read a request to an http:// base URL`;
    const hint = "Use an https:// base URL, or remove the proxy";
    const refusal = expect.objectContaining({ kind: "settings", message, hint });
    expect(() => proxyOf(variables, http, flag)).toThrow(refusal);
  },
);

/** Entries of NO_PROXY by the base URL: those that name it, and those that do not. */
const entries: Readonly<Record<string, readonly [names: readonly string[], others: readonly string[]]>> = {
  [https]: [
    [
      ...["*", "API.Example.com", ".example.com", "*.example.com", "com", "api.example.com:443"],
      ...["other.example.com,api.example.com", ", ,\tapi.example.com\n", ".EXAMPLE.com.:443"],
    ],
    [
      ...["", ".", "*.", "**", "x*.example.com", "ample.com", "api.example.co", "v1.api.example.com"],
      ...["api.example.com.:80", "api.example.com:4430", "10.0.0.0/8", "http://api.example.com"],
    ],
  ],
  "https://api.example.com.": [
    ["api.example.com", "example.com"],
    [",", "*.", "."],
  ],
  "https://api.example.com:8443": [["api.example.com:8443"], ["api.example.com:443"]],
  "https://[2001:db8::1]": [
    [
      ...["2001:DB8:0:0::1", "fe80::1%eth0,2001:db8::1", "[2001:db8::1]:443", "[2001:db8:0:0:0:0:0:1]"],
      ...["2001:DB8::/32", "[2001:db8::]/32", "[2001:db8::/32]", "[2001:db8::]/32:443"],
    ],
    ["2001:db8::2", "[2001:db8::1]:80", "0.0.0.0/0", "2001:db9::/32", "2001:db8::/32:80", "2001:db8::/129"],
  ],
  "https://[::ffff:10.1.2.3]": [["10.0.0.0/8"], []],
  "https://10.1.2.3": [
    ["10.0.0.0/8", "10.1.2.3/32", "10.0.0.0/8:443", "0.0.0.0/0"],
    // An address is no domain of its last numbers.
    ["11.0.0.0/8", "10.0.0.0", "10.1.2.3/33", "11.1/16", "10.0.0.0/8:80", "2.3"],
  ],
  "https://xn--mnchen-3ya.example": [["MÜNCHEN.example"], []],
};

test.each(Object.entries(entries))("NO_PROXY names %s by %j", (baseUrl, [names, others]) => {
  const bypassed = (no_proxy: string) => proxyOf({ https_proxy: "p", no_proxy }, baseUrl) === null;
  expect(names.filter((list) => !bypassed(list))).toEqual([]);
  expect(others.filter(bypassed)).toEqual([]);
});

test("in NO_PROXY, the port of http:// is 80 where none is written", () => {
  const proxied = (no_proxy: string) => () => proxyOf({ http_proxy: "p", no_proxy }, http);
  expect(proxied("api.example.com:80")()).toBeNull();
  expect(proxied("api.example.com:443")).toThrow("http_proxy is set");
});

test("no_proxy counts before NO_PROXY, unless it is empty", () => {
  const proxied = (more: Context["environment"]) => proxyOf({ https_proxy: "p", ...more });
  expect(proxied({ no_proxy: "other", NO_PROXY: "*" })).toBe("p");
  expect(proxied({ no_proxy: "", NO_PROXY: "*" })).toBeNull();
  expect(proxied({ NO_PROXY: "*" })).toBeNull();
});
