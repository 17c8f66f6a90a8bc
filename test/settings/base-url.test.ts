import { expect, test } from "vitest";
import { endpointOf, parseHttpUrl } from "../../src/settings/urls.ts";

const path = "/test-authentication";

test.each([
  ["https://api.example.com", `https://api.example.com${path}`],
  ["https://api.example.com/", `https://api.example.com${path}`],
  ["https://api.example.com//", `https://api.example.com${path}`],
  ["HTTPS://API.example.com:8443/a//b.c/v1/", `https://api.example.com:8443/a//b.c/v1${path}`],
  ["https://api.example.com/a%2Fb/..c/d..", `https://api.example.com/a%2Fb/..c/d..${path}`],
  ["https://api.example.com/...", `https://api.example.com/...${path}`],
  ["https://api.example.com:0443/v1", `https://api.example.com/v1${path}`],
  ["https://api.example.com/@me", `https://api.example.com/@me${path}`],
  ["https://münchen.example:8443/v1", `https://xn--mnchen-3ya.example:8443/v1${path}`],
  ["https://MÜNCHEN。Example", `https://xn--mnchen-3ya.example${path}`],
  ["https://faß.example", `https://xn--fa-hia.example${path}`],
  // Its first letter is Cyrillic.
  ["https://\u0430pi.example.com", `https://xn--pi-6kc.example.com${path}`],
  ["https://api.example.com/v1;a=b/~c!$&'()*+,_-", `https://api.example.com/v1;a=b/~c!$&'()*+,_-${path}`],
])("the endpoint of %s keeps host and path", (baseUrl, url) => {
  expect(endpointOf(baseUrl)).toMatchObject({ url: { href: url }, suffixGiven: false });
});

test.each([path, `/v1${path}`, `/v1${path}//`])("the endpoint is not appended again to %s", (given) => {
  const href = `https://api.example.com${given.replace(/\/+$/, "")}`;
  expect(endpointOf(`https://api.example.com${given}`)).toMatchObject({ url: { href }, suffixGiven: true });
});

const outside = ["[::ffff:127.0.0.1]", "128.0.0.1", "10.127.0.1", "127.0.0.1.example.com", "127.example.com"];
test.each([
  [true, ["127.0.0.1", "127.0.0.1:8080", "127.10.20.30", "0x7f.1", "127.1", "[::1]:8080", "LOCALHOST"]],
  [false, [...outside, "localhost.", "localhost.example.com", "0.0.0.0", "[::]"]],
])("a loopback host is an address, or the name localhost: %j for %j", (loopback, hosts) => {
  for (const host of hosts) {
    expect(endpointOf(`http://${host}`), host).toMatchObject({ secure: false, loopback });
    expect(endpointOf(`https://${host}`), host).toMatchObject({ secure: true, loopback });
  }
});

const hostOrPort = "has no valid host or port";

/** What is refused, by the reason: the first one that applies. Some parsers would read another host or path. */
const refused: Readonly<Record<string, readonly string[]>> = {
  "contains white space or a character that a URL cannot contain": [
    ...[" https://a.example", "https://a.example/v1 ", "https://a.example/v 1", " "],
    ...["https://a.example/v1\0", "ht\ttps://a.example", "https://a.exa\nmple"],
    ...["https://a.example/v1\r\nX-Injected: x", "https://a.example/%4/v1", "https://a.example/%"],
    ...[
      "https://a.example/%g0",
      "https://a.example/ü",
      "https://ü@a.example",
      "http://１２７.0.0.1",
      "http://127。0。0。1",
    ],
    ...["http://127.0.0.1\u200b", "https://mün\u200bchen.example", "https://mün\u00adchen.example"],
    ...["https://mün chen.example", "https://ａｐｉ.example", "https://ü／.example"],
  ],
  "does not begin with https:// or http://": [
    ...["", "a.example/v1", "localhost", "//a.example/v1", "xhttps://a.example", "https:a.example"],
    ...["https:/a.example", "https:\\\\a.example", "ftp://a.example", "file:///etc/passwd"],
    ...["javascript:alert(1)", "data:text/plain,x"],
  ],
  "contains a backslash": ["https://a.example\\v1", "https://a.example\\@b.example/v1"],
  "contains ? or #": ["https://a.example?", "https://a.example/v1?key=x", "https://a.example/v1#"],
  [hostOrPort]: [
    ...["https://", "https:///a.example", "https:///user:pass@a.example", "https://user@", "https://[::1"],
    ...["https://a.example:0/v1", "https://a.example:000", "https://a.example:65536"],
    ...["https://user%3Apass%40a.example"],
  ],
  "contains user information": ["https://user:pass@a.example", "https://@a.example", "https://a@b@a.example"],
  "has an @ behind a /, so the text before that / is read as the host": ["https://user:pa/ss@a.example"],
  "contains . or .. as a path segment": [
    ...["https://a.example/.", "https://a.example/../v1", "https://a.example/v1/%2E/a"],
    ...["https://a.example/v1/.%2e", "https://a.example/v1/.."],
  ],
};

test.each(Object.entries(refused).flatMap(([problem, texts]) => texts.map((text) => [text, problem])))(
  "%j is refused: it %s. The hint says what to write instead, and neither repeats the URL",
  (text, problem) => {
    const { hint } = { hint: "", ...endpointOf(text) };
    expect(endpointOf(text)).toEqual({
      problem,
      hint: expect.stringMatching(/^(?:Write|Remove|In a user or password write) /),
    });
    expect(hint + problem).not.toMatch(/user@|pass@/);
  },
);

const credential = { username: "user", password: "pass" };
test.each([
  ["http://user:pass@proxy.example.com:3128", { ...credential, host: "proxy.example.com:3128" }],
  ["http://user:pass@", { problem: hostOrPort }],
  ["http://user:pass@:3128", { problem: hostOrPort }],
])("the URL of a proxy can hold a user and password, and needs a host: %s", (text, expected) => {
  expect(parseHttpUrl(text, "allowed")).toMatchObject(expected);
});
