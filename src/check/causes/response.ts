import { type Fix, fix, flag } from "../../settings/fix.ts";
import { durationInWords } from "../duration.ts";
import { contentOf } from "../judge/body.ts";
import { cacheMark } from "../judge/cache.ts";
import { type Gateway, gatewayOf } from "../judge/gateway.ts";
import { type Outcome, responseOf } from "../outcome.ts";
import type { Finding } from "../result.ts";
import { baseUrl, type Cause, type Evidence, measured, possible, type Rule } from "./evidence.ts";

/** The advice to try again. `seconds` is the wait that the server asks for; null if it names none. */
function tryAgain(seconds: number | null): Fix {
  const when = seconds === null ? "later" : seconds === 0 ? "now" : `in ${durationInWords(seconds)}`;
  return fix`Try again ${when}`;
}

/** Why the API did not check the credential, and how long to wait. */
export function unavailableCause({ response }: Extract<Outcome, { kind: "unavailable" }>): Cause {
  if (response === null) return { headline: "not sent: the server asked for a pause", fix: tryAgain(null) };
  const { status, retryAfterSeconds } = response;
  const isLimited = status === 429;
  const headline = isLimited
    ? "too many requests (429): the API did not check the credential"
    : `the server failed (${status}) and did not check the credential`;
  if (retryAfterSeconds !== null) {
    const message = `the API asks clients to wait ${durationInWords(retryAfterSeconds)} before the next request`;
    return { headline, id: "rate-limit", message, fix: tryAgain(retryAfterSeconds) };
  }
  if (isLimited) {
    const message = "the API limits the rate of requests";
    return { headline, id: "rate-limit", message, fix: fix`Wait a little, then try again` };
  }
  return {
    headline,
    fix: fix`Try again later, or use ${flag("retry")}; if it keeps happening, report it to the API's operator`,
  };
}

// --retry allows further attempts, but retry.ts decided against one.
const notRetried: Rule = ({ outcome, notRetried }) =>
  notRetried !== null &&
  measured("not-retried", notRetried, tryAgain(responseOf(outcome)?.retryAfterSeconds ?? null));

// A cache may answer with a failure that is over.
const cachedFailure: Rule = ({ outcome, exchange, redact }) => {
  if (outcome.kind !== "unavailable" || exchange.kind !== "response") return null;
  const mark = cacheMark(exchange.response);
  if (mark === null) return null;
  return measured(
    "cached",
    `a cache answered (${redact(mark)}): the failure may be over`,
    fix`Ask the operator of the cache not to keep failures`,
  );
};

/** Further findings about failures and waiting. */
export const unavailableRules: readonly Rule[] = [notRetried, cachedFailure];

/** Says which gateway marks a response as its own. */
export function madeBy({ name, mark, about }: Gateway): Finding<Fix> {
  return measured(
    "gateway",
    `${name} made this response itself: it has ${mark}`,
    fix`Check ${baseUrl}, and ask the API's operator about ${about} of ${name}`,
  );
}

/** Names a gateway in other outcomes: it also answers itself for a wrong path, above a limit, or without its API. */
export const gatewayRemark: Rule = ({ outcome, exchange, redact }) => {
  if (exchange.kind !== "response" || !["unexpected", "unavailable"].includes(outcome.kind)) return null;
  if (outcome.kind === "unexpected" && outcome.reason.kind === "gateway") return null;
  const gateway = gatewayOf(exchange.response, contentOf(exchange.response, redact));
  return gateway && madeBy(gateway);
};

// The words of nginx (and Cloudflare, OpenResty), Apache, Go (and Caddy, Traefik), Tomcat.
const expectsHttps =
  /plain HTTP request was sent to HTTPS port|speaking plain HTTP to an SSL-enabled server port|sent an HTTP request to an HTTPS server|combination of host and port requires TLS/i;
// The words of nginx, Apache and IIS.
const wantsCertificate =
  /No required SSL certificate was sent|The SSL certificate error|Cannot perform Post-Handshake Authentication|client certificate is required/i;

/** What to do if a port expects TLS. */
export const writeHttps = fix`Write https:// in ${baseUrl}`;

/** What a web server says of itself in its own page; null if it says nothing that is known here. */
export function ownWords({ outcome, exchange }: Evidence): Finding<Fix> | null {
  if (outcome.kind !== "unexpected" || exchange.kind !== "response") return null;
  const page = new TextDecoder().decode(exchange.response.body);
  if (expectsHttps.test(page)) {
    return measured("https-expected", "the server says that this port expects https", writeHttps);
  }
  return wantsCertificate.test(page)
    ? measured(
        "client-certificate",
        "the server says that it wants a client certificate, which this tool does not send",
        fix`Ask the server's operator for an address that needs no client certificate`,
      )
    : null;
}

// Many servers that speak only TLS close the connection without an answer.
const silentTls: Rule = ({ outcome, url }) => {
  const isSilent =
    outcome.kind === "unreachable" &&
    outcome.failure.received === "nothing" &&
    ["request", "response"].includes(outcome.failure.step);
  return isSilent && url.protocol === "http:"
    ? possible("https-expected", `port ${url.port || "80"} may expect https`, writeHttps)
    : null;
};

/** What a server wants of the connection. */
export const pageRules: readonly Rule[] = [ownWords, silentTls];
