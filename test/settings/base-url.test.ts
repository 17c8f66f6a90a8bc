import { describe, expect, test } from "vitest";
import { endpointOf, parseHttpUrl } from "../../src/settings/base-url.ts";

const path = "/test-authentication";

test.each([
  ["https://api.example.com", `https://api.example.com${path}`],
  ["https://api.example.com/", `https://api.example.com${path}`],
  ["https://api.example.com//", `https://api.example.com${path}`],
  ["HTTPS://API.example.com:8443/a//b.c/v1/", `https://api.example.com:8443/a//b.c/v1${path}`],
  ["https://api.example.com:08443/v1", `https://api.example.com:8443/v1${path}`],
  ["https://api.example.com/a%2Fb/..c/d..", `https://api.example.com/a%2Fb/..c/d..${path}`],
  ["https://api.example.com/...", `https://api.example.com/...${path}`],
  ["https://api.example.com/v1;a=b/~c!$&'()*+,_-", `https://api.example.com/v1;a=b/~c!$&'()*+,_-${path}`],
])("the endpoint of %s keeps host and path", (baseUrl, url) => {
  expect(endpointOf(baseUrl)).toMatchObject({ url: { href: url }, suffixGiven: false });
});

test.each([path, `/v1${path}`, `/v1${path}//`])("the endpoint is not appended again to %s", (given) => {
  const href = `https://api.example.com${given.replace(/\/+$/, "")}`;
  expect(endpointOf(`https://api.example.com${given}`)).toMatchObject({ url: { href }, suffixGiven: true });
});

test.each([
  ["https://127.0.0.1", { secure: true, loopback: true }],
  ["http://127.0.0.1:8080", { secure: false, loopback: true }],
  ["http://127.10.20.30", { secure: false, loopback: true }],
  ["http://0x7f.1", { secure: false, loopback: true }],
  ["http://[::1]:8080", { secure: false, loopback: true }],
  ["http://[::ffff:127.0.0.1]", { secure: false, loopback: false }],
  ["http://128.0.0.1", { secure: false, loopback: false }],
  ["http://10.127.0.1", { secure: false, loopback: false }],
  ["http://127.0.0.1.example.com", { secure: false, loopback: false }],
  ["http://127.example.com", { secure: false, loopback: false }],
])("the loopback network is told by an address alone: %s", (baseUrl, expected) => {
  expect(endpointOf(baseUrl)).toMatchObject(expected);
});

const character = "contains white space or a character that a URL cannot contain";
const scheme = "does not begin with https:// or http://";
const hostOrPort = "has no valid host or port";
const userInformation = "contains user information";
const dots = "contains . or .. as a path segment";

/** What is refused, and for which reason: the first one that applies. */
const refused = [
  ["", scheme],
  [" https://api.example.com", character],
  ["https://api.example.com/v 1", character],
  ["https://api.example.com/v1 ", character],
  ["https://api.example.com/%4/v1", character],
  ["https://api.example.com/%", character],
  ["https://api.example.com/%g0", character],
  ["https://münchen.example", character],
  ["api.example.com/v1", scheme],
  ["xhttps://api.example.com", scheme],
  ["https:/api.example.com", scheme],
  ["https:\\\\api.example.com", scheme],
  ["ftp://api.example.com", scheme],
  ["https://api.example.com\\v1", "contains a backslash"],
  ["https://api.example.com?", "contains ? or #"],
  ["https://api.example.com/v1#", "contains ? or #"],
  ["https://", hostOrPort],
  ["https:///api.example.com", hostOrPort],
  ["https://api.example.com:0/v1", hostOrPort],
  ["https://api.example.com:000", hostOrPort],
  ["https://api.example.com:65536", hostOrPort],
  ["https://[::1", hostOrPort],
  ["https://user@", hostOrPort],
  ["https://user@api.example.com", userInformation],
  ["https://@api.example.com/v1", userInformation],
  ["https://api.example.com/.", dots],
  ["https://api.example.com/../v1", dots],
  ["https://api.example.com/v1/%2E/a", dots],
  ["https://api.example.com/v1/.%2e", dots],
] as const;

test.each(refused)("%j is refused: it %s", (text, problem) => {
  expect(endpointOf(text)).toMatchObject({ problem });
});

test("every refusal says what to write instead, and never repeats the URL", () => {
  for (const [text] of refused) {
    const { hint, problem } = { hint: "", problem: "", ...endpointOf(text) };
    expect(hint).toMatch(/^(?:Write|Remove) /);
    if (text.includes("user")) expect(hint + problem).not.toContain("user@");
  }
});

describe("the URL of a proxy", () => {
  test("can hold a user and password", () => {
    const url = parseHttpUrl("http://user:pass@proxy.example.com:3128", "allowed");
    expect(url).toMatchObject({ username: "user", password: "pass", host: "proxy.example.com:3128" });
  });

  test.each(["http://user:pass@", "http://user:pass@/", "http://user:pass@:3128"])(
    "%s has no host",
    (text) => {
      expect(parseHttpUrl(text, "allowed")).toMatchObject({ problem: hostOrPort });
    },
  );
});
