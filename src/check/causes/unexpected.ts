// Why a response is not this API's: a row for each reason, its headline and its advice. What the response says is quoted beside it.

import { otherProtocols } from "../../http/client.ts";
import { methodParts } from "../../settings/definition.ts";
import { type Fix, fix, flag, nowSet, theBaseUrl } from "../../settings/fix.ts";
import { endpointPath } from "../../settings/urls.ts";
import { askWhoRefuses, lockAdvice, mayBeOpen } from "../changes.ts";
import { apiEvidence } from "../judge.ts";
import type { ApiResponse, Outcome, UnexpectedReason } from "../outcome.ts";
import { measured } from "../result.ts";
import type { Cause, Evidence } from "./evidence.ts";
import { brokenHttp } from "./proxy.ts";
import { comparison, refusalAdvice } from "./refusal.ts";
import { markedBy, writeHttps } from "./response.ts";
import { onlyHttp2 } from "./tls.ts";

const checkBaseUrl = fix`Check ${theBaseUrl}: it may lead to another service or a proxy`;
/** Whoever wrote a response names himself there, and this tool does not read it. */
const readIt = fix`Read what it says: whoever it names can help; if it names nobody, check ${theBaseUrl}`;
const checkPath = fix`Check host and path of ${theBaseUrl}: a version or prefix may be missing, misspelt or not needed`;
const readOrCheck = (response: ApiResponse | null): Fix => (response?.message ? readIt : checkBaseUrl);

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

const rows: {
  readonly [Kind in UnexpectedReason["kind"]]: (
    reason: Extract<UnexpectedReason, { kind: Kind }>,
    seen: {
      readonly status: number | null;
      readonly response: ApiResponse | null;
      readonly evidence: Evidence;
    },
  ) => Cause;
} = {
  malformed: ({ problem }, { evidence }) => {
    const { broken } = evidence.exchange;
    return {
      headline: `the response is not valid HTTP (${problem})`,
      fix: checkBaseUrl,
      ...(broken?.isHttp !== false && brokenHttp(fix`the API's operator`)),
      ...(problem === otherProtocols.http2 && onlyHttp2),
      ...(problem === otherProtocols.tls &&
        measured("other-protocol", "this port answers with TLS", writeHttps)),
    };
  },
  "too-large": () => ({ headline: "the response is much larger than this API's", fix: checkBaseUrl }),
  encoded: ({ encoding }) => ({
    headline: `the response is encoded (${encoding}), although the request asked for no encoding`,
    fix: fix`Ask the operator of the server or proxy to honour Accept-Encoding: identity, and to leave out Content-Encoding and Transfer-Encoding where nothing is encoded`,
  }),
  redirect: (_, { status, evidence }) => redirectCause(status ?? 0, evidence),
  "web-page": (_, { status }) => ({ headline: `a web page answered, not the API (${status})`, fix: readIt }),
  "foreign-challenge": ({ scheme }) => ({
    headline: `something asks for other credentials (${scheme}): a gateway, a proxy or the API itself; this proves nothing about the credential`,
    fix: fix`Check ${theBaseUrl}, and ask the API's operator who asks for ${scheme} authentication there`,
  }),
  "no-evidence": ({ shown }, { status, response }) => ({
    headline: `${status} with ${shown}: nothing shows that the API itself answered, so this proves nothing about the credential`,
    id: "no-evidence",
    message: `the response has ${shown}; evidence would be ${apiEvidence.map(({ words }) => words).join(", or ")}`,
    fix: response?.message ? readIt : askWhoRefuses,
  }),
  gateway: (gateway, { status }) => markedBy(gateway, status ?? 0),
  cached: ({ mark }) => ({
    headline: `a cache answered (${mark}), not the API: the response was made for another request`,
    id: "cached",
    fix: fix`Ask the operator of the cache to exclude /test-authentication, or use a base URL without a cache`,
  }),
  "no-authentication": () => ({
    headline: "the server accepts a request without credentials too: it does not check them",
    id: "no-authentication",
    fix: mayBeOpen,
  }),
  contradiction: ({ code }, { evidence }) => ({
    headline: `the response contradicts itself: its status is 200, but its code is ${code}`,
    fix:
      code === 401 || code === 403
        ? fix`Check the credential ${nowSet(...methodParts[evidence.credential.method].required)}: the code means a refusal; ask the API's operator why the status is 200`
        : fix`Ask the API's operator what this code means with status 200`,
  }),
  status: (_, { status, response, evidence }) => {
    const read = evidence.exchange.response;
    const said = response?.message ? readIt : null;
    if (status === 423)
      return {
        headline: "the account may be locked (423): the API neither accepted nor refused the credential",
        ...{
          id: "account-locked",
          certainty: "possible",
          fix: lockAdvice(response?.retryAfterSeconds ?? null),
        },
      };
    if (status === 404) return { headline: "there is nothing at this address (404)", fix: said ?? checkPath };
    return read?.content === "json-object"
      ? {
          headline: `JSON with an undocumented status (${status}): it neither accepts nor refuses the credential`,
          fix: read.mayRefuse
            ? refusalAdvice(evidence)
            : (said ?? fix`Ask the API's operator what ${String(status)} means here`),
        }
      : { headline: `the API documents no response with this status (${status})`, fix: said ?? checkBaseUrl };
  },
  empty: (_, { status }) => ({
    headline: `the response is empty (${status})`,
    fix: fix`${checkBaseUrl}; a program of the server that fails can also answer so`,
  }),
  "not-json": (_, { response }) => ({
    headline: `the response is not JSON${response?.contentType ? ` (${response.contentType})` : ""}`,
    fix: readOrCheck(response),
  }),
  "wrong-shape": ({ problem }, { response }) => ({
    headline: `the response is not this API's: ${problem}`,
    fix:
      response?.code === 200
        ? fix`Ask the API's operator: the documented response has a text in its field message`
        : readOrCheck(response),
  }),
};

/** Why a response is not this API's. */
export function unexpectedCause(
  { reason, response }: Extract<Outcome, { kind: "unexpected" }>,
  evidence: Evidence,
): Cause {
  const row = rows[reason.kind] as (
    given: UnexpectedReason,
    seen: Parameters<typeof rows.status>[1],
  ) => Cause;
  const cause = row(reason, { status: response?.status ?? null, response, evidence });
  const gateway = evidence.exchange.response?.gateway ?? null;
  if (response === null || apart.includes(reason.kind)) return cause;
  if (gateway !== null) return markedBy(gateway, response.status);
  // A page with 405 is a firewall's as often as the server's.
  const isStated = reason.kind === "status" || (reason.kind === "web-page" && response.status !== 405);
  const [headline, advice] = (isStated && statuses[response.status]) || [];
  return headline === undefined || advice === undefined ? cause : { headline, fix: advice };
}

// In these, it is no matter who answered, or it is known.
const apart: readonly UnexpectedReason["kind"][] = [
  "cached",
  "foreign-challenge",
  "no-authentication",
  "contradiction",
];

/** What a redirect can mean. Servers send a refused credential to a page, and networks send everybody. */
function redirectCause(status: number, { exchange, credential: { method } }: Evidence): Cause {
  const headline = `the server redirects (${status}); the credential was not sent to the new address`;
  const { move = null, quotes = null } = exchange.response ?? {};
  if (quotes === null || quotes.location === null)
    return { headline: `the server redirects (${status}) and names no address`, fix: checkBaseUrl };
  if (move === null)
    return {
      headline,
      fix: fix`If that address is a login, c${comparison[method]}: servers send refused credentials there, and networks send everybody; if it is right, ask who redirects there`,
    };
  const moved = (message: string, advice: Fix): Cause => ({
    headline,
    ...measured("base-url", message, advice),
  });
  switch (move.to) {
    case "clear-text":
      return moved(
        "it redirects from https:// to http://, where anyone on the way could read the credential",
        fix`Tell the API's operator: the server may not know that the request came by https, as behind a load balancer that ends TLS`,
      );
    case "same":
      return moved(
        "it redirects to the address that was asked",
        fix`Ask the API's operator why: a server redirects so to set a cookie, or without end where it does not know that the request came by https`,
      );
    case "slash":
      return moved(
        "it redirects to the same path with a slash at its end, which no base URL can give",
        fix`Ask the API's operator to answer ${endpointPath} without the slash`,
      );
    case "elsewhere":
      return moved(
        "the endpoint of this name is at another address",
        move.isOtherHost
          ? fix`If the API has moved there, set ${theBaseUrl} to ${move.baseUrl}`
          : fix`Set ${theBaseUrl} to ${move.baseUrl}`,
      );
  }
}
