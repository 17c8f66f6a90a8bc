import { expect, test } from "vitest";
import { knownAccounts } from "../../src/emulator/accounts.ts";
import { answerTo, because, type ForcedAnswer, judged, reasonText } from "../../src/emulator/answer.ts";
import type { Service } from "../../src/emulator/credentials.ts";
import { judge } from "../../src/emulator/judge.ts";
import { sourceError } from "../../src/emulator/request.ts";
import { credentials, known, noBody, now, unsteered, withToken, withWsse, wsse } from "./support.ts";

/** The status of the response, what is special about it, and the reason. */
function decided(request: object, changes: Partial<Service> = {}) {
  const accounts = knownAccounts([known]);
  const service = { ...unsteered, accounts, nonces: new Set<string>(), ...changes };
  const path = "/test-authentication";
  const head = { method: "GET", path, target: path, hosts: ["localhost:1"], headers: {} };
  const loopback = { address: "127.0.0.1", port: 1, isSecure: false };
  const judgement = judge({ ...head, ...loopback, ...request }, noBody, service, now / 1000);
  const reason = reasonText(judgement.reasons);
  const { status, headers, body, end } = answerTo(judgement, service);
  const isJson = headers["Content-Type"] === "application/json";
  const message = isJson && end === undefined ? JSON.parse(body).message : body;
  return { status, message, headers, reason, end };
}

const token = withToken(credentials.token);
const challenge = { "WWW-Authenticate": 'WSSE realm="referral-auth emulator", profile="UsernameToken"' };
const json = { "Content-Type": "application/json", "Cache-Control": "no-cache" };
const allow = { Allow: "GET, OPTIONS" };
const granted = { ...allow, "Access-Control-Allow-Origin": "*" };
const retry = { "Retry-After": "1" };
const only = "path: only /test-authentication exists";
const methods = "method: only GET and OPTIONS are offered";
const greeting = "Hello, user! You are successfully authenticated with X-Auth-Token.";
const platform = "Hello, me@example.com! You are successfully authenticated on the platform.";
const refused = "The credentials were not accepted.";
const missing = "missing: neither X-WSSE nor X-Auth-Token was sent";

test.each<[object, number, string, object, string]>([
  [{ headers: token }, 200, greeting, granted, "accepted: X-Auth-Token"],
  [{ headers: withWsse(wsse()) }, 200, platform, granted, "accepted: X-WSSE"],
  [{ headers: withToken("wrong") }, 401, refused, challenge, "token: is not this server's"],
  [{ headers: withWsse(wsse({ username: "a@b.cd" })) }, 401, refused, challenge, "unknown user: "],
  [{ headers: withWsse(wsse({ secret: "wrong" })) }, 401, refused, challenge, "digest: does not match"],
  [{ headers: withWsse("") }, 401, refused, challenge, "malformed: X-WSSE does not begin with UsernameToken"],
  [{}, 401, "No credentials were sent.", challenge, missing],
  [{ method: "OPTIONS" }, 204, "", allow, "options"],
  [{ method: "HEAD", headers: token }, 405, "Method Not Allowed.", allow, methods],
  [{ path: "/test-authentication/", headers: token }, 404, "Not Found.", {}, only],
  [{ path: "/Test-Authentication", headers: token }, 404, "Not Found.", {}, only],
  [{ path: "/api/test-authentication" }, 404, "Not Found.", {}, `${only}; the base URL has no path here`],
  [{ hosts: ["evil.example"], path: "/", headers: token }, 421, "Misdirected Request.", {}, "host: "],
  [{ headers: { ...token, origin: ["http://evil.example"] } }, 403, "Forbidden.", {}, "origin: "],
])("%j gets %i", (request, status, message, headers, reason) => {
  const body = status === 204 ? {} : json;
  const expected = { status, message, headers: { ...body, ...headers } };
  expect(decided(request)).toEqual({ ...expected, reason: expect.stringContaining(reason) });
});

test("the first reason is told to the client, and only with --explain, also that of a forced answer", () => {
  const headers = withWsse(wsse({ secret: "other", now: now - 400_000 }));
  const first = "digest: does not match text-nonce with sha1";
  const reason = `${first}; stale: Created is 400 s behind this server; 300 s are allowed`;
  expect(decided({ headers })).toMatchObject({ message: refused, reason });
  const message = `The credentials were not accepted: ${first}.`;
  expect(decided({ headers }, { explain: true })).toMatchObject({ message, reason });
  const forced = decided({}, { answer: 503, explain: true });
  expect(forced.message).toBe("Service Unavailable: forced: answer 503.");
});

const page = "<!doctype html>\n<title>Sign in to this network</title>\n<p>This is not the API.</p>\n";
const html = { "Content-Type": "text/html; charset=utf-8" };
const text = expect.stringMatching(/.\.$/);

test.each<[ForcedAnswer, number, unknown, object, string?]>([
  ...[200, 401, 405, 418, 599].map(
    (status) => [status, status, text, {}] as [number, number, unknown, object],
  ),
  [429, 429, "Too Many Requests.", retry],
  [503, 503, "Service Unavailable.", retry],
  [204, 204, "", {}],
  [304, 304, "", {}],
  ["html", 200, page, html],
  ["redirect", 302, "", { Location: "/sign-in" }],
  ["slow", 200, '{"code": 200, ', {}, "never"],
  ["reset", 200, "", {}, "reset"],
])("--answer %s is forced on every method of the endpoint", (forced, status, message, headers, end) => {
  for (const request of [{ headers: token }, { headers: token, method: "POST" }, { method: "OPTIONS" }]) {
    const decision = decided(request, { answer: forced });
    expect(decision).toMatchObject({ status, message, headers, reason: `forced: answer ${forced}`, end });
    expect("Retry-After" in decision.headers).toBe("Retry-After" in headers);
  }
  expect(decided({ path: "/" }, { answer: forced }).status).toBe(404);
  expect(decided({ hosts: ["evil.example"] }, { answer: forced }).status).toBe(421);
  expect(decided({ headers: { origin: ["null"] } }, { answer: forced }).status).toBe(403);
});

const own = { address: "127.0.0.1", port: 8080, isSecure: false };
const asIs = (sent: string): string => sent;

test.each<[string, string, { address?: string; port?: number; isSecure?: boolean; allowed?: string[] }?]>([
  ["own", "127.0.0.1:8080"],
  ["own", "LocalHost:8080"],
  ["own", "[::1]:8080"],
  ["own", "127.0.0.1", { port: 80 }],
  ["own", "127.0.0.1", { port: 443, isSecure: true }],
  ["another", "127.0.0.1", { port: 443 }],
  ["another", "127.0.0.1", { port: 80, isSecure: true }],
  ["own", "192.0.2.7:8080", { address: "192.0.2.7" }],
  ["own", "192.0.2.7:8080", { address: "::ffff:192.0.2.7" }],
  ["own", "[2001:db8::7]:8080", { address: "2001:db8::7" }],
  ["own", "API:9090", { allowed: ["api"] }],
  ["own", "api:9090", { allowed: ["api:9090"] }],
  ["own", "[2001:db8::1]:1", { allowed: ["[2001:db8::1]"] }],
  ["another", "evil.example:8080", { allowed: ["api"] }],
  ["another", "127.0.0.1"],
  ["another", "127.0.0.1:"],
  ["another", "127.0.0.1.evil.example:8080"],
  ["another", "user@127.0.0.1:8080"],
  ["another", "0.0.0.0:8080"],
  ["another", "127.0.0.2:8080"],
  ["another", "192.0.2.8:8080", { address: "192.0.2.7" }],
  ["another", "", { allowed: ["api"] }],
  ["another", "api.evil.example", { allowed: ["api"] }],
  ["another", "api:9091", { allowed: ["api:9090"] }],
])("a request is for %s server: %j where %j", (whose, host, { allowed = [], ...at } = {}) => {
  const error = sourceError({ ...own, target: "/", ...at, hosts: [host], headers: {} }, allowed, asIs);
  const detail = /^this server is [^;]+; the request is for "[^;]*"; other names/;
  const refusal = judged(421, [because("host", expect.stringMatching(detail))]);
  expect(error).toEqual(whose === "own" ? null : refusal);
});

test("a request from a page of another site is refused, and uses up no planned answer", () => {
  const service = { answers: [{ status: 418 }] };
  const from = (site: string) => decided({ headers: { ...token, "sec-fetch-site": [site] } }, service).status;
  expect(["cross-site", "same-origin", "same-site", "none"].map(from)).toEqual([403, 418, 200, 200]);
});
