import type { RuleId } from "../../src/check/outcome.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import type { CertificateFacts } from "../../src/http/failure.ts";
import { type AnswerParts, failed, proxyFailure, replied, repliedAt } from "../support/exchanges.ts";
import { type Case, hex40, token, wsse } from "./found.ts";

export const rejected = (
  headers: Record<string, string> = {},
  status = 401,
  body = '{"code":401,"message":"No"}',
): Exchange => replied({ status, headers, body });
export const accepted = (headers: AnswerParts["headers"] = {}): Exchange =>
  replied({
    body: '{"code":200,"message":"Hi"}',
    headers: {
      "cache-control": "no-cache",
      "access-control-allow-origin": "*",
      allow: "GET, OPTIONS",
      ...headers,
    },
  });
/** A Date field by which this clock is ahead by so many seconds. */
export const dated = (secondsAhead: number): Record<string, string> => ({
  date: new Date(repliedAt - secondsAhead * 1000).toUTCString(),
});
const page = (title: string): AnswerParts => ({
  body: `<html><title>${title}</title></html>`,
  headers: { "content-type": "text/html" },
});
const redirect = (location: string): Exchange => replied({ status: 302, headers: { location } });
export const facts: CertificateFacts = {
  subject: "api.example.com",
  issuer: "A CA",
  names: ["DNS:api.example.com"],
  validFrom: "Jan  1 2025",
  validTo: "Jan  1 2026",
  isServers: true,
  isAuthority: false,
};
export const tls = (code: string, certificate: CertificateFacts | null = facts, reason = ""): Exchange =>
  failed({ kind: "tls", code, reason, certificate });
const handshake = (code: string): Case => ({ exchange: tls(code, null) });
const proxied = (status: number | null, code = "REFUSED"): Case => ({
  exchange: failed(proxyFailure({ status, code })),
});
const unknownHost = failed({ kind: "lookup", host: "api.exmple.com", code: "ENOTFOUND" });

/** For each finding a case in which it must appear, and one, as near as can be, in which it must not. */
export const table = {
  "clock-ahead": [{ exchange: rejected(dated(400)) }, { exchange: rejected(dated(20)) }],
  "clock-behind": [{ exchange: accepted(dated(-400)) }, { exchange: accepted(dated(400)) }],
  "web-page": [{ exchange: replied(page("Sign in")) }, { exchange: replied({ body: "<html><body>" }) }],
  "redirect-host": [{ exchange: redirect("https://www.example.com/") }, { exchange: redirect("/sign-in") }],
  "redirect-https": [
    { exchange: redirect("https://api.example.com/v1"), url: "http://api.example.com/v1" },
    { exchange: redirect("https://api.example.com/v2") },
  ],
  "redirect-path": [{ exchange: redirect("../v2/") }, { exchange: replied({ status: 302 }) }],
  "credential-placeholder": [
    { exchange: rejected(), credential: token("$TOKEN") },
    { exchange: rejected(), credential: token("TOKEN") },
  ],
  "credential-quoted": [
    { exchange: rejected(), credential: token(`"${hex40}"`) },
    { exchange: accepted(), credential: token(`"${hex40}"`) },
  ],
  "credential-prefix": [
    { exchange: rejected(), credential: token(`Bearer ${hex40}`) },
    { exchange: rejected(), credential: token(hex40) },
  ],
  "credential-assignment": [
    { exchange: replied({ status: 400, body: "{}" }), credential: token(`TOKEN=${hex40}`) },
    { exchange: replied({ status: 404, body: "{}" }), credential: token(`TOKEN=${hex40}`) },
  ],
  "yaml-comment": [
    { exchange: rejected(), hints: { cutByComment: ["token in /rc, line 3"] } },
    { exchange: accepted(), hints: { cutByComment: ["token in /rc, line 3"] } },
  ],
  "username-secret-swapped": [
    { exchange: rejected(), credential: wsse({ username: "s3cret", secret: "me@example.com" }) },
    { exchange: rejected(), credential: wsse({ username: "me@example.com", secret: "you@example.com" }) },
  ],
  "not-retried": [
    { exchange: replied({ status: 503, headers: { "retry-after": "30" } }), notRetried: "not retried" },
    { exchange: replied({ status: 503, headers: { "retry-after": "30" } }) },
  ],
  "proxy-unreachable": [proxied(null, "ECONNREFUSED"), proxied(407)],
  "not-found": [{ exchange: replied({ status: 404 }) }, { exchange: replied({ status: 410 }) }],
  "gateway-challenge": [
    { exchange: rejected({ "www-authenticate": 'Basic realm="x"' }) },
    { exchange: rejected({ "www-authenticate": 'WSSE realm="x"' }) },
  ],
  "no-evidence": [{ exchange: rejected({}, 403, "error code: 1020") }, { exchange: rejected({}, 403) }],
  "maybe-refused": [
    { exchange: replied({ status: 401, bodyEnd: "connection" }) },
    { exchange: replied({ status: 401 }) },
  ],
  cached: [
    { exchange: replied({ status: 401, headers: { age: "2" } }) },
    { exchange: replied({ status: 401, headers: { age: "0" } }) },
  ],
  "not-diagnosed": [
    { exchange: replied({ status: 404 }), hasNothingToTry: true },
    { exchange: replied({ status: 404 }) },
  ],
  contradiction: [
    { exchange: replied({ body: '{"code":401,"message":"No"}' }) },
    { exchange: replied({ body: '{"code":"401","message":"No"}' }) },
  ],
  blocked: [{ exchange: rejected({ "cf-ray": "1" }, 403) }, { exchange: rejected({ "cf-ray": "1" }, 401) }],
  "rate-limit": [{ exchange: replied({ status: 429 }) }, { exchange: replied({ status: 503 }) }],
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
  "found-convention": [
    { exchange: rejected(), credential: wsse(), hints: { setByFoundFile: ["digest in /rc, line 1"] } },
    { exchange: replied({ status: 404 }), hints: { setByFoundFile: ["digest in /rc, line 1"] } },
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
  "certificate-unfit": [{ exchange: tls("INVALID_PURPOSE") }, { exchange: tls("INVALID_PURPOSE", null) }],
  "client-certificate": [
    handshake("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"),
    handshake("ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE"),
  ],
  "http-version": [
    handshake("ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL"),
    handshake("ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR"),
  ],
  "tls-version": [handshake("ERR_SSL_UNSUPPORTED_PROTOCOL"), handshake("ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR")],
  "unknown-server-name": [
    handshake("ERR_SSL_TLSV1_UNRECOGNIZED_NAME"),
    handshake("ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR"),
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
  "not-tls": [handshake("ERR_SSL_WRONG_VERSION_NUMBER"), handshake("ERR_SSL_NO_PROTOCOLS_AVAILABLE")],
  "not-a-proxy": [proxied(405), proxied(403)],
  "proxy-target": [proxied(503), proxied(403)],
  "proxy-refused": [proxied(407), proxied(null, "ECONNREFUSED")],
  "base-url-suffix": [{ exchange: accepted(), hints: { suffixGiven: true } }, { exchange: accepted() }],
  "unusual-headers": [{ exchange: accepted({ "cache-control": "max-age=60" }) }, { exchange: accepted() }],
} as const satisfies Record<RuleId, readonly [Case, Case]>;
