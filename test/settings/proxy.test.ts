import { describe, expect, test } from "vitest";
import { type Endpoint, endpointOf } from "../../src/settings/base-url.ts";
import { type Environment, flagLevel, type Level } from "../../src/settings/levels.ts";
import { environmentProxy, proxySetting } from "../../src/settings/proxy.ts";

function endpoint(baseUrl: string): Endpoint {
  const parsed = endpointOf(baseUrl);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed;
}

const https = "https://api.example.com/v1";
const none: Level = new Map();
const flag = flagLevel({ proxy: "http://flag.example.com:1" });
const file: Level = new Map([
  [
    "proxy",
    {
      setting: "proxy",
      text: "http://file.example.com:2",
      source: { kind: "rc", file: "/rc", line: 1, key: "proxy", trust: "yours" },
    },
  ],
]);

/** The layer of the variables that set a proxy for this base URL. */
function variables(environment: Environment, baseUrl: string | null = https): Level {
  const given = baseUrl === null ? null : environmentProxy(endpoint(baseUrl), environment);
  return given === null ? none : new Map([["proxy", given]]);
}

/** A level that sets the base URL. */
const baseUrlLevel = (baseUrl: string | null): Level => flagLevel(baseUrl === null ? {} : { baseUrl });

/** The host of the proxy that these settings give; null for none. The environment stands below the first layer. */
function proxyOf(environment: Environment, baseUrl: string | null = https, layers = [none]): string | null {
  const [flags = none, ...rest] = layers;
  const all = [flags, variables(environment, baseUrl), ...rest, baseUrlLevel(baseUrl)];
  return proxySetting(all)?.value.host ?? null;
}

const all = { https_proxy: "https-proxy", http_proxy: "http-proxy" };

describe("which proxy counts", () => {
  test.each([
    ["the flag, before all", [flag, file], all, https, "flag.example.com:1"],
    ["a variable, before the rc file", [none, file], all, https, "https-proxy"],
    ["the rc file where no variable is set", [none, file], {}, https, "file.example.com:2"],
    ["the rc file if the variable is empty", [none, file], { https_proxy: "" }, https, "file.example.com:2"],
    [
      "the rc file if NO_PROXY names it",
      [none, file],
      { ...all, no_proxy: "*" },
      https,
      "file.example.com:2",
    ],
    ["none where nothing is set", [none], {}, https, null],
    ["no variable without a base URL", [none], all, null, null],
    ["the flag, even without a base URL", [flag], all, null, "flag.example.com:1"],
    ["no variable for a loopback address", [none], all, "https://127.0.0.1", null],
    [
      "the lower case, before the upper",
      [none],
      { HTTPS_PROXY: "upper", https_proxy: "lower" },
      https,
      "lower",
    ],
    ["the upper case alone", [none], { HTTPS_PROXY: "upper" }, https, "upper"],
    ["no variable of the other scheme", [none], { http_proxy: "a", HTTP_PROXY: "b" }, https, null],
  ] as const)("%s", (_, layers, environment, baseUrl, expected) => {
    expect(proxyOf(environment, baseUrl, [...layers])).toBe(expected);
  });

  test("its source is the variable that is set", () => {
    const setting = proxySetting([variables({ HTTPS_PROXY: "p:3128" })]);
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
    const baseUrl = "http://api.example.com";
    const layers = [layer, variables(environment, baseUrl), baseUrlLevel(baseUrl)];
    expect(() => proxySetting(layers)).toThrow(
      expect.objectContaining({
        kind: "settings",
        message: message(name),
        hint: "Use an https:// base URL, or remove the proxy",
      }),
    );
  });

  test("https_proxy does not count there", () => {
    expect(proxyOf({ https_proxy: "p:1" }, "http://api.example.com")).toBeNull();
  });
});

describe("the URL of a proxy", () => {
  test("is used with its user and password", () => {
    const setting = proxySetting([flagLevel({ proxy: "user:pass@p:3128" })]);
    expect(setting?.value).toMatchObject({ username: "user", password: "pass", host: "p:3128" });
  });

  test("is refused where it is no URL, from a variable as well", () => {
    expect(() => proxySetting([variables({ https_proxy: "socks5://p:1" })])).toThrow(
      expect.objectContaining({
        kind: "settings",
        message: "https_proxy does not begin with https:// or http://",
      }),
    );
    expect(() => proxySetting([flagLevel({ proxy: "socks5://p:1" })])).toThrow(
      "--proxy does not begin with https:// or http://",
    );
  });
});

describe("NO_PROXY", () => {
  const bypassed = (list: string, baseUrl = https): boolean =>
    proxyOf({ https_proxy: "p", no_proxy: list }, baseUrl) === null;

  test.each([
    "*",
    "api.example.com",
    "API.Example.com",
    "example.com",
    ".example.com",
    "*.example.com",
    "com",
    "api.example.com:443",
    "other.example.com,api.example.com",
    "other.example.com  api.example.com",
    ", ,\tapi.example.com\n",
  ])("%j names the host api.example.com", (list) => {
    expect(bypassed(list)).toBe(true);
  });

  test.each([
    "",
    ",",
    ".",
    "*.",
    "**",
    "*x",
    "ample.com",
    "i.example.com",
    "api.example.co",
    "api.example.com.example",
    "v1.api.example.com",
    "api.example.com:80",
    "api.example.com:4430",
    "api.example.com:443x",
    "other.example.com,*.other.example",
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
