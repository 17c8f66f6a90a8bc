import { describe, expect, test } from "vitest";
import type { Level } from "../../src/settings/levels.ts";
import { parseProxy } from "../../src/settings/proxy.ts";
import { flagLevel } from "../../src/settings/run-settings.ts";
import type { Environment } from "../../src/settings/source.ts";
import { file, settingsOf } from "./settings-of.ts";

const https = "https://api.example.com/v1";
const none: Level = new Map();
const flag = flagLevel({ proxy: "http://flag.example.com:1" });
const rc = file("yours", { proxy: "http://file.example.com:2" });

/** The proxy of these variables for a base URL, below the first level and above the others. */
function proxySetting(
  variables: Environment,
  baseUrl: string | null = https,
  levels: readonly Level[] = [none],
) {
  const [flags = none, ...rest] = levels;
  const environment: Level = new Map();
  const last = flagLevel(baseUrl === null ? {} : { baseUrl });
  return settingsOf([flags, environment, ...rest, last], { environment, variables }).setting("proxy");
}

/** The host of that proxy; null for none. */
const proxyOf = (...given: Parameters<typeof proxySetting>): string | null =>
  proxySetting(...given)?.value.host ?? null;

const all = { https_proxy: "https-proxy", http_proxy: "http-proxy" };

describe("which proxy counts", () => {
  test.each([
    ["the flag, before all", [flag, rc], all, https, "flag.example.com:1"],
    ["a variable, before the rc file", [none, rc], all, https, "https-proxy"],
    ["the rc file where no variable is set", [none, rc], {}, https, "file.example.com:2"],
    ["the rc file if the variable is empty", [none, rc], { https_proxy: "" }, https, "file.example.com:2"],
    ["the rc file if NO_PROXY names it", [none, rc], { ...all, no_proxy: "*" }, https, "file.example.com:2"],
    ["none where nothing is set", [none], {}, https, null],
    ["no variable without a base URL", [none], all, null, null],
    ["the flag, even without a base URL", [flag], all, null, "flag.example.com:1"],
    ["no variable for a loopback address", [none], all, "https://127.0.0.1", null],
    ["the lower case first", [none], { HTTPS_PROXY: "upper", https_proxy: "lower" }, https, "lower"],
    ["the upper case alone", [none], { HTTPS_PROXY: "upper" }, https, "upper"],
    ["no variable of the other scheme", [none], { http_proxy: "a", HTTP_PROXY: "b" }, https, null],
  ] as const)("%s", (_, layers, environment, baseUrl, expected) => {
    expect(proxyOf(environment, baseUrl, [...layers])).toBe(expected);
  });

  test("its source is the variable that is set", () => {
    const setting = proxySetting({ HTTPS_PROXY: "p:3128" });
    expect(setting).toMatchObject({ source: { kind: "environment", variable: "HTTPS_PROXY" } });
  });
});

describe("a proxy of an http:// base URL could read the credential, so it is refused", () => {
  const message = (name: string) => `${name} is set, and a proxy could read a request to an http:// base URL`;

  test.each([
    ["http_proxy", { http_proxy: "p:1" }, none],
    ["HTTP_PROXY", { HTTP_PROXY: "p:1" }, none],
    ["--proxy", {}, flag],
  ] as const)("from %s", (name, environment, layer) => {
    expect(() => proxySetting(environment, "http://api.example.com", [layer])).toThrow(
      expect.objectContaining({
        kind: "settings",
        message: message(name),
        hint: "Use an https:// base URL, or remove the proxy",
      }),
    );
  });

  test("not https_proxy, which does not count there, and none for an invalid base URL", () => {
    expect(proxyOf({ https_proxy: "p:1" }, "http://api.example.com")).toBeNull();
    expect(proxyOf({}, "x", [flag])).toBe("flag.example.com:1");
  });
});

test.each([
  ["user:pass@p:3128", { username: "user", password: "pass", host: "p:3128" }],
  ["http://user:a%2Fb@p:3128", { password: "a%2Fb", host: "p:3128" }],
  ["socks5://user:pass@p:1", { problem: "names a SOCKS proxy, and only HTTP proxies are supported" }],
  ["SOCKS://p:1", { hint: "Give an HTTP proxy, like http://HOST:PORT" }],
  ["ftp://p:1", { problem: "does not begin with https:// or http://" }],
])("the URL of a proxy: %s", (text, expected) => {
  expect(parseProxy(text)).toMatchObject(expected);
});

test.each(["http://user:123/sEcretpw@p", "user:123/sEcretpw@p", "http://user/sEcretpw@p"])(
  "a / in the password of a proxy must be written as %%2F: %s",
  (text) => {
    expect(parseProxy(text)).toEqual({
      problem: "has an @ behind a /, so the text before that / is read as the host",
      hint: "In a user or password write / as %2F; in a path write @ as %40",
    });
  },
);

describe("NO_PROXY", () => {
  const bypassed = (list: string, baseUrl = https): boolean =>
    proxyOf({ https_proxy: "p", no_proxy: list }, baseUrl) === null;

  test.each([
    ...["*", "api.example.com", "API.Example.com", "example.com", ".example.com", "*.example.com", "com"],
    ...["api.example.com:443", "other.example.com,api.example.com", "other.example.com  api.example.com"],
    ", ,\tapi.example.com\n",
  ])("%j names the host api.example.com", (list) => {
    expect(bypassed(list)).toBe(true);
  });

  test.each([
    ...["", ",", ".", "*.", "**", "*x", "ample.com", "i.example.com", "api.example.co"],
    ...["api.example.com.example", "v1.api.example.com", "api.example.com:80", "api.example.com:4430"],
    ...["api.example.com:443x", "other.example.com,*.other.example"],
  ])("%j does not name it", (list) => {
    expect(bypassed(list)).toBe(false);
  });

  test.each([
    ["api.example.com:8443", "https://api.example.com:8443", true],
    ["api.example.com:443", "https://api.example.com:8443", false],
    ["api.example.com:12", "https://api.example.com:12", true],
    ["2001:db8::a", "https://[2001:db8::a]", true],
    ["2001:DB8:0:0::1", "https://[2001:db8::1]", true],
    ["2001:db8::1", "https://[2001:db8::2]", false],
    ["fe80::1%eth0,2001:db8::1", "https://[2001:db8::1]", true],
    ["[2001:db8::1]", "https://[2001:db8::1]", true],
    ["[2001:db8::1]:443", "https://[2001:db8::1]", true],
    ["192.0.2.1", "https://192.0.2.1", true],
    [",", "https://api.example.com.", false],
    ["*.", "https://api.example.com.", false],
    ["x*.example.com", "https://api.example.com", false],
  ])("%j at %s: %j", (list, baseUrl, expected) => {
    expect(bypassed(list, baseUrl)).toBe(expected);
  });

  test("the port of http:// is 80 where none is written", () => {
    const proxied = (no_proxy: string) => () =>
      proxyOf({ http_proxy: "p", no_proxy }, "http://api.example.com");
    expect(proxied("api.example.com:80")()).toBeNull();
    expect(proxied("api.example.com:443")).toThrow("http_proxy is set");
  });

  test("in lower case counts before the upper case, unless it is empty", () => {
    const proxied = (more: Environment) => proxyOf({ https_proxy: "p", ...more });
    expect(proxied({ no_proxy: "other", NO_PROXY: "*" })).toBe("p");
    expect(proxied({ no_proxy: "", NO_PROXY: "*" })).toBeNull();
    expect(proxied({ NO_PROXY: "*" })).toBeNull();
  });
});
