// Why a response is not this API's: a row for each reason, its headline and its advice.

import { otherProtocols } from "../../http/client.ts";
import { type Method, methodParts } from "../../settings/definition.ts";
import { type Fix, fix, flag, nowSet, theBaseUrl } from "../../settings/fix.ts";
import { endpointPath } from "../../settings/urls.ts";
import { askWhoRefuses, mayBeOpen } from "../changes.ts";
import { apiEvidence } from "../judge.ts";
import type { ApiResponse, Outcome, UnexpectedReason } from "../outcome.ts";
import { type Finding, measured, possible } from "../result.ts";
import type { Cause, Evidence } from "./evidence.ts";
import { brokenHttp } from "./proxy.ts";
import { comparison, maybeLocked } from "./refusal.ts";
import { markedBy, writeHttps } from "./response.ts";
import { onlyHttp2 } from "./tls.ts";

/** Whoever wrote a page names himself there, and this tool does not read it. */
const readPage = fix`Read what the page says: a firewall, a filter or login of this network, a platform or a failing program names itself there, and its operator can help; if it says nothing, check ${theBaseUrl}`;
const checkBaseUrl = fix`Check ${theBaseUrl}: it may lead to another service or a proxy`;
// The words of a page begin with its title, and a finding that quotes them stands in their place.
const pageInWords = (title: string, words: string): string =>
  words.includes(title) ? `the page says "${words}"` : `the page is titled "${title}"`;

// The codings that are registered (RFC 9110, section 8.4.1; RFC 7932, 8878 and 9842), as headers name them.
const compressions = /^(?:(?:x-)?gzip|deflate|(?:x-)?compress|br|zstd|dcb|dcz|\[secret\])$/;

const checkPath = fix`Check host and path of ${theBaseUrl}: a version or prefix may be missing, misspelt or not needed`;

/** Statuses of which HTTP says whose they are: the headline, and what to do. */
const statuses: Readonly<Record<number, readonly [what: string, advice: Fix]>> = {
  304: [
    "304 (Not Modified) answers a condition, and the request had none",
    fix`Ask the operator of the server, or of the cache in front of it, why it answers 304`,
  ],
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
  // nginx's own number, which it sends as 400.
  494: [
    "the header of the request is too large for the server",
    fix`Check the length of the credential: something else may be set in its place`,
  ],
  // AWS: the target speaks HTTP/2 or gRPC alone.
  464: [
    "the load balancer cannot pass this request on (464): the server behind it speaks another protocol",
    fix`Ask the API's operator to let the load balancer's target take HTTP/1.1`,
  ],
  451: [
    "the server may not answer here for legal reasons (451), such as the country of this machine's address",
    fix`Ask the API's operator whether this machine's address and country are allowed`,
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
  encoded: ({ encoding }) =>
    compressions.test(encoding)
      ? {
          headline: `the response is compressed (${encoding}), although the request asked for no compression`,
          fix: fix`Ask the operator of the server or proxy to honour Accept-Encoding: identity`,
        }
      : {
          headline: `the response names the coding ${encoding}, which is no compression that HTTP knows`,
          fix: fix`Ask the API's operator to leave out Content-Encoding and Transfer-Encoding where nothing is encoded: a charset stands in Content-Type`,
        },
  redirect: (_, { status, evidence }) => ({
    headline: `the server redirects (${status}); the credential was not sent to the new address`,
    fix: askForAddress,
    ...redirectTarget(evidence),
  }),
  "web-page": ({ title }, { status, response }) => ({
    headline: `a web page answered, not the API (${status})`,
    // One that says 404 is no sign of another service: many APIs answer so outside their own paths.
    fix: status === 404 ? checkPath : readPage,
    ...(title !== null && { id: "web-page", message: pageInWords(title, response?.message ?? "") }),
  }),
  "foreign-challenge": ({ scheme }) => ({
    headline: `something asks for other credentials (${scheme}): a gateway, a proxy or the API itself; this proves nothing about the credential`,
    id: "gateway-challenge",
    fix: fix`Check ${theBaseUrl}, and ask the API's operator who asks for ${scheme} authentication there`,
  }),
  "no-evidence": ({ shown }, { status }) => ({
    headline: `${status} with ${shown}: nothing shows that the API itself answered, so this proves nothing about the credential`,
    id: "no-evidence",
    message: `the response has ${shown}; evidence would be ${apiEvidence.map(({ words }) => words).join(", or ")}`,
    fix: askWhoRefuses,
  }),
  "no-length": (_, { status }) => ({
    headline: `${status} without a body, and the response has no length: it may have been cut off, so this proves nothing about the credential`,
    ...possible(
      "maybe-refused",
      "the API may have refused the credential: small servers send such refusals",
      fix`Ask the server's operator to send Content-Length: 0 with a refusal`,
    ),
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
    id: "contradiction",
    fix:
      code === 401 || code === 403
        ? fix`Check the credential ${nowSet(...methodParts[evidence.credential.method].required)}: the code means a refusal; ask the API's operator why the status is 200`
        : fix`Ask the API's operator what this code means with status 200`,
  }),
  "not-found": (_, { evidence }) => ({
    headline: "there is nothing at this address (404)",
    ...wrongPath(evidence),
  }),
  locked: () => ({
    headline: maybeLocked,
    fix: [],
  }),
  "network-login": () => ({
    headline: "a network on the way to the API wants a login (511); the API was not reached",
    fix: fix`Log in to this network, such as a hotel's, with a web browser; then try again`,
  }),
  status: (_, { status, response }) =>
    typeof response?.code === "number" || isCalledJson(response)
      ? {
          headline: `JSON with an undocumented status (${status}): it neither accepts nor refuses the credential`,
          fix: fix`${response?.message ? "Read the message of the response; ask" : "Ask"} the API's operator what ${String(status)} means here`,
        }
      : { headline: `the API documents no response with this status (${status})`, fix: checkBaseUrl },
  empty: (_, { status }) => ({
    headline: `the response is empty (${status})`,
    fix: fix`${checkBaseUrl}; a program of the server that fails can also answer so`,
  }),
  "not-json": (_, { response }) => ({
    headline: `the response is not JSON${response?.contentType ? ` (${response.contentType})` : ""}`,
    fix: isCalledJson(response)
      ? fix`Ask the API's operator: the response is called JSON and is none, as when a program fails`
      : readPage,
  }),
  "wrong-shape": ({ problem }, { response }) => ({
    headline: `the response is not this API's: ${problem}`,
    fix:
      response?.code === 200
        ? fix`Ask the API's operator: the documented response has a text in its field message`
        : checkBaseUrl,
  }),
};

const isCalledJson = (response: ApiResponse | null): boolean => /[/+]json$/.test(response?.contentType ?? "");

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
  if (response === null || !byOthers.includes(reason.kind)) return cause;
  const { gateway, answeredBy } = evidence.exchange.response ?? { gateway: null, answeredBy: null };
  if (gateway !== null) return markedBy(gateway, response.status);
  // A page with 405 is a firewall's as often as the server's.
  const isStated = byStatus.includes(reason.kind) && !(reason.kind === "web-page" && response.status === 405);
  const [headline, advice] = (isStated && statuses[response.status]) || [];
  const found = headline === undefined || advice === undefined ? cause : { ...cause, headline, fix: advice };
  return answeredBy === null ? found : { ...found, headline: `${found.headline}; ${answeredBy}` };
}

// A response of these kinds can be somebody else's, who is named.
const byOthers: readonly UnexpectedReason["kind"][] = [
  ...(["web-page", "no-evidence", "not-found", "status", "empty", "not-json", "wrong-shape"] as const),
];

// The status says more than the form of the body.
const byStatus: readonly UnexpectedReason["kind"][] = ["web-page", "status"];

function wrongPath({ baseUrl, redact }: Evidence): Finding<Fix> {
  const path = baseUrl.pathname;
  const twice = /((?:\/[^/]{1,40}){1,3})(?=\1(?:\/|$))/.test(path);
  return possible(
    "not-found",
    path === "/"
      ? "the base URL has no path; many APIs live below one"
      : twice
        ? `the path ${redact(path)} of the base URL has the same part twice`
        : `the path ${redact(path)} of the base URL may be wrong`,
    checkPath,
  );
}

/** What to do about a redirect to a page. Its address is shown, and mostly says what it is for. */
const askForAddress = fix`Check ${theBaseUrl}, and ask the API's operator for its address; credentials never follow a redirect`;
const askWhoRedirects = (method: Method): Fix =>
  fix`${comparison[method]} if this address is a login: servers send an invalid credential there, and gateways and networks send everybody. If it is right, ask the operators of the API and of this network who redirects there`;

function redirectTarget({ exchange, baseUrl, credential }: Evidence): Finding<Fix> | null {
  const target = exchange.response?.redirectOf(baseUrl) ?? null;
  if (target === null) return null;
  const { differs, origin, path } = target;
  const { baseUrl: newUrl } = target;
  const askWhy = askWhoRedirects(credential.method);
  const advice = newUrl === null ? askWhy : fix`Set ${theBaseUrl} to ${newUrl}`;
  switch (differs) {
    case "protocol":
      return measured("redirect-host", "it redirects to a URL that is neither http nor https", askForAddress);
    case "host":
      return measured(
        "redirect-host",
        `it redirects to another host: ${origin}${path}`,
        newUrl === null ? askWhy : fix`If the API has moved there, set ${theBaseUrl} to ${newUrl}`,
      );
    case "http":
      return measured(
        "redirect-host",
        `it redirects from https:// to ${origin}, where anyone on the way could read the credential`,
        fix`Tell the API's operator: the server may not know that the request came by https, as behind a load balancer that ends TLS`,
      );
    case "query":
      return measured(
        "redirect-path",
        "it redirects to the address that was asked",
        fix`Ask the API's operator why: a server redirects so to set a cookie, or without end where it does not know that the request came by https`,
      );
    case "slash":
      return measured(
        "redirect-path",
        "it redirects to the same path with a slash at its end, which no base URL can give",
        fix`Ask the API's operator to answer ${endpointPath} without the slash`,
      );
    default:
      return measured(redirectIds[differs], `it redirects to ${origin}${path}`, advice);
  }
}

const redirectIds = { https: "redirect-https", port: "redirect-host", path: "redirect-path" } as const;
