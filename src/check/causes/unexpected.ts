import { otherProtocols } from "../../http/exchange-end.ts";
import { endpointPath } from "../../settings/base-url.ts";
import { type Fix, fix, nowSet } from "../../settings/fix.ts";
import { methodParts } from "../../settings/method-parts.ts";
import { mayBeOpen } from "../diagnose/changes.ts";
import { apiEvidence } from "../judge/api-evidence.ts";
import type { Outcome } from "../outcome.ts";
import type { Finding } from "../result.ts";
import { type Cause, type Evidence, measured, possible, type Rule } from "./evidence.ts";
import { gatewayCause } from "./gateway.ts";
import { ownWords, writeHttps } from "./page.ts";
import { redirectTarget } from "./redirect.ts";
import { diagnoseAdvice } from "./refusal.ts";
import { onlyHttp2 } from "./tls.ts";

type Unexpected = Extract<Outcome, { kind: "unexpected" }>;

const checkBaseUrl = fix`Check the base URL ${nowSet("baseUrl")}: it may lead to another service or to a proxy`;
/** What to do about a refusal that shows no sign of the API. */
export const askWhoRefuses = fix`Check the base URL ${nowSet("baseUrl")}, and ask the operator of the gateway, CDN or firewall in front of the API why it refuses`;
const checkPath = fix`Check the path of the base URL ${nowSet("baseUrl")}: a version or prefix may be missing, misspelt or not needed`;

/** Why a response is not this API's: a row for each reason. */
export function unexpectedCause({ reason, response }: Unexpected, evidence: Evidence): Cause {
  const status = response?.status ?? null;
  switch (reason.kind) {
    case "malformed": {
      const headline = `the response is not valid HTTP (${reason.problem})`;
      if (reason.problem === otherProtocols.http2) return { headline, ...onlyHttp2 };
      return reason.problem === otherProtocols.tls
        ? { headline, ...measured("https-expected", "this port answers with TLS", writeHttps) }
        : { headline, fix: checkBaseUrl };
    }
    case "too-large":
      return { headline: "the response is much larger than this API's", fix: checkBaseUrl };
    case "encoded":
      return {
        headline: `the response is compressed (${reason.encoding}), although the request asked for no compression`,
        fix: fix`Ask the operator of the server or proxy to honour Accept-Encoding: identity`,
      };
    case "redirect": {
      const headline = `the server redirects (${status}); the credential was not sent to the new address`;
      const target = redirectTarget(evidence);
      return {
        headline,
        ...(target ?? { fix: fix`Set the base URL ${nowSet("baseUrl")} to the API's real address` }),
      };
    }
    case "web-page": {
      const headline = `a web page answered, not the API (${status})`;
      // If the page says what is wrong, general advice would only stand before it.
      const advice = ownWords(evidence)?.fix ?? (status === 404 ? checkPath : checkBaseUrl);
      return reason.title === null
        ? { headline, fix: advice }
        : { headline, ...measured("web-page", `the page is titled "${reason.title}"`, advice) };
    }
    case "foreign-challenge":
      return {
        headline: `a gateway or proxy in front of the API asks for its own credentials (${reason.scheme})`,
        ...measured(
          "gateway-challenge",
          `the response asks for ${reason.scheme} authentication; this API takes only X-WSSE and X-Auth-Token`,
          fix`Ask the operator of the gateway or proxy for access; the API has not checked this credential`,
        ),
      };
    case "no-evidence":
      return {
        headline: `${status} with ${reason.shown}: nothing shows that the API itself answered, so this proves nothing about the credential`,
        ...measured(
          "no-evidence",
          `the response has ${reason.shown}; evidence would be ${apiEvidence.map(({ words }) => words).join(", or ")}`,
          askWhoRefuses,
        ),
      };
    case "no-length":
      return {
        headline: `${status} without a body, and the response has no length: it may have been cut off, so this proves nothing about the credential`,
        ...possible(
          "maybe-refused",
          "the API may have refused the credential: small servers send such refusals",
          fix`Ask the server's operator to send Content-Length: 0 with a refusal; ${diagnoseAdvice(evidence)}`,
        ),
      };
    case "gateway":
      return gatewayCause(reason, status);
    case "cached":
      return {
        headline: `a cache answered (${reason.mark}), not the API: the response was made for another request`,
        ...measured(
          "cached",
          `${reason.mark} shows that a cache made the response for another request`,
          fix`Ask the operator of the cache to exclude /test-authentication, or use a base URL without a cache`,
        ),
      };
    case "no-authentication":
      return {
        headline: "the server accepts a request without credentials too: it does not check them",
        ...measured(
          "no-authentication",
          "the same request without credentials was accepted as well",
          mayBeOpen,
        ),
      };
    case "contradiction": {
      const { code } = reason;
      const { method } = evidence.credential;
      return {
        headline: `the response contradicts itself: its status is 200, but its code is ${code}`,
        ...measured(
          "contradiction",
          `the status is 200 and the code is ${code}; a success has 200 in both`,
          code === 401 || code === 403
            ? fix`Check the credential ${nowSet(...methodParts[method].required)}: the code means a refusal; ask the API's operator why the status is 200`
            : fix`Ask the API's operator what this code means with status 200`,
        ),
      };
    }
    case "not-found":
      return { headline: "there is nothing at this address (404)", ...wrongPath(evidence) };
    case "network-login":
      return {
        headline: "a network on the way to the API wants a login (511); the API was not reached",
        fix: fix`Log in to this network, such as a hotel's, with a web browser; then try again`,
      };
    case "status":
      return typeof response?.code === "number" || /[/+]json$/.test(response?.contentType ?? "")
        ? {
            headline: `JSON with an undocumented status (${status}): it neither accepts nor refuses the credential`,
            fix: fix`Read the message of the response; ask the API's operator what ${String(status)} means here`,
          }
        : { headline: `the API documents no response with this status (${status})`, fix: checkBaseUrl };
    case "empty":
      return { headline: `the response is empty (${status})`, fix: checkBaseUrl };
    case "not-json": {
      const type = response?.contentType;
      return { headline: `the response is not JSON${type ? ` (${type})` : ""}`, fix: checkBaseUrl };
    }
    case "wrong-shape":
      return { headline: `the response is not this API's: ${reason.problem}`, fix: checkBaseUrl };
  }
}

/** What a 404 may mean, whatever its content is. */
function wrongPath({ url, redact }: Evidence): Finding<Fix> {
  const path = url.pathname.slice(0, -endpointPath.length);
  return possible(
    "not-found",
    path === ""
      ? "the base URL has no path; many APIs live below one"
      : `the path ${redact(path)} of the base URL may be wrong`,
    checkPath,
  );
}

/** A page that says 404 is no sign of another service: many APIs answer so outside their own paths. */
export const notFoundPage: Rule = (evidence) => {
  const { outcome } = evidence;
  if (outcome.kind !== "unexpected" || outcome.reason.kind !== "web-page") return null;
  return outcome.response?.status === 404 ? wrongPath(evidence) : null;
};
