import { describe, expect, test } from "vitest";
import type { RuleId } from "../../src/check/outcome.ts";
import { failed, replied, repliedAt } from "../support/exchanges.ts";
import { type Case, findingsIn, hex40, token, wsse } from "./found.ts";

/** The finding of this id in a case, or undefined. */
const found = (id: RuleId, wanted: Case) => findingsIn(wanted).find((finding) => finding.id === id);
const dated = (secondsAhead: number): Record<string, string> => ({
  date: new Date(repliedAt - secondsAhead * 1000).toUTCString(),
});
const rejected = (headers: Record<string, string> = {}, message = "No", status = 401) =>
  replied({ status, headers, body: JSON.stringify({ code: status, message }) });
const accepted = (headers: Record<string, string | string[]> = {}) =>
  replied({ body: '{"code":200,"message":"Hi"}', headers });

describe("a clock", () => {
  const clock = (secondsAhead: number, more: Partial<Case> = {}) => {
    const wanted = { exchange: rejected(dated(secondsAhead)), ...more };
    return found("clock-ahead", wanted) ?? found("clock-behind", wanted);
  };

  // The fields of the exchange tell the time to the second, with one second of uncertainty.
  test.each([
    [30, false],
    [31, true],
    [-30, false],
    [-31, true],
  ])("that is %i s ahead is worth a word from 30 s and the uncertainty on: %s", (seconds, expected) => {
    expect(clock(seconds) !== undefined).toBe(expected);
  });

  test.each([
    [3_600, ", 1 whole hour: perhaps a wrong time zone"],
    [7_200, ", 2 whole hours: perhaps a wrong time zone"],
    [3_660, ", 1 whole hour: perhaps a wrong time zone"],
    [3_662, ""],
    [5_400, ""],
    [59, ""],
  ])("%i s ahead is said to be so, and whole hours suggest a time zone", (seconds, zone) => {
    expect(clock(seconds)?.message).toBe(`this clock is ${seconds} s ahead of the server${zone}`);
    expect(clock(-seconds)?.message).toBe(`this clock is ${seconds} s behind the server${zone}`);
    expect(clock(seconds)?.fix.includes("time zone")).toBe(zone !== "");
  });

  test("is the reason to try again only after a WSSE header was refused", () => {
    const again = (more: Partial<Case>) => clock(400, more)?.fix.endsWith(", then try again");
    expect(again({ credential: wsse() })).toBe(true);
    expect(again({ credential: token(hex40) })).toBe(false);
    expect(again({ credential: wsse(), exchange: accepted(dated(400)) })).toBe(false);
  });
});

describe("a credential", () => {
  test.each([
    ["token", token("a b")],
    ["secret", wsse({ secret: "a b" })],
  ])("with white space is called the %s", (name, credential) => {
    const finding = found("white-space", { exchange: rejected(), credential });
    expect(finding?.message).toContain(`the ${name} contains`);
    expect(finding?.fix).toContain(`the ${name} again`);
  });

  test.each([`${hex40}0`, `0${hex40}`, hex40.slice(1), `${hex40} `, hex40.replace("0", "g")])(
    "%j has not the shape of a token",
    (value) => {
      expect(found("token-shape", { exchange: rejected(), credential: token(value) })).toBeDefined();
      const credential = wsse({ secret: value });
      expect(found("secret-looks-like-token", { exchange: rejected(), credential })).toBeUndefined();
    },
  );

  test("has the shape of a token in capitals too, and is then no token of another shape", () => {
    const credential = token(hex40.toUpperCase());
    expect(found("token-shape", { exchange: rejected(), credential })).toBeUndefined();
    const account = wsse({ secret: hex40.toUpperCase() });
    expect(found("secret-looks-like-token", { exchange: rejected(), credential: account })).toBeDefined();
    expect(found("token-shape", { exchange: rejected(), credential: account })).toBeUndefined();
    expect(found("username-shape", { exchange: rejected(), credential })).toBeUndefined();
  });

  test.each(["me", "me@", "@example.com", "me@example.com x", "x me@example.com", "a@b@c"])(
    "has a username that is no e-mail address: %s",
    (username) => {
      expect(found("username-shape", { exchange: rejected(), credential: wsse({ username }) })).toBeDefined();
    },
  );
});

describe("an answer of somebody in front of the API", () => {
  const blocked = (headers: Record<string, string>, message = "No", status = 403) =>
    found("blocked", { exchange: rejected(headers, message, status) }) !== undefined;

  test.each(["cf-ray", "x-amzn-waf-action", "x-sucuri-id", "x-iinfo", "x-akamai-request-id"])(
    "is a 403 with the field %s",
    (name) => {
      expect(blocked({ [name]: "1" })).toBe(true);
      expect(blocked({ [name]: "1" }, "No", 401)).toBe(false);
    },
  );

  test.each(["cloudflare", "AkamaiGHost", "awselb/2.0", "Sucuri/Cloudproxy", "imperva", "BigIP", "big-ip"])(
    "is a 403 by the server %s",
    (server) => {
      expect(blocked({ server })).toBe(true);
    },
  );

  test.each([
    "Blocked",
    "We block this",
    "WAF rule 7",
    "Firewall",
    "Denied by policy",
    "Your IP address is 192.0.2.1",
    "not allowed from here",
  ])("is a 403 that says %j", (message) => {
    expect(blocked({}, message)).toBe(true);
  });

  test.each(["No", "Unblocked users only", "blocks", "waffle", "not allowed"])(
    "is no 403 that says %j, by a server like nginx or like no-cloudflare",
    (message) => {
      expect(blocked({}, message)).toBe(false);
      expect(blocked({ server: "nginx" }, message)).toBe(false);
      expect(blocked({ server: "no-cloudflare" }, message)).toBe(false);
    },
  );

  test("is no 403 without a body", () => {
    expect(found("blocked", { exchange: replied({ status: 403 }) })).toBeUndefined();
  });
});

describe("the wait that the API asks for", () => {
  test.each([
    [429, undefined, "the API limits the rate of requests", "Wait a little, then try again"],
    [429, "7", "the API asks clients to wait 7 s before the next request", "Try again in 7 s"],
    [503, "7", "the API asks clients to wait 7 s before the next request", "Try again in 7 s"],
    [503, "0", "the API asks clients to wait 0 s before the next request", "Try again in 0 s"],
  ])("is shown for %i with Retry-After %j", (status, wait, message, fix) => {
    const exchange = replied({ status, headers: wait === undefined ? {} : { "retry-after": wait } });
    expect(found("rate-limit", { exchange })).toMatchObject({ message, fix });
  });
});

describe("the path of a base URL", () => {
  test.each([
    ["https://api.example.com/test-authentication", "the base URL has no path; many APIs live below one"],
    ["https://api.example.com/v1/test-authentication", "the path /v1 of the base URL may be wrong"],
    [
      "https://api.example.com/test-authentication/v1/test-authentication",
      "the path /test-authentication/v1 of the base URL may be wrong",
    ],
  ])("is named after a 404 of %s", (url, message) => {
    expect(found("not-found", { exchange: replied({ status: 404 }), url })?.message).toBe(message);
  });

  test("is not the reason for a redirect from http to http", () => {
    const exchange = replied({ status: 302, headers: { location: "http://api.example.com/v2" } });
    const url = "http://api.example.com/v1/test-authentication";
    expect(findingsIn({ exchange, url }).map(({ id }) => id)).toEqual(["redirect-path"]);
  });
});

describe("the header fields of a success", () => {
  const specified = {
    "cache-control": "no-cache",
    "access-control-allow-origin": "*",
    allow: "GET, OPTIONS",
  };
  const differs = (more: Record<string, string | string[]>) =>
    found("unusual-headers", { exchange: accepted({ ...specified, ...more }) })?.message;

  test.each([
    [{ "content-type": "text/plain" }, "Content-Type differs from"],
    [{ "cache-control": "no-store" }, "Cache-Control differs from"],
    [{ "access-control-allow-origin": "https://a.example" }, "Access-Control-Allow-Origin differs from"],
    [{ allow: "GET" }, "Allow differs from"],
    [{ allow: "OPTIONS" }, "Allow differs from"],
    [{ allow: "POST", "cache-control": "" }, "Cache-Control, Allow differ from"],
  ])("are named where they differ: %j", (headers, message) => {
    expect(differs(headers)).toMatch(new RegExp(`^${message} `));
  });

  test.each([
    { "cache-control": "private, No-Cache" },
    { "cache-control": ["private", "no-cache"] },
    { allow: "options,get,HEAD" },
    { "content-type": "application/json; charset=utf-8" },
  ])("can be written in other ways: %j", (headers) => {
    expect(differs(headers)).toBeUndefined();
  });
});

describe("a certificate", () => {
  const facts = { subject: "s.example", issuer: "A CA", validFrom: "Jan  1 2025", validTo: "Jan  1 2026" };
  const message = (code: string, names: readonly string[] = []) =>
    findingsIn({ exchange: failed({ kind: "tls", code, certificate: { ...facts, names } }) })[0]?.message;
  const whose = "the certificate of s.example, issued by A CA,";

  test.each([
    ["CERT_HAS_EXPIRED", "expired on Jan  1 2026"],
    ["CERT_NOT_YET_VALID", "is not valid before Jan  1 2025"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "is signed by itself"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "is signed by a CA that is not known here"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "is signed by a CA that is not known here"],
  ])("refused with %s %s", (code, says) => {
    expect(message(code)).toBe(`${whose} ${says}`);
  });

  test("of a known chain that signs itself counts as self-signed, of an unknown one as of an unknown CA", () => {
    const id = (code: string) =>
      findingsIn({ exchange: failed({ kind: "tls", code, certificate: { ...facts, names: [] } }) })[0]?.id;
    expect(id("SELF_SIGNED_CERT_IN_CHAIN")).toBe("certificate-self-signed");
    expect(id("UNABLE_TO_GET_ISSUER_CERT_LOCALLY")).toBe("certificate-unknown-ca");
  });

  test("of other hosts names three of them", () => {
    const names = ["DNS:a.example", "IP Address:192.0.2.1", "x-DNS:c.example", "DNS:d.example"];
    expect(message("ERR_TLS_CERT_ALTNAME_INVALID", names)).toBe(
      `${whose} is for a.example, 192.0.2.1, x-DNS:c.example`,
    );
  });
});

test.each([
  ["https://api.example.com/v1", "port 443 answered"],
  ["https://api.example.com:8443/v1", "port 8443 answered"],
])("a port that does not speak TLS is named: %s", (url, message) => {
  const exchange = failed({ kind: "tls", code: "ERR_SSL_WRONG_VERSION_NUMBER", certificate: null });
  expect(found("not-tls", { exchange, url })?.message).toContain(message);
});

test.each([
  [
    407,
    "answered CONNECT with 407: it asks for credentials of its own",
    "Write the proxy's user and password",
  ],
  [403, "answered CONNECT with 403", "Ask whoever runs the proxy"],
])("a proxy that answers %i is told from the others by what to do", (status, message, fix) => {
  const exchange = failed({ kind: "proxy", host: "p.example", status, code: "REFUSED" });
  const finding = found("proxy-refused", { exchange, proxy: "http://p.example:3128" });
  expect(finding?.message).toBe(`the proxy p.example:3128 ${message}`);
  expect(finding?.fix).toContain(fix);
});

test("remarks are measured", () => {
  const findings = findingsIn({ exchange: accepted(), hints: { suffixGiven: true } });
  expect(findings).toMatchObject([
    { id: "base-url-suffix", certainty: "measured" },
    { id: "unusual-headers", certainty: "measured" },
  ]);
});
