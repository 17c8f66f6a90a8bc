import type { RuleId } from "../../../src/check/result.ts";
import {
  accepted,
  answered,
  certificate,
  dated,
  handshake,
  leading,
  lookup,
  page,
  proxied,
  refusal,
  refused,
  silent,
  success,
} from "./exchanges.ts";
import { type Case, hex40, token, wsse } from "./found.ts";

/** One cause: a case that shows it, a similar one that does not, and a part of its sentence. */
type CauseCase = readonly [shows: Case, near: Case, says: string];

const usual = token(hex40);
const busy = { status: 503, headers: { "retry-after": "30" } };
const cut = { cutByComment: ["token in /rc, line 3"] };
const hidden = { hidden: [{ by: "REFERRAL_TOKEN", place: "token in /rc, line 1" }] };
const found = { setByFoundFile: ["digest in /rc, line 1"] };
const internal = handshake("ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR");

/** A row for each finding that one exchange can show. */
export const causes = {
  "proxy-unreachable": [proxied(null, "ECONNREFUSED"), proxied(407), "broke the connection (ECONNREFUSED)"],
  "proxy-target": [proxied(503), proxied(403), "with 503: it could not reach api.example.com port 443"],
  "proxy-refused": [proxied(407), proxied(null, "ECONNREFUSED"), "it asks for credentials of its own"],
  "not-a-proxy": [proxied(405), proxied(403), "it is a web server and no proxy, or it allows no https"],
  "misspelt-host": [
    lookup("api.exmple.com", "api.example.com"),
    lookup("api.exmple.com", "other.example.com"),
    "api.exmple.com differs in one letter from api.example.com, which is set too",
  ],
  "certificate-expired": [
    certificate("CERT_HAS_EXPIRED"),
    certificate("CERT_NOT_YET_VALID"),
    "the certificate of api.example.com, issued by A CA, expired on Jan  1 2026",
  ],
  "certificate-not-yet-valid": [
    certificate("CERT_NOT_YET_VALID"),
    certificate("CERT_HAS_EXPIRED"),
    "is not valid before Jan  1 2025",
  ],
  "certificate-unfit": [
    certificate("INVALID_PURPOSE"),
    certificate("INVALID_PURPOSE", null),
    "is not meant for servers (key usage or extended key usage)",
  ],
  "certificate-host": [
    certificate("ERR_TLS_CERT_ALTNAME_INVALID"),
    certificate("CERT_HAS_EXPIRED"),
    "issued by A CA, is for api.example.com",
  ],
  "certificate-self-signed": [
    certificate("DEPTH_ZERO_SELF_SIGNED_CERT"),
    certificate("DEPTH_ZERO_SELF_SIGNED_CERT", null),
    "is signed by itself",
  ],
  "certificate-unknown-ca": [
    certificate("UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
    certificate("ECONNRESET", null),
    "is signed by a CA that is not known here",
  ],
  "client-certificate": [
    handshake("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"),
    handshake("ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE"),
    "the server wants a client certificate, and this tool sends none",
  ],
  "http-version": [
    handshake("ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL"),
    internal,
    "may speak HTTP/2 alone",
  ],
  "tls-version": [handshake("ERR_SSL_UNSUPPORTED_PROTOCOL"), internal, "neither TLS 1.2 nor TLS 1.3"],
  "unknown-server-name": [
    handshake("ERR_SSL_TLSV1_UNRECOGNIZED_NAME"),
    internal,
    "the server has no certificate for the name api.example.com",
  ],
  "not-tls": [
    handshake("ERR_SSL_WRONG_VERSION_NUMBER"),
    handshake("ERR_SSL_NO_PROTOCOLS_AVAILABLE"),
    "port 443 answered, but does not speak TLS",
  ],
  "https-expected": [{ ...silent, url: "http://api.example.com/v1" }, silent, "port 80 may expect https"],
  "clock-ahead": [refusal(dated(400)), refusal(dated(20)), "6 minutes 40 seconds ahead of the server"],
  "clock-behind": [
    { exchange: accepted(dated(-400)) },
    { exchange: accepted(dated(400)) },
    "this clock is 6 minutes 40 seconds behind the server",
  ],
  "credential-placeholder": [refused(token("$TOKEN")), refused(token("TOKEN")), "the form of a variable"],
  "credential-quoted": [
    refused(token(`"${hex40}"`)),
    success({ credential: token(`"${hex40}"`) }),
    "the token has quotation marks around it",
  ],
  "credential-prefix": [
    refused(token(`Bearer ${hex40}`)),
    refused(token(`"${hex40}"`)),
    "a header name or scheme before it",
  ],
  "credential-assignment": [
    answered({ status: 400, body: "{}" }, { credential: token(`TOKEN=${hex40}`) }),
    answered({ status: 404, body: "{}" }, { credential: token(`TOKEN=${hex40}`) }),
    "the token has a name and an equals sign or colon before it",
  ],
  "yaml-comment": [
    answered({ status: 401, body: "No" }, { hints: cut }),
    success({ hints: cut }),
    "the value of token in /rc, line 3 may be cut",
  ],
  "username-secret-swapped": [
    refused(wsse({ username: "s3cret", secret: "me@example.com" })),
    refused(wsse({ username: "me@example.com", secret: "you@example.com" })),
    "the secret is an e-mail address and the username is not",
  ],
  "token-shape": [refused(token("short")), success({ credential: token("short") }), "has 5 characters; the"],
  "secret-looks-like-token": [refused(wsse({ secret: hex40 })), refused(wsse()), "the shape of an API token"],
  "nonce-shape": [
    refused(wsse({}, "base64-nonce")),
    refused(wsse({}, "text-nonce")),
    "with base64-nonce the Nonce",
  ],
  "white-space": [refused(token("two words")), refused(token("two-words")), "the token contains white space"],
  "username-shape": [
    refused(wsse({ username: "me" })),
    refused(wsse({ username: "me@example.com" })),
    "the username is not an e-mail address",
  ],
  "hidden-setting": [
    refused(usual, hidden),
    success({ hints: hidden }),
    "REFERRAL_TOKEN is used and hides a different value (token in /rc, line 1)",
  ],
  "found-convention": [
    refused(wsse(), found),
    answered({ status: 404 }, { hints: found }),
    "an rc file that was only found in the working tree sets how it is sent: digest in /rc, line 1",
  ],
  "web-page": [answered(page("Sign in")), answered({ body: "<html><body>" }), 'titled "Sign in"'],
  "redirect-host": [leading("https://www.example.com/"), leading("/sign-in"), "another host: https://www."],
  "redirect-https": [
    leading("https://api.example.com/v1", "http://api.example.com/v1"),
    leading("https://api.example.com/v2"),
    "it redirects to https on the same host",
  ],
  "redirect-path": [leading("../v2/"), answered({ status: 302 }), "to the path /v2/ of the same host"],
  "not-retried": [answered(busy, { notRetried: "not retried: why" }), answered(busy), "not retried: why"],
  "not-found": [answered({ status: 404 }), answered({ status: 410 }), "/v1 of the base URL may be wrong"],
  "gateway-challenge": [
    refusal({ "www-authenticate": 'Basic realm="x"' }),
    refusal({ "www-authenticate": 'WSSE realm="x"' }),
    "the response asks for basic authentication; this API takes only X-WSSE and X-Auth-Token",
  ],
  gateway: [
    refusal({ "x-amzn-errortype": "ForbiddenException" }, 403),
    refusal({ "x-amzn-requestid": "1" }, 403),
    "AWS API Gateway made this response itself: it has X-Amzn-ErrorType: ForbiddenException",
  ],
  "no-evidence": [
    refusal({}, 403, "error code: 1020"),
    refusal({}, 403),
    "has a body that is not JSON; evidence",
  ],
  "maybe-refused": [
    answered({ status: 401, bodyEnd: "connection" }),
    answered({ status: 401 }),
    "the API may have refused the credential",
  ],
  cached: [
    answered({ status: 401, headers: { age: "2" } }),
    answered({ status: 401, headers: { age: "0" } }),
    "Age: 2 shows that a cache made the response for another request",
  ],
  contradiction: [
    answered({ body: '{"code":401}' }),
    answered({ body: '{"code":"401"}' }),
    "the code is 401",
  ],
  "account-locked": [
    answered({ status: 401, body: `{"error":"locked"}` }),
    answered({ status: 401, body: `{"error":"blocked"}` }),
    "may have locked",
  ],
  blocked: [refusal({ "cf-ray": "1" }, 403), refusal({ "cf-ray": "1" }, 401), "may have blocked the request"],
  "rate-limit": [answered({ status: 429 }), answered({ status: 503 }), "limits the rate of requests"],
  "base-url-suffix": [
    success({ hints: { suffixGiven: true } }),
    success(),
    "already ends in /test-authentication",
  ],
  "not-allowed": [refusal({}, 403), refusal({}, 403, ""), "and not allow it to do this: a 403 can mean that"],
} as const satisfies Record<RuleId, CauseCase>;
