import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { Rule } from "../../../src/check/causes/evidence.ts";
import { measured } from "../../../src/check/result.ts";
import { headerValue } from "../../../src/http/exchange.ts";
import { redactorOf } from "../../../src/redaction/redact.ts";
import { type AnswerParts, judged, read, replied } from "../../support/exchanges.ts";

test("a rule cannot quote a field of the raw response: this does not compile", () => {
  const slip: Rule = ({ exchange }) =>
    exchange.kind === "response" &&
    // @ts-expect-error: a rule has what was read of the response, not the response.
    measured("web-page", `a static file server answered: ${headerValue(exchange.response, "server")}`, []);
  expect(slip).toBeInstanceOf(Function);
});

test("a rule can quote a field that was searched, and nothing shows the response itself", () => {
  const response = read({ headers: { server: "nginx Zq8XvK2m" }, body: "Zq8XvK2m" }, "Zq8XvK2m");
  expect(response.header("Server")).toBe("nginx [secret]");
  expect(response.header("via")).toBeNull();
  const shown = `${JSON.stringify(response)}${inspect(response, { depth: 9, showHidden: true })}`;
  expect(shown).not.toContain("Zq8XvK2m");
});

test.each([
  ["https://api.invalid/Zq8XvK2m\\Geheim7K/login", "/[secret]/login"],
  ["/Zq8XvK2m/./Geheim7K/login", "/[secret]/login"],
  ["/Zq8XvK2m/x/../Geheim7K", "/[secret]"],
  ["/x/../Zq8XvK2m\\Geheim7K", "/[secret]"],
])("a secret that a URL makes of a Location is not shown in its path: %s", (location, path) => {
  const response = read({ status: 302, headers: { location } }, "Zq8XvK2m/Geheim7K");
  expect(response.redirectOf(new URL("https://api.invalid/"))?.path).toBe(path);
});

test.each([
  ["//Zq8XvK2m\u3002example/", "zq8xvk2m.example", "https://[secret]", null],
  ["//zq8xvk2m/./Geheim7K/test-authentication", "zq8xvk2m/Geheim7K", "https://zq8xvk2m", "https://[secret]"],
])("nor is it shown in the host or base URL of one: %s", (location, secret, origin, baseUrl) => {
  const target = read({ headers: { location } }, secret).redirectOf(new URL("https://api.invalid/"));
  expect(target).toMatchObject({ origin, baseUrl });
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
    expect(response).toMatchObject({ message: "[secret]", saysLocked: true, code: 40_101 });
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

test("a secret with a tab is not shown without it, as a URL reads a Location", () => {
  const response = read(
    { headers: { location: "https://api.invalid/Zq8XvK2m\tGeheim7K" } },
    "Zq8XvK2m\tGeheim7K",
  );
  expect(response.redirectOf(new URL("https://api.invalid/"))?.path).toBe("[secret]");
});

test("a text without an escape is shown beside one that holds a secret", () => {
  const body = '{"message":"no such user","detail":"\\fQQ5Ttf7Uq2Bw"}';
  expect(read({ body }, "fQQ5Ttf7Uq2Bw").message).toBe("no such user");
});

test.each([
  ...[true, false].flatMap((expected) =>
    (expected
      ? [
          "Account locked",
          "account_locked",
          "UserLockedOut",
          "lock-out",
          "TooManyAttempts",
          "too many failed logins",
        ]
      : ["blocked", "UNBLOCKED, deadlocked", "your clock is off", "unlocked", "many"]
    ).map((message) => [expected, message] as const),
  ),
])("%j is whether words stop experiments: %s", (expected, message) => {
  expect(read({ status: 401, body: JSON.stringify({ error: { message } }) }).saysLocked).toBe(expected);
});

const base = new URL("http://api.example/v1");
test.each([
  ["ftp://api.example/v1/test-authentication", "protocol"],
  ["http://other.example/v1/test-authentication", "host"],
  ["https://other.example/v1/test-authentication", "host"],
  ["https://api.example/v1/test-authentication", "https"],
  ["http://api.example:8080/v1/test-authentication", "port"],
  ["/v1/test-authentication/", "slash"],
  ["/v1/test-authentication?a", "query"],
  ["/v1/test-authentication", "query"],
  ["/v2/test-authentication", "path"],
])("a redirect to %s differs in its %s", (location, part) => {
  expect(read({ status: 302, headers: { location } }).redirectOf(base)?.differs).toBe(part);
});

test.each([
  ["http://api.example", "http"],
  ["https://api.example:8443", "port"],
])("a redirect from https to %s is to another %s, not to https", (origin, part) => {
  const response = read({ status: 302, headers: { location: `${origin}/v1/test-authentication` } });
  expect(response.redirectOf(new URL("https://api.example/v1"))?.differs).toBe(part);
});

test.each([
  ["/v2/test-authentication", "http://api.example/v2"],
  ["/v2/test-authentication/", "http://api.example/v2"],
  ["/v2/test-authentication//", "http://api.example/v2"],
  ["/v2/", null],
])("a redirect to %s names the base URL %s", (location, baseUrl) => {
  expect(read({ status: 302, headers: { location } }).redirectOf(base)?.baseUrl).toBe(baseUrl);
});

test.each([[], "http://["])("a redirect to %j leads nowhere", (location) => {
  expect(read({ status: 302, headers: { location } }).redirectOf(base)).toBeNull();
});

test.each([
  ["/x/Zq8XvK2m/login", "Zq8XvK2m", "http://api.example", "/x/[secret]/login"],
  ["/%5Aq8XvK2m/login", "Zq8XvK2m", "http://[secret]", "[secret]"],
  ["http://other.example/%5Aq8XvK2m", "Zq8XvK2m", "http://[secret]", "[secret]"],
  ["/a\tb", "Zq8XvK2m", "http://api.example", "/ab"],
  ["http://other.example/login", "http", "http://other.example", "/login"],
  ["HTTPS://other.example/login", "https", "https://other.example", "/login"],
  ["http://other.example/login", "http://other", "http://[secret]", "[secret]"],
])("of a redirect to %j with the secret %j only %j and %j are shown", (location, secret, origin, path) => {
  expect(read({ status: 302, headers: { location } }, secret).redirectOf(base)).toMatchObject({
    origin,
    path,
  });
});

test("all values of a field are quoted", () => {
  expect(read({ headers: { via: ["1.1 a", "1.1 b"] } }).header("via")).toBe("1.1 a, 1.1 b");
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
