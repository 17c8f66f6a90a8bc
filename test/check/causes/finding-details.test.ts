import { describe, expect, test } from "vitest";
import type { FindingId } from "../../../src/check/result.ts";
import { adviceOf } from "../../../src/settings/advice.ts";
import { flagLevel } from "../../../src/settings/run-settings.ts";
import { settingsOf } from "../../settings/settings-of.ts";
import { type AnswerParts, replied } from "../../support/exchanges.ts";
import { dated, proxied, rejected, tls } from "./exchanges.ts";
import { type Case, findingsIn, found, hex40, token, wsse } from "./found.ts";

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

  const zone = ": perhaps a wrong time zone";
  test.each([
    [3_600, "1 hour", zone],
    [7_200, "2 hours", zone],
    [3_660, "1 hour 1 minute", zone],
    [3_662, "1 hour 1 minute", ""],
    [400, "6 minutes 40 seconds", ""],
    [59, "59 s", ""],
    [26 * 3600, "1 day 2 hours", zone],
    [27 * 3600, "1 day 3 hours", ""],
    [48 * 3600, "2 days", ""],
    [49 * 3600, "2 days 1 hour", ""],
  ])("%i s ahead reads as %s, and whole hours of a time zone suggest one", (seconds, words, remark) => {
    expect(clock(seconds)?.message).toBe(`this clock is ${words} ahead of the server${remark}`);
    expect(clock(-seconds)?.message).toBe(`this clock is ${words} behind the server${remark}`);
    expect(clock(seconds)?.fix.includes("time zone")).toBe(remark === zone);
  });

  test.each([
    [48, ""],
    [49, ", too much for a diagnosis to try: it corrects at most 48 hours"],
  ])("%i hours ahead says of WSSE alone whether a diagnosis can correct it", (hours, remark) => {
    expect(clock(hours * 3600, { credential: wsse() })?.message).toMatch(new RegExp(`server${remark}$`));
  });

  test("of this machine is not blamed: a third clock shows which one is wrong", () => {
    const fix = clock(400, { credential: wsse() })?.fix;
    expect(fix).toMatch(
      /^Compare this machine's clock .* with a third one.*; if the server's is, tell its operator$/,
    );
  });
});

describe("the shape of a credential", () => {
  const sees = (id: FindingId, credential: Case["credential"] & {}) =>
    findingsIn({ exchange: rejected(), credential }).some((finding) => finding.id === id);

  test.each([`${hex40}0`, `0${hex40}`, hex40.slice(1), hex40.replace("0", "g")])(
    "of a token is not that of %j",
    (value) => {
      expect(sees("token-shape", token(value))).toBe(true);
    },
  );

  test.each([
    ["token-shape", token("a b")],
    ["token-shape", token(`"${hex40}"`)],
    ["token-shape", token("$TOKEN")],
    ["username-shape", wsse({ username: "me", secret: "you@example.com" })],
  ] as const)("is no finding %s where a mistake explains it", (id, credential) => {
    expect(sees(id, credential)).toBe(false);
    expect(findingsIn({ exchange: rejected(), credential })).not.toEqual([]);
  });

  test("of a token may be in capitals, and counts for tokens alone", () => {
    const capitals = hex40.toUpperCase();
    expect(sees("token-shape", token(capitals))).toBe(false);
    expect(sees("username-shape", token(capitals))).toBe(false);
    expect(sees("token-shape", wsse({ secret: "short" }))).toBe(false);
  });

  test.each([
    ["x", "has 1 character; the documented form has 40 hexadecimal ones"],
    ["x".repeat(40), "is not hexadecimal; the documented form has 40 hexadecimal characters"],
  ])("of the token %s reads: it %s", (value, says) => {
    const finding = found("token-shape", { exchange: rejected(), credential: token(value) });
    expect(finding?.message).toBe(`the token ${says}`);
  });
});

const advice = adviceOf(settingsOf([flagLevel({ username: "u", secret: "s" })]));
const quotes = "quotation marks around it";
const placeholder = "the form of a variable or placeholder, such as $NAME, $" + "{{ … }}, %NAME% or <NAME>";
const both = "(now set by --username and --secret)";

test.each([
  [
    "credential-placeholder",
    wsse({ username: "$A", secret: "$B" }),
    `the username and the secret have ${placeholder}`,
    `Check why nothing replaced the placeholder ${both}; a shell replaces nothing in single quotes`,
  ],
  [
    "credential-quoted",
    wsse({ secret: "'s3cret'" }),
    `the secret has ${quotes}`,
    `Set the secret without ${quotes} (now set by --secret)`,
  ],
  [
    "credential-quoted",
    wsse({ username: "'me'", secret: "'s3cret'" }),
    "the username and the secret have quotation marks around them",
    `Set the username and the secret without quotation marks around them ${both}`,
  ],
  [
    "username-secret-swapped",
    wsse({ username: "me", secret: "you@example.com" }),
    "the secret is an e-mail address and the username is not, as if they were swapped",
    "Exchange the username (now set by --username) and the secret (now set by --secret)",
  ],
  [
    "white-space",
    wsse({ secret: "a b" }),
    "the secret contains white space, perhaps from copying",
    "Copy the secret (now set by --secret) again, in one piece",
  ],
] as const)("%s in %j reads: %s", (id, credential, message, fix) => {
  expect(found(id, { exchange: rejected(), credential, hints: advice })).toMatchObject({ message, fix });
});

const malformed = (problem: string): Case["exchange"] => ({
  kind: "malformed",
  problem,
  trace: replied({}).trace,
});
const api = "https://api.example.com";
const notTls = tls("ERR_SSL_WRONG_VERSION_NUMBER", null);
const waiting = (status: number, seconds: string) => replied({ status, headers: { "retry-after": seconds } });
const notFound = replied({ status: 404 });

test.each<[FindingId, Case, string]>([
  ["not-tls", { exchange: notTls, url: `${api}:8443/v1` }, "port 8443 answered"],
  ["proxy-target", proxied(504), "could not reach"],
  ["not-a-proxy", proxied(404), "a web server"],
  ["proxy-refused", proxied(302), "answered CONNECT with 302"],
  ["http-version", { exchange: malformed("HTTP/2 instead of HTTP/1.1") }, "to allow HTTP/1.1"],
  ["https-expected", { exchange: malformed("TLS instead of HTTP/1.1") }, "Write https:// in the base URL"],
  ["rate-limit", { exchange: waiting(429, "7") }, "Try again in 7 s"],
  ["rate-limit", { exchange: waiting(503, "3600") }, "Try again in 1 hour"],
  [
    "not-found",
    { exchange: notFound, url: `${api}/test-authentication` },
    "has no path; many APIs live below",
  ],
  [
    "not-found",
    { exchange: notFound, url: `${api}/test-authentication/v1/test-authentication` },
    "ion/v1 of",
  ],
])("%s of %j says: %s", (id, wanted, says) => {
  const [first] = findingsIn(wanted);
  expect(first?.id).toBe(id);
  expect(`${first?.message} ${first?.fix}`).toContain(says);
});

test("the path of the base URL is named after a 404 with a page too, with the same advice", () => {
  const page = "<html><title>Not Found</title>";
  const [json, html] = ["{}", page].map((body) => findingsIn({ exchange: replied({ status: 404, body }) }));
  expect(html?.map(({ id }) => id)).toEqual(["web-page", "not-found"]);
  expect(new Set([...(json ?? []), ...(html ?? [])].map(({ fix }) => fix)).size).toBe(1);
  const other = findingsIn({ exchange: replied({ status: 400, body: page }) });
  expect(other.map(({ id }) => id)).toEqual(["web-page"]);
});

test.each<[string, AnswerParts, boolean]>([
  ["423", { status: 423 }, true],
  ["423 with a page", { status: 423, body: "<html>", headers: { "content-type": "text/html" } }, true],
  ["401 that says so", { status: 401, body: '{"error":"account_locked"}' }, true],
  ["403 that says so in text", { status: 403, body: "Account locked" }, true],
  ["400 that says so", { status: 400, body: '{"message":"Too many failed logins"}' }, true],
  ["401 that does not", { status: 401, body: '{"error":"blocked"}' }, false],
  ["404 that says so", { status: 404, body: '{"error":"locked"}' }, false],
])("after a lock, the only advice is to wait and to try once: %s", (_, parts, isLock) => {
  const found = findingsIn({ exchange: replied(parts), credential: token("short") });
  const waits = found.map(({ fix }) => fix.startsWith("Wait, then try once"));
  expect(found.some(({ id }) => id === "account-locked")).toBe(isLock);
  expect(waits.every(Boolean)).toBe(isLock);
  if (isLock) expect(JSON.stringify(found)).not.toMatch(/--diagnose|Copy|Compare/);
});

test("a lock is waited for as long as the server asks", () => {
  const fix = (headers: Record<string, string>) =>
    found("account-locked", { exchange: rejected(headers, 403, '{"error":"Too many logins"}') })?.fix;
  expect(fix({ "retry-after": "900" })).toMatch(/^Wait 15 minutes, then try once/);
  expect(fix({})).toMatch(/^Wait, then try once/);
});

test("a generated secret with an equals sign is only perhaps an assignment, and keeps the general advice", () => {
  const shown = (value: string) =>
    findingsIn({ exchange: rejected(), credential: wsse({ secret: value }) }).map(
      ({ id, certainty }) => `${certainty} ${id}`,
    );
  expect(shown("k9x=Tq7hPz")).toEqual(["possible credential-assignment", "measured rejected"]);
  expect(shown("k9x: Tq7hPz")).toContain("possible credential-assignment");
  expect(shown("SECRET=Tq7hPz")).toEqual(["measured credential-assignment"]);
});
