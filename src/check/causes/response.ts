// Why a response gives no verdict: the API failed or limits requests (408, 429 and 5xx), or the response is not this API's. What the
// response says is quoted beside it.

import { otherProtocols } from "../../http/client.ts";
import { methodParts } from "../../settings/definition.ts";
import { type Fix, fix, flag, nowSet, theBaseUrl } from "../../settings/fix.ts";
import { endpointPath } from "../../settings/urls.ts";
import { durationInWords } from "../../words.ts";
import { askWhoRefuses, lockAdvice, mayBeOpen, withTheAccounts } from "../changes.ts";
import type { Cause, Evidence, Rule } from "../check-context.ts";
import { apiEvidence } from "../judge.ts";
import { type ApiResponse, type Outcome, pauseAskedBy, type UnexpectedReason } from "../outcome.ts";
import type { Gateway } from "../read/gateway.ts";
import { measured } from "../result.ts";
import { brokenHttp } from "./proxy.ts";
import { refusalAdvice } from "./refusal.ts";

/** The advice to wait as long as the server asks, and what would have let `--retry` wait: the library has no option for it. */
function tryAgain({ outcome, notRetried, hints }: Evidence): Fix {
  const seconds = pauseAskedBy(outcome);
  const wait = fix`Try again ${seconds === null ? "later" : `in ${durationInWords(seconds)}`}`;
  return notRetried === null || !hints.isCommandLine
    ? wait
    : fix`${wait}, or raise ${flag("maxWaitSeconds")} ${nowSet("maxWaitSeconds")}`;
}

/** Whom to ask where a gateway, a filter of this network or a platform marks the response as its own. */
const markedBy = ({ name, mark, whose }: Gateway, status: number): Cause => ({
  headline: `${name} answered (${status}), not the API: this proves nothing about the credential`,
  id: "gateway",
  message: `${name} made this response itself: it has ${mark}`,
  fix: {
    api: fix`Check ${theBaseUrl}, and ask the API's operator why ${name} answers in its place`,
    network: fix`Ask the operator of this network to let the host of ${theBaseUrl} through`,
    host: fix`Check the host of ${theBaseUrl}: it may be misspelt, or the application was renamed, moved or stopped; else ask its operator`,
  }[whose],
});

const said: Readonly<Record<number, string>> = {
  408: "the server did not get the whole request in time",
  429: "too many requests",
};

/** Why the API gave no verdict, and how long to wait. It may have checked the credential: a limit can be an account's own. */
export function unavailableCause(
  { response }: Extract<Outcome, { kind: "unavailable" }>,
  evidence: Evidence,
): Cause {
  if (response === null) return { headline: "not sent: the server limits requests", fix: tryAgain(evidence) };
  const { status, retryAfterSeconds } = response;
  const what = said[status] ?? "the server failed";
  const read = evidence.exchange.response;
  const headline = `${what} (${status}): this proves nothing about the credential`;
  if (status === 429 || retryAfterSeconds !== null)
    return { headline, id: "rate-limit", fix: tryAgain(evidence) };
  // A gateway in front of the API may say that the API failed, which is no more than the status says.
  const gateway = read?.gateway ?? null;
  if (gateway !== null && gateway.whose !== "api") return markedBy(gateway, status);
  const again = fix`Try again later, or raise ${flag("retries")} ${nowSet("retries")}; if it keeps happening, report it to the API's operator`;
  return {
    headline,
    fix: read?.content === "web-page" ? fix`${again}, or to whoever the page names` : again,
  };
}

// A further attempt was allowed, and sender.ts made none.
const notRetried: Rule = (evidence) =>
  evidence.notRetried !== null && measured("rate-limit", evidence.notRetried, tryAgain(evidence));

// A cache may answer with a failure that is over.
const cachedFailure: Rule = ({ outcome, exchange: { response } }) =>
  outcome.kind === "unavailable" &&
  response !== null &&
  response.cacheMark !== null &&
  measured(
    "cached",
    `a cache answered (${response.cacheMark}): the failure may be over`,
    fix`Ask the operator of the cache not to keep failures`,
  );

/** Further findings about failures and waiting. */
export const unavailableRules: readonly Rule[] = [notRetried, cachedFailure];

const checkBaseUrl = fix`Check ${theBaseUrl}: it may lead to another service or a proxy`;
/** The text of a response may name its author. This tool quotes it and does not interpret it. */
const readIt = fix`Read what it says: whoever it names can help; if it names nobody, check ${theBaseUrl}`;
const checkPath = fix`Check host and path of ${theBaseUrl}: a version or prefix may be missing, misspelt or not needed`;

/** Statuses whose meaning in HTTP tells who can help: the headline, and what to do. */
const statuses: Readonly<Record<number, readonly [what: string, advice: Fix]>> = {
  402: [
    "the API wants a payment (402): it neither accepts nor refuses the credential",
    fix`Check the account's plan and its payments, or ask the API's operator`,
  ],
  405: ["this address does not take GET (405), so it is not the API's check", checkPath],
  407: [
    "a proxy on the way asks for credentials of its own (407); the API was not reached",
    fix`Name the proxy with ${flag("proxy")}, its user and password in the URL, or ask the operator of this network`,
  ],
  410: [
    "the server has given this address up (410)",
    fix`Ask the API's operator for its new address; a version in the path of ${theBaseUrl} may be switched off`,
  ],
  421: [
    "this server does not serve the API's host on such a connection (421, Misdirected Request)",
    fix`Ask the server's operator: the names of its certificate, of TLS and of the request's Host do not lead to the same place; a given address may be another server's`,
  ],
  426: [
    "the server wants another protocol (426, Upgrade Required)",
    fix`Check the scheme of ${theBaseUrl}, and ask the server's operator to take HTTP/1.1`,
  ],
  431: [
    "the header of the request is too large for the server (431)",
    fix`Check the length of the credential: something else may be set in its place`,
  ],
  451: [
    "the server may not answer here for legal reasons (451), such as the country of this machine's address",
    fix`Ask the API's operator whether this machine's address and country are allowed`,
  ],
  511: [
    "a network on the way to the API wants a login (511); the API was not reached",
    fix`Log in to this network, such as a hotel's, with a web browser; then try again`,
  ],
};

/** What a redirect to an endpoint of this name shows, unless the endpoint is at another address. */
const moves = {
  "clear-text": [
    "it redirects from https:// to http://, where anyone on the way could read the credential",
    fix`Tell the API's operator: the server may not know that the request came by https, as behind a load balancer that ends TLS`,
  ],
  same: [
    "it redirects to the address that was asked",
    fix`Ask the API's operator why: a server redirects so to set a cookie, or without end where it does not know that the request came by https`,
  ],
  slash: [
    "it redirects to the same path with a slash at its end, which no base URL can give",
    fix`Ask the API's operator to answer ${endpointPath} without the slash`,
  ],
} as const satisfies Record<string, readonly [message: string, Fix]>;

/** What a redirect can mean. Servers send a refused credential to a page, and networks send everybody. */
function redirectCause(status: number, { exchange, credential: { method } }: Evidence): Cause {
  const headline = `the server redirects (${status}); the credential was not sent to the new address`;
  const { move = null, quotes = null } = exchange.response ?? {};
  if (quotes === null || quotes.location === null)
    return { headline: `the server redirects (${status}) and names no address`, fix: checkBaseUrl };
  if (move === null)
    return {
      headline,
      fix: fix`If that address is a login, compare ${withTheAccounts[method]}: servers send refused credentials there, and networks send everybody; if it is right, ask who redirects there`,
    };
  const elsewhere = move.isOtherHost
    ? fix`If the API has moved there, set ${theBaseUrl} to ${move.baseUrl}`
    : fix`Set ${theBaseUrl} to ${move.baseUrl}`;
  const [message, advice] =
    move.to === "elsewhere" ? ["the endpoint of this name is at another address", elsewhere] : moves[move.to];
  return { headline, ...measured("base-url", message, advice) };
}

/** HTTP that breaks a rule, or another protocol. */
function malformedCause(problem: string, { exchange: { broken } }: Evidence): Cause {
  const headline = `the response is not valid HTTP (${problem})`;
  const [says, advice] =
    {
      [otherProtocols.tls]: ["this port answers with TLS", fix`Write https:// in ${theBaseUrl}`] as const,
      [otherProtocols.http2]: [
        "this port answers with HTTP/2",
        fix`Ask the API's operator for HTTP/1.1`,
      ] as const,
    }[problem] ?? [];
  if (says !== undefined) return { headline, ...measured("other-protocol", says, advice) };
  return broken?.isHttp === false
    ? { headline, fix: checkBaseUrl }
    : { headline, ...brokenHttp(fix`the API's operator`) };
}

/** A status that the API does not have, and that is not in the table. */
function statusCause(response: ApiResponse | null, evidence: Evidence): Cause {
  const status = response?.status;
  const read = evidence.exchange.response;
  if (status === 423)
    return {
      headline: "the account may be locked (423): the API neither accepted nor refused the credential",
      id: "account-locked",
      certainty: "possible",
      fix: lockAdvice(response?.retryAfterSeconds ?? null),
    };
  const readOr = (advice: Fix): Fix => (response?.message ? readIt : advice);
  if (status === 404) return { headline: "there is nothing at this address (404)", fix: readOr(checkPath) };
  if (read?.content !== "json-object")
    return {
      headline: `the API documents no response with this status (${status})`,
      fix: readOr(checkBaseUrl),
    };
  return {
    headline: `JSON with an undocumented status (${status}): it neither accepts nor refuses the credential`,
    fix: read.mayRefuse
      ? refusalAdvice(evidence)
      : readOr(fix`Ask the API's operator what ${String(status)} means here`),
  };
}

/** The headline and the advice for each reason. */
function causeOfReason(reason: UnexpectedReason, response: ApiResponse | null, evidence: Evidence): Cause {
  const status = response?.status ?? 0;
  const readOrCheck = response?.message ? readIt : checkBaseUrl;
  switch (reason.kind) {
    case "malformed":
      return malformedCause(reason.problem, evidence);
    case "too-large":
      return { headline: "the response is much larger than this API's", fix: checkBaseUrl };
    case "encoded":
      return {
        headline: `the response is encoded (${reason.encoding}), although the request asked for no encoding`,
        fix: fix`Ask the operator of the server or proxy to honour Accept-Encoding: identity, and to leave out Content-Encoding and Transfer-Encoding where nothing is encoded`,
      };
    case "redirect":
      return redirectCause(status, evidence);
    case "web-page":
      return { headline: `a web page answered, not the API (${status})`, fix: readIt };
    case "foreign-challenge":
      return {
        headline: `something asks for other credentials (${reason.scheme}): a gateway, a proxy or the API itself; this proves nothing about the credential`,
        fix: fix`Check ${theBaseUrl}, and ask the API's operator who asks for ${reason.scheme} authentication there`,
      };
    case "no-evidence":
      return {
        headline: `${status} with ${reason.shown}: nothing shows that the API itself answered, so this proves nothing about the credential`,
        id: "no-evidence",
        message: `the response has ${reason.shown}; evidence would be ${apiEvidence.map(({ words }) => words).join(", or ")}`,
        fix: response?.message ? readIt : askWhoRefuses,
      };
    case "gateway":
      return markedBy(reason, status);
    case "cached":
      return {
        headline: `a cache answered (${reason.mark}), not the API: the response was made for another request`,
        id: "cached",
        fix: fix`Ask the operator of the cache to exclude /test-authentication, or use a base URL without a cache`,
      };
    case "no-authentication":
      return {
        headline: "the server accepts a request without credentials too: it does not check them",
        id: "no-authentication",
        fix: mayBeOpen,
      };
    case "contradiction":
      return {
        headline: `the response contradicts itself: its status is 200, but its code is ${reason.code}`,
        fix:
          reason.code === 401 || reason.code === 403
            ? fix`Check the credential ${nowSet(...methodParts[evidence.credential.method].required)}: the code means a refusal; ask the API's operator why the status is 200`
            : fix`Ask the API's operator what this code means with status 200`,
      };
    case "status":
      return statusCause(response, evidence);
    case "empty":
      return {
        headline: `the response is empty (${status})`,
        fix: fix`${checkBaseUrl}; a program of the server that fails can also answer so`,
      };
    case "not-json":
      return {
        headline: `the response is not JSON${response?.contentType ? ` (${response.contentType})` : ""}`,
        fix: readOrCheck,
      };
    case "wrong-shape":
      return {
        headline: `the response is not this API's: ${reason.problem}`,
        fix:
          response?.code === 200
            ? fix`Ask the API's operator: the documented response has a text in its field message`
            : readOrCheck,
      };
  }
}

// For these reasons it does not matter who answered, or it is known.
const apart: readonly UnexpectedReason["kind"][] = [
  "cached",
  "foreign-challenge",
  "no-authentication",
  "contradiction",
];

/** Why a response is not this API's. A gateway's mark says most, then a status whose meaning tells who can help. */
export function unexpectedCause(
  { reason, response }: Extract<Outcome, { kind: "unexpected" }>,
  evidence: Evidence,
): Cause {
  if (response !== null && !apart.includes(reason.kind)) {
    const gateway = evidence.exchange.response?.gateway ?? null;
    if (gateway !== null) return markedBy(gateway, response.status);
    // A page with 405 is a firewall's as often as the server's.
    const isStated = reason.kind === "status" || (reason.kind === "web-page" && response.status !== 405);
    const [headline, advice] = (isStated && statuses[response.status]) || [];
    if (headline !== undefined && advice !== undefined) return { headline, fix: advice };
  }
  return causeOfReason(reason, response, evidence);
}
