import { describe, expect, test } from "vitest";
import type { RuleId } from "../../src/check/outcome.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import type { CertificateFacts } from "../../src/http/failure.ts";
import { type AnswerParts, failed, replied, repliedAt } from "../support/exchanges.ts";
import { type Case, findingsIn, hex40, token, wsse } from "./found.ts";

const idsOf = (wanted: Case): readonly string[] => findingsIn(wanted).map(({ id }) => id);

const answer = (parts: AnswerParts): Exchange => replied(parts);
const rejected = (
  headers: Record<string, string> = {},
  status = 401,
  body = '{"code":401,"message":"No"}',
): Exchange => replied({ status, headers, body });
const accepted = (headers: Record<string, string> = {}): Exchange =>
  replied({
    body: '{"code":200,"message":"Hi"}',
    headers: {
      "cache-control": "no-cache",
      "access-control-allow-origin": "*",
      allow: "GET, OPTIONS",
      ...headers,
    },
  });
const dated = (secondsAhead: number): Record<string, string> => ({
  date: new Date(repliedAt - secondsAhead * 1000).toUTCString(),
});
const page = (title: string): AnswerParts => ({
  body: `<html><title>${title}</title></html>`,
  headers: { "content-type": "text/html" },
});
const redirect = (location: string): Exchange => answer({ status: 302, headers: { location } });
const facts: CertificateFacts = {
  subject: "api.example.com",
  issuer: "A CA",
  names: ["DNS:api.example.com"],
  validFrom: "Jan  1 2025",
  validTo: "Jan  1 2026",
};
const tls = (code: string, certificate: CertificateFacts | null = facts): Exchange =>
  failed({ kind: "tls", code, certificate });
const unknownHost = failed({ kind: "lookup", host: "api.exmple.com", code: "ENOTFOUND" });

/** The exchange with further header fields, where it is an answer. */
function withFields(exchange: Exchange, fields: Readonly<Record<string, string>>): Exchange {
  if (exchange.kind !== "response") return exchange;
  const added = Object.entries(fields).map(([name, value]) => ({ name, value }));
  return {
    ...exchange,
    response: { ...exchange.response, headers: [...exchange.response.headers, ...added] },
  };
}

const proxyFailure = (status: number | null) =>
  failed({ kind: "proxy", host: "p", port: 3128, status, code: "REFUSED" });

/** For each finding a case in which it must appear, and one, as near as can be, in which it must not. */
const table = {
  "clock-ahead": [{ exchange: rejected(dated(400)) }, { exchange: rejected(dated(20)) }],
  "clock-behind": [{ exchange: accepted(dated(-400)) }, { exchange: accepted(dated(400)) }],
  "web-page": [{ exchange: answer(page("Sign in")) }, { exchange: answer({ body: "<html><body>" }) }],
  "redirect-host": [{ exchange: redirect("https://www.example.com/") }, { exchange: redirect("/sign-in") }],
  "redirect-https": [
    { exchange: redirect("https://api.example.com/v1"), url: "http://api.example.com/v1" },
    { exchange: redirect("https://api.example.com/v2") },
  ],
  "redirect-path": [{ exchange: redirect("../v2/") }, { exchange: answer({ status: 302 }) }],
  "not-found": [{ exchange: answer({ status: 404 }) }, { exchange: answer({ status: 410 }) }],
  "gateway-challenge": [
    { exchange: rejected({ "www-authenticate": 'Basic realm="x"' }) },
    { exchange: rejected({ "www-authenticate": 'WSSE realm="x"' }) },
  ],
  "no-evidence": [{ exchange: rejected({}, 403, "error code: 1020") }, { exchange: rejected({}, 403) }],
  contradiction: [
    { exchange: answer({ body: '{"code":401,"message":"No"}' }) },
    { exchange: answer({ body: '{"code":"401","message":"No"}' }) },
  ],
  blocked: [{ exchange: rejected({ "cf-ray": "1" }, 403) }, { exchange: rejected({ "cf-ray": "1" }, 401) }],
  "rate-limit": [{ exchange: answer({ status: 429 }) }, { exchange: answer({ status: 503 }) }],
  "token-shape": [
    { exchange: rejected(), credential: token("short") },
    { exchange: accepted(), credential: token("short") },
  ],
  "secret-looks-like-token": [
    { exchange: rejected(), credential: wsse({ secret: hex40 }) },
    { exchange: rejected(), credential: wsse() },
  ],
  "nonce-shape": [
    { exchange: rejected(), credential: wsse({}, "base64-nonce") },
    { exchange: rejected(), credential: wsse({}, "text-nonce") },
  ],
  "white-space": [
    { exchange: rejected(), credential: token("two words") },
    { exchange: rejected(), credential: token("two-words") },
  ],
  "username-shape": [
    { exchange: rejected(), credential: wsse({ username: "me" }) },
    { exchange: rejected(), credential: wsse({ username: "me@example.com" }) },
  ],
  "hidden-setting": [
    { exchange: rejected(), hints: { hidden: [{ by: "REFERRAL_TOKEN", place: "token in /rc, line 1" }] } },
    { exchange: accepted(), hints: { hidden: [{ by: "REFERRAL_TOKEN", place: "token in /rc, line 1" }] } },
  ],
  "misspelt-host": [
    { exchange: unknownHost, hints: { otherHosts: ["api.exmple.com", "api.example.com"] } },
    { exchange: unknownHost, hints: { otherHosts: ["api.exmple.com", "other.example.com"] } },
  ],
  "certificate-expired": [{ exchange: tls("CERT_HAS_EXPIRED") }, { exchange: tls("CERT_NOT_YET_VALID") }],
  "certificate-not-yet-valid": [
    { exchange: tls("CERT_NOT_YET_VALID") },
    { exchange: tls("CERT_HAS_EXPIRED") },
  ],
  "certificate-host": [
    { exchange: tls("ERR_TLS_CERT_ALTNAME_INVALID") },
    { exchange: tls("CERT_HAS_EXPIRED") },
  ],
  "certificate-self-signed": [
    { exchange: tls("DEPTH_ZERO_SELF_SIGNED_CERT") },
    { exchange: tls("DEPTH_ZERO_SELF_SIGNED_CERT", null) },
  ],
  "certificate-unknown-ca": [
    { exchange: tls("UNABLE_TO_VERIFY_LEAF_SIGNATURE") },
    { exchange: tls("ECONNRESET", null) },
  ],
  "not-tls": [
    { exchange: tls("ERR_SSL_WRONG_VERSION_NUMBER", null) },
    { exchange: tls("ERR_SSL_NO_PROTOCOLS_AVAILABLE", null) },
  ],
  "proxy-refused": [
    { exchange: proxyFailure(407), proxy: "http://p:3128" },
    { exchange: proxyFailure(null), proxy: "http://p:3128" },
  ],
  "base-url-suffix": [{ exchange: accepted(), hints: { suffixGiven: true } }, { exchange: accepted() }],
  "unusual-headers": [{ exchange: accepted({ "cache-control": "max-age=60" }) }, { exchange: accepted() }],
} as const satisfies Record<RuleId, readonly [Case, Case]>;

describe.each(Object.entries(table))("the finding %s", (id, [present, absent]) => {
  test("appears where it must", () => {
    expect(idsOf(present)).toContain(id);
  });

  test("does not appear where it must not", () => {
    expect(idsOf(absent)).not.toContain(id);
  });
});

test("what is measured stands before what is possible, and remarks stand last, whatever comes together", () => {
  const remarks: readonly string[] = ["base-url-suffix", "unusual-headers"] satisfies readonly RuleId[];
  const ranks = { proved: 0, measured: 1, possible: 2 };
  const cases: readonly Case[] = Object.values(table).flat();
  const dates = { date: new Date(repliedAt - 400_000).toUTCString() };
  const together = cases.flatMap(({ exchange, ...one }) =>
    cases.map(({ credential = one.credential, hints, proxy = one.proxy }) => ({
      exchange: withFields(exchange, dates),
      ...(one.url !== undefined && { url: one.url }),
      ...(credential !== undefined && { credential }),
      ...(proxy !== undefined && { proxy }),
      hints: { ...one.hints, ...hints, suffixGiven: true },
    })),
  );

  const seen = together.map((each) =>
    findingsIn(each).map(({ id, certainty }) => (remarks.includes(id) ? 3 : ranks[certainty])),
  );
  for (const order of seen) expect(order).toEqual(order.toSorted());
  expect(seen).toContainEqual([1, 2, 2, 3]);
});

test("a firewall's refusal in plain text may be a firewall's", () => {
  const exchange = rejected({ "cf-ray": "1" }, 403, "error code: 1020");
  expect(idsOf({ exchange })).toEqual(["no-evidence", "blocked"]);
});

test("a plain success has no findings", () => {
  expect(idsOf({ exchange: accepted() })).toEqual([]);
});

test.each([
  [
    "a 404 of an URL with the endpoint in it",
    answer({ status: 404 }),
    { suffixGiven: true },
    /^Remove \/test-auth/,
  ],
  ["a 404 of one without", answer({ status: 404 }), {}, /version or prefix may be missing/],
])("the advice for %s fits", (_, exchange, hints, fix) => {
  expect(findingsIn({ exchange, hints }).map((finding) => finding.fix)).toContainEqual(
    expect.stringMatching(fix),
  );
});

test.each([
  ["of a host without other names", "ERR_TLS_CERT_ALTNAME_INVALID", [], / is for api\.example\.com$/],
  ["of another host", "ERR_TLS_CERT_ALTNAME_INVALID", ["DNS:x"], / is for x$/],
  ["that signs itself", "DEPTH_ZERO_SELF_SIGNED_CERT", [], / is signed by itself$/],
  ["of an own CA", "SELF_SIGNED_CERT_IN_CHAIN", [], / is signed by a CA that is not known here$/],
])("what is measured of a certificate %s is said", (_, code, names, message) => {
  expect(findingsIn({ exchange: tls(code, { ...facts, names }) })[0]?.message).toMatch(message);
});
