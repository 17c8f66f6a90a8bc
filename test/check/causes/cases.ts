import type { RuleId } from "../../../src/check/result.ts";
import { connectionCauses } from "./connection-cases.ts";
import { accepted, answered, dated, leading, page, refusal, refused, silent, success } from "./exchanges.ts";
import { type CauseCase, hex40, token, wsse } from "./found.ts";

const usual = token(hex40);
const busy = { status: 503, headers: { "retry-after": "30" } };
const cut = { cutByComment: ["token in /rc, line 3"] };
const hidden = { hidden: [{ by: "REFERRAL_TOKEN", place: "token in /rc, line 1" }] };
const found = { setByFoundFile: ["digest in /rc, line 1"] };
const all = { unusedProxy: "all_proxy" };

/** A row for each finding that one exchange can show. */
export const causes = {
  ...connectionCauses,
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
    "something asks for other credentials (basic)",
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
    "a cache answered (Age: 2), not the API",
  ],
  contradiction: [
    answered({ body: '{"code":401}' }),
    answered({ body: '{"code":"401"}' }),
    "its code is 401",
  ],
  "account-locked": [
    answered({ status: 401, body: `{"error":"locked"}` }),
    answered({ status: 401, body: `{"error":"blocked"}` }),
    "may have locked",
  ],
  blocked: [
    answered({ status: 403, body: '{"message":"Blocked"}' }),
    refusal({ "cf-ray": "1" }, 403),
    "may have blocked the request",
  ],
  "rate-limit": [answered({ status: 429 }), answered({ status: 503 }), "too many requests (429)"],
  "base-url-suffix": [
    success({ hints: { suffixGiven: true } }),
    success(),
    "already ends in /test-authentication",
  ],
  "unused-proxy": [{ ...silent, hints: all }, success({ hints: all }), "all_proxy is set, and this tool"],
  "not-allowed": [refusal({}, 403), refusal({}, 403, ""), "and not allow it to do this: a 403 can mean that"],
} as const satisfies Record<RuleId, CauseCase>;
