import { headerValue } from "../../http/exchange.ts";
import { masked } from "../../redaction/redact.ts";
import { durationInWords } from "../duration.ts";
import type { RuleId } from "../outcome.ts";
import type { Rule, RuleFinding } from "./evidence.ts";

// A web page. Its title often tells who answered.
const webPage: Rule = ({ outcome }) =>
  outcome.kind === "unexpected" && outcome.reason.kind === "web-page" && outcome.reason.title !== null
    ? {
        id: "web-page",
        certainty: "measured",
        message: `the page is titled "${outcome.reason.title}"`,
        fix: "Check the base URL: another service or a proxy seems to answer there",
      }
    : null;

const moved = "If the API has moved there, set the base URL to it; credentials never follow a redirect";

// Where a redirect leads: its path if the origin stays the same, else the origin. Its query can repeat the credential.
const redirect: Rule = ({ outcome, exchange, url, redact }) => {
  if (outcome.kind !== "unexpected" || outcome.reason.kind !== "redirect" || exchange.kind !== "response")
    return null;
  // Not redacted, because it is only compared here.
  const location = headerValue(exchange.response, "location");
  const target = location === null || !URL.canParse(location, url.href) ? null : new URL(location, url.href);
  if (target === null) return null;
  const finding = (id: RuleId, message: string, fix: string): RuleFinding => ({
    id,
    certainty: "measured",
    message,
    fix,
  });
  if (target.hostname !== url.hostname) {
    // Redact the host as it was sent: URL writes it in lower case, in which a secret in base64 would not be recognised.
    const [, , written = ""] = location?.split("/", 3) ?? [];
    const host = redact(written) === written ? redact(target.host) : masked;
    return finding(
      "redirect-host",
      /^https?:$/.test(target.protocol)
        ? `it redirects to another host: ${target.protocol}//${host}`
        : "it redirects to a URL that is neither http nor https",
      moved,
    );
  }
  if (url.protocol === "http:" && target.protocol === "https:") {
    return finding(
      "redirect-https",
      "it redirects to https on the same host",
      "Write https:// in the base URL",
    );
  }
  if (target.origin !== url.origin) {
    return finding(
      "redirect-host",
      `it redirects to another port or scheme: ${target.protocol}//${redact(target.host)}`,
      moved,
    );
  }
  return finding(
    "redirect-path",
    `it redirects to the path ${redact(target.pathname)} of the same host`,
    "Check the path of the base URL",
  );
};

// 404: the path of the base URL may be wrong.
const notFound: Rule = ({ outcome, url, redact }) => {
  if (outcome.kind !== "unexpected" || outcome.reason.kind !== "not-found") return null;
  const path = url.pathname.replace(/\/test-authentication$/, "");
  return {
    id: "not-found",
    certainty: "possible",
    message:
      path === ""
        ? "the base URL has no path; many APIs live below one"
        : `the path ${redact(path)} of the base URL may be wrong`,
    fix: "Check the path of the base URL: a version or prefix may be missing, misspelt or not needed",
  };
};

// A gateway asks for credentials of its own.
const gateway: Rule = ({ outcome }) =>
  outcome.kind === "unexpected" && outcome.reason.kind === "foreign-challenge"
    ? {
        id: "gateway-challenge",
        certainty: "measured",
        message: `the response asks for ${outcome.reason.scheme} authentication; this API takes only X-WSSE and X-Auth-Token`,
        fix: "Ask the operator of the gateway or proxy for access; the API has not checked this credential",
      }
    : null;

// A refusal without evidence that the API wrote it.
const noEvidence: Rule = ({ outcome }) =>
  outcome.kind === "unexpected" && outcome.reason.kind === "no-evidence"
    ? {
        id: "no-evidence",
        certainty: "measured",
        message: `the response has ${outcome.reason.shown}; evidence would be an empty body, a JSON object, or a WSSE, UsernameToken, Token or X-Auth-Token challenge`,
        fix: "Check the base URL, and ask the operator of the gateway, CDN or firewall in front of the API why it refuses",
      }
    : null;

// Status and code contradict each other, so neither is a verdict.
const contradiction: Rule = ({ outcome }) =>
  outcome.kind === "unexpected" && outcome.reason.kind === "contradiction"
    ? {
        id: "contradiction",
        certainty: "measured",
        message: `the status is 200 and the code is ${outcome.reason.code}; a success has 200 in both`,
        fix: "Ask the API's operator which of the two counts",
      }
    : null;

const guardFields = ["cf-ray", "x-amzn-waf-action", "x-sucuri-id", "x-iinfo", "x-akamai-request-id"];
const guardServers = /^(?:cloudflare|akamaighost|awselb|sucuri|imperva|big-?ip)/i;

// A 403 that may come from a firewall in front of the API.
const blocked: Rule = ({ outcome, exchange }) => {
  const refused =
    outcome.kind === "rejected" || (outcome.kind === "unexpected" && outcome.reason.kind === "no-evidence");
  if (!refused || exchange.kind !== "response" || exchange.response.status !== 403) return null;
  const { response } = exchange;
  const guarded =
    guardFields.some((name) => headerValue(response, name) !== null) ||
    guardServers.test(headerValue(response, "server") ?? "");
  const words = /\b(?:block(?:ed)?|waf|firewall|denied by|ip address|not allowed from)\b/i.test(
    outcome.response?.message ?? "",
  );
  if (!guarded && !words) return null;
  return {
    id: "blocked",
    certainty: "possible",
    message: "a firewall or an address list in front of the API may have blocked the request",
    fix: "Ask the API's operator whether this machine's address is allowed",
  };
};

// How long the API asks to wait.
const rateLimit: Rule = ({ outcome, exchange }) => {
  if (outcome.kind !== "unavailable" || exchange.kind !== "response") return null;
  const { status } = outcome.response;
  const { retryAfterSeconds } = outcome;
  if (status !== 429 && retryAfterSeconds === null) return null;
  const wait = retryAfterSeconds === null ? null : durationInWords(retryAfterSeconds);
  return {
    id: "rate-limit",
    certainty: "measured",
    message:
      wait === null
        ? "the API limits the rate of requests"
        : `the API asks clients to wait ${wait} before the next request`,
    fix: wait === null ? "Wait a little, then try again" : `Try again in ${wait}`,
  };
};

// --retry allows further attempts, but Retry-After is longer than the deadline.
const notRetried: Rule = ({ outcome, retriesLeft, timeoutSeconds }) => {
  if (outcome.kind !== "unavailable" || retriesLeft === 0) return null;
  const { retryAfterSeconds } = outcome;
  if (retryAfterSeconds === null || retryAfterSeconds <= timeoutSeconds) return null;
  const wait = durationInWords(retryAfterSeconds);
  return {
    id: "not-retried",
    certainty: "measured",
    message: `not retried: Retry-After is ${wait}, the deadline ${durationInWords(timeoutSeconds)}`,
    fix: `Try again in ${wait}`,
  };
};

/** Rules for responses. */
export const responseRules: readonly Rule[] = [
  webPage,
  redirect,
  gateway,
  noEvidence,
  contradiction,
  rateLimit,
  notRetried,
  blocked,
  notFound,
];
