import type { RuleId } from "../../../src/check/outcome.ts";
import { replied } from "../../support/exchanges.ts";
import { accepted, type CauseCase, page, redirect, rejected } from "./exchanges.ts";

/** The causes that a response shows. */
export const responseCases = {
  "web-page": {
    shows: { exchange: replied(page("Sign in")) },
    near: { exchange: replied({ body: "<html><body>" }) },
    says: 'the page is titled "Sign in"',
  },
  "redirect-host": {
    shows: { exchange: redirect("https://www.example.com/") },
    near: { exchange: redirect("/sign-in") },
    says: "it redirects to another host: https://www.example.com",
  },
  "redirect-https": {
    shows: { exchange: redirect("https://api.example.com/v1"), url: "http://api.example.com/v1" },
    near: { exchange: redirect("https://api.example.com/v2") },
    says: "it redirects to https on the same host",
  },
  "redirect-path": {
    shows: { exchange: redirect("../v2/") },
    near: { exchange: replied({ status: 302 }) },
    says: "it redirects to the path /v2/ of the same host",
  },
  "not-retried": {
    shows: {
      exchange: replied({ status: 503, headers: { "retry-after": "30" } }),
      notRetried: "not retried: why",
    },
    near: { exchange: replied({ status: 503, headers: { "retry-after": "30" } }) },
    says: "not retried: why",
  },
  "not-found": {
    shows: { exchange: replied({ status: 404 }) },
    near: { exchange: replied({ status: 410 }) },
    says: "the path /v1 of the base URL may be wrong",
  },
  "gateway-challenge": {
    shows: { exchange: rejected({ "www-authenticate": 'Basic realm="x"' }) },
    near: { exchange: rejected({ "www-authenticate": 'WSSE realm="x"' }) },
    says: "the response asks for basic authentication; this API takes only X-WSSE and X-Auth-Token",
  },
  "no-evidence": {
    shows: { exchange: rejected({}, 403, "error code: 1020") },
    near: { exchange: rejected({}, 403) },
    says: "the response has a body that is not JSON; evidence would be a body that is declared empty, or a JSON object, or a challenge of WSSE, UsernameToken, Token or X-Auth-Token",
  },
  "maybe-refused": {
    shows: { exchange: replied({ status: 401, bodyEnd: "connection" }) },
    near: { exchange: replied({ status: 401 }) },
    says: "the API may have refused the credential: small servers send such refusals",
  },
  cached: {
    shows: { exchange: replied({ status: 401, headers: { age: "2" } }) },
    near: { exchange: replied({ status: 401, headers: { age: "0" } }) },
    says: "Age: 2 shows that a cache made the response for another request",
  },
  "not-diagnosed": {
    shows: { exchange: replied({ status: 404 }), hasNothingToTry: true },
    near: { exchange: replied({ status: 404 }) },
    says: "a diagnosis has nothing to try: only a refusal (401 or 403) can depend on the credential",
  },
  contradiction: {
    shows: { exchange: replied({ body: '{"code":401,"message":"No"}' }) },
    near: { exchange: replied({ body: '{"code":"401","message":"No"}' }) },
    says: "the status is 200 and the code is 401; a success has 200 in both",
  },
  blocked: {
    shows: { exchange: rejected({ "cf-ray": "1" }, 403) },
    near: { exchange: rejected({ "cf-ray": "1" }, 401) },
    says: "a firewall or an address list in front of the API may have blocked the request",
  },
  "rate-limit": {
    shows: { exchange: replied({ status: 429 }) },
    near: { exchange: replied({ status: 503 }) },
    says: "the API limits the rate of requests",
  },
  "base-url-suffix": {
    shows: { exchange: accepted(), hints: { suffixGiven: true } },
    near: { exchange: accepted() },
    says: "the base URL already ends in /test-authentication, so it was not appended again",
  },
  "unusual-headers": {
    shows: { exchange: accepted({ "cache-control": "max-age=60" }) },
    near: { exchange: accepted() },
    says: "Cache-Control differs from the API's documentation",
  },
  "not-allowed": {
    shows: { exchange: rejected({}, 403) },
    near: { exchange: rejected({}, 403, "") },
    says: "the API may know this credential and not allow it to do this: a 403 can mean that",
  },
} as const satisfies Partial<Record<RuleId, CauseCase>>;
