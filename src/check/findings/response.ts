import { headerValue } from "../../http/exchange.ts";
import { masked } from "../../redaction/redact.ts";
import { endpointPath } from "../../settings/base-url.ts";
import { durationInWords } from "../duration.ts";
import { explain } from "../explanation/explain.ts";
import { measured, possible, type Rule } from "./evidence.ts";

const moved = "If the API has moved there, set the base URL to it; credentials never follow a redirect";

// Where a redirect leads: its path if the origin stays the same, else the origin. Its query can repeat the credential.
const redirect: Rule = ({ exchange, url, redact }) => {
  // Not redacted, because it is only compared here.
  const location = exchange.kind === "response" ? headerValue(exchange.response, "location") : null;
  if (location === null || !URL.canParse(location, url.href)) return null;
  const target = new URL(location, url.href);
  if (target.hostname !== url.hostname) {
    // Redact the host as it was sent: URL writes it in lower case, in which a secret in base64 would not be recognised.
    const [, , written = ""] = location.split("/", 3);
    const host = redact(written) === written ? redact(target.host) : masked;
    return measured(
      "redirect-host",
      ["http:", "https:"].includes(target.protocol)
        ? `it redirects to another host: ${target.protocol}//${host}`
        : "it redirects to a URL that is neither http nor https",
      moved,
    );
  }
  if (url.protocol === "http:" && target.protocol === "https:") {
    return measured(
      "redirect-https",
      "it redirects to https on the same host",
      "Write https:// in the base URL",
    );
  }
  if (target.origin !== url.origin) {
    return measured(
      "redirect-host",
      `it redirects to another port or scheme: ${target.protocol}//${redact(target.host)}`,
      moved,
    );
  }
  return measured(
    "redirect-path",
    `it redirects to the path ${redact(target.pathname)} of the same host`,
    "Check the path of the base URL",
  );
};

// What a response that is not this API's shows.
const unexpected: Rule = (evidence) => {
  const { outcome, url, redact } = evidence;
  if (outcome.kind !== "unexpected") return null;
  const { reason } = outcome;
  switch (reason.kind) {
    case "web-page":
      if (reason.title === null) return null;
      return measured(
        "web-page",
        `the page is titled "${reason.title}"`,
        "Check the base URL: another service or a proxy seems to answer there",
      );
    case "redirect":
      return redirect(evidence);
    case "not-found": {
      const path = url.pathname.slice(0, -endpointPath.length);
      return possible(
        "not-found",
        path === ""
          ? "the base URL has no path; many APIs live below one"
          : `the path ${redact(path)} of the base URL may be wrong`,
        explain(outcome).next,
      );
    }
    case "foreign-challenge":
      return measured(
        "gateway-challenge",
        `the response asks for ${reason.scheme} authentication; this API takes only X-WSSE and X-Auth-Token`,
        "Ask the operator of the gateway or proxy for access; the API has not checked this credential",
      );
    case "no-evidence":
      return measured(
        "no-evidence",
        `the response has ${reason.shown}; evidence would be an empty body, a JSON object, or a WSSE, UsernameToken, Token or X-Auth-Token challenge`,
        explain(outcome).next,
      );
    case "contradiction":
      return measured(
        "contradiction",
        `the status is 200 and the code is ${reason.code}; a success has 200 in both`,
        "Ask the API's operator which of the two counts",
      );
    default:
      return null;
  }
};

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
  return possible(
    "blocked",
    "a firewall or an address list in front of the API may have blocked the request",
    "Ask the API's operator whether this machine's address is allowed",
  );
};

// How long the API asks to wait.
const rateLimit: Rule = ({ outcome }) => {
  if (outcome.kind !== "unavailable") return null;
  const { response, retryAfterSeconds } = outcome;
  if (retryAfterSeconds !== null) {
    const wait = durationInWords(retryAfterSeconds);
    return measured(
      "rate-limit",
      `the API asks clients to wait ${wait} before the next request`,
      `Try again in ${wait}`,
    );
  }
  return response.status === 429
    ? measured("rate-limit", "the API limits the rate of requests", "Wait a little, then try again")
    : null;
};

// --retry allows further attempts, but Retry-After is longer than the deadline.
const notRetried: Rule = ({ outcome, retriesLeft, timeoutSeconds }) => {
  if (outcome.kind !== "unavailable" || retriesLeft === 0) return null;
  const { retryAfterSeconds } = outcome;
  if (retryAfterSeconds === null || retryAfterSeconds <= timeoutSeconds) return null;
  const wait = durationInWords(retryAfterSeconds);
  return measured(
    "not-retried",
    `not retried: Retry-After is ${wait}, the deadline ${durationInWords(timeoutSeconds)}`,
    `Try again in ${wait}`,
  );
};

/** Rules for responses. */
export const responseRules: readonly Rule[] = [unexpected, rateLimit, notRetried, blocked];
