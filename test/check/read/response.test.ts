import { STATUS_CODES } from "node:http";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Rule } from "../../../src/check/check-context.ts";
import { measured } from "../../../src/check/result.ts";
import { headerValue } from "../../../src/http/exchange.ts";
import { redactorOf } from "../../../src/redaction/redact.ts";
import { type AnswerParts, judged, read, replied } from "../../support/exchanges.ts";

test("a rule cannot quote a field of the raw response: this does not compile", () => {
  const slip: Rule = ({ exchange }) =>
    exchange.kind === "response" &&
    // @ts-expect-error: a rule has what was read of the response, not the response.
    measured("unexpected", `a static file server answered: ${headerValue(exchange.response, "server")}`, []);
  expect(slip).toBeInstanceOf(Function);
});

test("a rule can quote a field that was searched, and nothing shows the response itself", () => {
  const response = read({ headers: { server: "nginx Zq8XvK2m" }, body: "Zq8XvK2m" }, "Zq8XvK2m");
  expect(response.header("Server")).toBe("nginx [secret]");
  expect(response.header("via")).toBeNull();
  const shown = `${JSON.stringify(response)}${inspect(response, { depth: 9, showHidden: true })}`;
  expect(shown).not.toContain("Zq8XvK2m");
});

/** What is shown of where a response leads. */
const leads = (location: string | readonly string[], ...secrets: readonly string[]) =>
  read({ status: 302, headers: { location } }, ...secrets).quotes.location;

const host = fc.stringMatching(/^[a-z]{1,9}\.example$/);
const path = fc.stringMatching(/^(?:\/[a-z]{1,9}){0,3}\/?$/);
const hidden = fc.stringMatching(/^[A-Z]{12}$/);

test("where a response leads is shown without what can hold a secret, at any status", () => {
  fc.assert(
    fc.property(
      ...([
        fc.integer({ min: 200, max: 599 }),
        fc.constantFrom("http", "https"),
        host,
        fc.nat(9_999),
        path,
        hidden,
      ] as const),
      fc.constantFrom("location", "refresh"),
      (status, scheme, name, port, way, secret, field) => {
        const origin = `${scheme}://${name}:${port}`;
        for (const more of [`?a=${secret}`, `#${secret}`, `;jsessionid=${secret}`, `;a/${secret}?b#c`]) {
          const target = `${scheme}://u:${secret}@${name}:${port}${way === "" ? "/" : way}${more}`;
          const value = field === "location" ? target : `0; url='${target}'`;
          const shown = read({ status, headers: { [field]: value } }).quotes.location;
          expect(shown).toBe(new URL(origin).origin + (way === "" ? "/" : way));
        }
      },
    ),
  );
});

test.each<[value: string, location: string | null]>([
  ["/login?next=1", "https://api.example.com/login"],
  ["login", "https://api.example.com/v1/login"],
  ["//sso.example", "https://sso.example/"],
  ["myapp://login/now?x", "myapp://login/now"],
  ["http://[", null],
  ["", null],
])("a Location of %j leads to %j", (value, location) => {
  expect(leads(value)).toBe(location);
});

test.each<[value: string, location: string | null]>([
  ["5; URL=/login", "https://api.example.com/login"],
  ['0;url="/a\'b"', "https://api.example.com/a'b"],
  ["0, /login", "https://api.example.com/login"],
  ["5", null],
])("a Refresh of %j leads to %j", (refresh, location) => {
  expect(read({ headers: { refresh } }).quotes.location).toBe(location);
});

// test/properties/sent-back.test.ts has more signs.
test.each([
  ["/Zq8XvK2m/x/../Geheim7K", "https://api.example.com/[secret]"],
  ["//Zq8XvK2m\u3002Geheim7K/", "https://[secret]/"],
])("a secret that a URL makes of a Location is not shown: %s", (location, shown) => {
  expect(leads(location, "Zq8XvK2m/Geheim7K", "zq8xvk2m.geheim7k")).toBe(shown);
});

test.each([
  ["/x/Zq8XvK2m/login", "Zq8XvK2m", "https://api.example.com/x/[secret]/login"],
  ["/%5Aq8XvK2m/login", "Zq8XvK2m", "https://[secret]"],
  ["http://other.example/%5Aq8XvK2m", "Zq8XvK2m", "http://[secret]"],
  ["/a\tb", "Zq8XvK2m", "https://api.example.com/ab"],
  ["https://api.invalid/Zq8XvK2m\tGeheim7K", "Zq8XvK2m\tGeheim7K", "https://[secret]"],
  ["http://other.example/login", "http", "http://other.example/login"],
  ["HTTPS://other.example/login", "https", "https://other.example/login"],
  ["http://other.example/login", "http://other", "http://[secret]"],
])("of a Location of %j with the secret %j only %j is shown", (location, secret, shown) => {
  expect(leads(location, secret)).toBe(shown);
});

test("challenges, the reason, Server and Via are shown as they came, and without secrets", () => {
  const headers = {
    "www-authenticate": ['WSSE realm="x"', "Negotiate Zq8XvK2m"],
    "proxy-authenticate": "Basic",
    server: "ECD (Zq8XvK2m)",
    via: ["1.1 a", "1.1 b"],
  };
  expect(read({ status: 403, reason: "Zq8XvK2m is out", headers }, "Zq8XvK2m").quotes).toEqual({
    location: null,
    challenges: ['WSSE realm="x"', "Negotiate [secret]", "Basic"],
    reason: "[secret] is out",
    server: "ECD ([secret])",
    via: "1.1 a, 1.1 b",
  });
});

test.each<[status: number, reason: string, isShown: boolean]>([
  ...[403, 422, 503].map((status): [number, string, boolean] => [status, `${STATUS_CODES[status]}`, false]),
  [403, "forbidden", false],
  [401, " ", false],
  [403, "Unauthorized", true],
  [200, "Ok then", true],
])("the reason of %i %s is shown where it says more than the status: %s", (status, reason, isShown) => {
  expect(read({ status, reason }).quotes.reason).toBe(isShown ? reason : null);
});

const escaped = (text: string): string =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

test.each([
  ["escaped, behind a backslash", "Zq8XvK2m\\Geheim7K", (secret: string) => `\\${escaped(secret)}`],
  [
    "plain, behind a backslash that makes its first letter an escape",
    "fQQ5Ttf7Uq2Bw",
    (secret: string) => `\\${secret}`,
  ],
  ["plain, behind the start of a Unicode escape", "c09f2fb61bb9f5f7d3a1", (secret: string) => `\\u${secret}`],
  ["in base64, behind a backslash", "nZq8XvK2mGeheim7K", (secret: string) => `\\b${btoa(secret)}`],
  ["with two backslashes inside", "Zq8X\\\\vK2mGeheim", (secret: string) => secret],
  ["with a Unicode escape inside", "Zq8X\\u0041vK2mGeheim", (secret: string) => secret],
  ["with a backslash at its start", "\\nZq8XvK2mGeheim", (secret: string) => secret],
])("a secret that the parser of JSON half decodes is not shown: %s", (_, secret, sent) => {
  const message = (text: string) => read({ body: `{"message":"${text}"}` }, secret).message;
  expect(message(sent(secret))).toBe("[secret]");
  expect(message("C:\\\\temp is full")).toBe("C:\\temp is full");
});

test("a secret in the second challenge is not shown as its scheme, in small letters", () => {
  const headers = { "www-authenticate": ["WSSE", btoa("Zq8XvK2mGeheim7")] };
  expect(read({ status: 401, headers }, "Zq8XvK2mGeheim7").challenger).toEqual({
    kind: "other",
    scheme: "[secret]",
  });
});

describe("a response that uses up the budget of decoding", () => {
  const escapes = "%5c&#37;\\x".repeat(3_000);
  const parts = { headers: { server: "nginx", "x-note": "%41bcdefghijklmnopqrst" } };
  const secret = "Zq8XvK2mGeheim7K";

  test.each([
    ["in its message", { message: `${escapes} account is locked` }],
    ["in other fields", { [escapes]: 1, detail: `account_locked%41${"a".repeat(20)}`, error: escapes }],
  ])("%s keeps its outcome, its code and its lock, and what is left is masked", (_, fields) => {
    const refused = { ...parts, status: 401, body: JSON.stringify({ ...fields, code: 40_101 }) };
    const response = read(refused, secret);
    expect(response).toMatchObject({ message: "[secret]", withholds: true, code: 40_101 });
    expect([response.header("server"), response.header("x-note")]).toEqual(["nginx", "[secret]"]);
    expect(judged(replied(refused), 10, redactorOf([secret]))).toMatchObject({ kind: "rejected" });
    const accepted = { ...parts, body: JSON.stringify({ message: "Hi", ...fields, code: 200 }) };
    expect(judged(replied(accepted), 10, redactorOf([secret]))).toMatchObject({ kind: "accepted" });
  });

  test("leaves the next one its own", () => {
    const redact = redactorOf([secret]);
    expect(redact.forResponse()(escapes)).toBe("[secret]");
    expect(redact.forResponse()("%41bcdefghijklmnopqrst")).toBe("%41bcdefghijklmnopqrst");
  });
});

test("a text without an escape is shown beside one that holds a secret", () => {
  const body = '{"message":"no such user","detail":"\\fQQ5Ttf7Uq2Bw"}';
  expect(read({ body }, "fQQ5Ttf7Uq2Bw").message).toBe("no such user");
});

const locks =
  "Account locked|ACCOUNT_LOCKED|UserLockedOut|lock-out|TooManyAttempts|too many|attempts|Rate limit|ratelimit";
const others = "blocked|UNBLOCKED|unlocked|your clock is off|many|Blocked by administrator|lock|limit";

test("words or a code of a lock or a limit withhold requests at a 4xx other than 423 and 429, and at a JSON object of 500", () => {
  const bodies = (text: string): readonly string[] => [
    JSON.stringify({ error: { message: text } }),
    JSON.stringify({ errors: [{ code: text }], message: "No" }),
    JSON.stringify({ message: `${"x ".repeat(400)}${text}` }),
    JSON.stringify({ other: text }),
    `No: ${text}`,
    `<html>${text}`,
  ];
  for (const text of `${locks}|${others}`.split("|"))
    for (const [at, body] of bodies(text).entries())
      for (const [status, isRead] of [
        ...[400, 401, 403, 404, 418, 422].map((one) => [one, true] as const),
        ...[200, 302, 423, 429, 503].map((one) => [one, false] as const),
        [500, at < 4] as const,
      ])
        expect(read({ status, body }).withholds, `${status} ${body}`).toBe(
          isRead && locks.split("|").includes(text),
        );
  expect(read({ status: 401, body: '{"code":401,"message":"No","locked":false}' }).withholds).toBe(false);
});

// test/check/causes/texts/redirects.txt has what is said of each.
test.each([
  ["?lang=en", "same", "https://api.example.com/v1"],
  ["/v2/test-authentication//", "elsewhere", "https://api.example.com/v2"],
  ["https://other.example/test-authentication?key=x", "elsewhere", "https://other.example"],
  ["http://other.example/test-authentication", "clear-text", "http://other.example"],
  ["ftp://api.example.com/v1/test-authentication", undefined, undefined],
  ["/v1/test-authentication;jsessionid=1", undefined, undefined],
])("a redirect to %s is a move: %j, to %j", (location, to, baseUrl) => {
  const { move } = read({ status: 302, headers: { location } });
  expect(move?.isOtherHost ?? false).toBe(move !== null && location.includes("//other."));
  expect([move?.to, move?.baseUrl]).toEqual([to, baseUrl]);
});

test.each([
  [{}, null],
  [{ "content-encoding": ["identity", ""], "transfer-encoding": "chunked" }, null],
  [{ "content-encoding": "gzip" }, "gzip"],
  [{ "content-encoding": "identity , BR" }, "br"],
  [{ "transfer-encoding": ["chunked", "deflate"] }, "deflate"],
  [{ "content-encoding": "Zq8XvK2m" }, "[secret]"],
])("the coding of %j that was not asked for is %j", (headers, coding) => {
  expect(read({ headers }, "Zq8XvK2m").foreignCoding).toBe(coding);
});

test.each([
  ["{}", false],
  ['{"message":""}', false],
  ['{"message":7}', false],
  ['{"message":"m"}', true],
])("%s has a message: %s", (body, has) => {
  expect(read({ body }).hasMessage).toBe(has);
});

const said = { status: 401, body: '{"code":7,"message":"No   such user"}' };
test.each<[boolean, AnswerParts, AnswerParts]>([
  [true, said, said],
  [true, said, { ...said, body: '{"code":7,"message":"No such\\nuser"}' }],
  [true, { body: "try again at 12:00 please" }, { body: "try again at 13:30 please" }],
  [false, { body: "try again" }, { body: "try later" }],
  [false, said, { ...said, status: 403 }],
  [false, said, { ...said, body: '{"code":8,"message":"No such user"}' }],
  [false, said, { ...said, headers: { "content-type": "text/plain" } }],
])("two responses say the same: %s, %j and %j", (isSame, one, other) => {
  expect(read(one).saysTheSame(read(other))).toBe(isSame);
});
