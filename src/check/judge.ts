// The verdict on one exchange, by rules of which the first that fits counts. A refusal is the API's only with evidence that the
// API wrote it. Pure.

import type { Redactor } from "../redaction/redact.ts";
import { type ApiResponse, type Outcome, refusals, type UnexpectedReason } from "./outcome.ts";
import { apiSchemes } from "./read/challenge.ts";
import type { ReadExchange, ReadResponse } from "./read/response.ts";

/**
 * What an exchange means for the credential. The specification shows only the success (sections 4 and 7), so everything else is judged by
 * HTTP (RFC 9110). Pure.
 */
export function judge(exchange: ReadExchange, timeoutSeconds: number, redact: Redactor): Outcome {
  if (exchange.kind === "failed") {
    const failure = shownFailure(exchange.failure, redact.forResponse());
    return failure.code === null
      ? { kind: "timeout", failure, seconds: timeoutSeconds }
      : { kind: "unreachable", failure };
  }
  if (exchange.kind === "malformed") {
    const { problem } = exchange.broken;
    return { kind: "unexpected", response: null, reason: { kind: "malformed", problem } };
  }
  const { response } = exchange;
  const verdict = verdictOn(response);
  // A cache answers nobody: the credential of this request was not looked at.
  const isAboutCredential =
    typeof verdict === "string" ? verdict !== "unavailable" : refusals.includes(verdict.kind);
  const mark = isAboutCredential ? response.cacheMark : null;
  const judged = mark === null ? verdict : ({ kind: "cached", mark } as const);
  return typeof judged === "string"
    ? { kind: judged, response: shown(response, judged) }
    : { kind: "unexpected", response: shown(response, "unexpected"), reason: judged };
}

/** The kinds of evidence that the API itself refused, of which one is needed. A report names them where there is none. */
export const apiEvidence: readonly { readonly words: string; isIn(refusal: ReadResponse): boolean }[] = [
  {
    words: "a body that is declared empty",
    // Without a length, an attacker or a failure may have cut the body off. One that is too long is not read.
    isIn: ({ bodyEnd, truncated, content }) => content === "empty" && bodyEnd !== "connection" && !truncated,
  },
  {
    words: "a JSON object",
    isIn: ({ content, truncated }) => content === "json-object" && !truncated,
  },
  {
    words: `a challenge of ${apiSchemes.slice(0, -1).join(", ")} or ${apiSchemes.at(-1)}`,
    isIn: ({ challenger }) => challenger.kind === "api",
  },
];

/** What is shown of a response. Nothing is quoted of an acceptance but its message. */
function shown(response: ReadResponse, kind: Outcome["kind"]): ApiResponse {
  const { status, contentType, code, message, requestId, retryAfterSeconds } = response;
  const number = code === "hidden" ? null : code;
  const own = { status, contentType, code: number, message, requestId, retryAfterSeconds };
  if (kind === "accepted")
    return { ...own, location: null, challenges: [], reason: null, server: null, via: null };
  // The programs that answered matter where nothing shows that it was the API, or where it gives no reason.
  const isApis =
    kind === "rejected" || (typeof code === "number" && response.hasMessage && response.gateway === null);
  return { ...own, ...response.quotes, ...(isApis && message !== null && { server: null, via: null }) };
}

/** The kind of the outcome, or why the response is not this API's. The first rule that fits counts. */
function verdictOn(response: ReadResponse): "accepted" | "rejected" | "unavailable" | UnexpectedReason {
  const { status, content, foreignCoding } = response;
  if (status < 200 || status > 599) return { kind: "malformed", problem: `Status ${status}` };
  // A network on the way wants a login (RFC 6585, section 6). The API has not been reached.
  if (status === 511) return { kind: "status" };
  // Clients and gateways retry all of these (RFC 9110, section 15.5.9, for 408).
  if (status === 408 || status === 429 || status >= 500) return "unavailable";
  // 304 leads nowhere: it speaks of a copy that the client keeps (RFC 9110, section 15.4.5).
  if (status >= 300 && status < 400 && status !== 304)
    return { kind: "redirect", isMove: response.move !== null };
  if (status === 423) return { kind: "status" };
  if (foreignCoding !== null) return { kind: "encoded", encoding: foreignCoding };
  if (status === 401 || status === 403) return verdictOnRefusal(response);
  if (content === "web-page") return { kind: "web-page" };
  if (response.truncated) return { kind: "too-large" };
  return status === 200 ? verdictOnSuccess(response) : { kind: "status" };
}

/** A body that is no evidence, as a part of a sentence. */
const unproved = {
  empty: "no body and no length",
  "json-object": "a JSON object",
  "web-page": "a web page",
  json: "JSON that is not an object",
  "not-json": "a body that is not JSON",
} as const;

// The judgement fails closed: a response that may be somebody else's counts as somebody else's.
function verdictOnRefusal(response: ReadResponse): "rejected" | UnexpectedReason {
  const { challenger, content } = response;
  if (challenger.kind === "other") return { kind: "foreign-challenge", scheme: challenger.scheme };
  if (response.header("proxy-authenticate") !== null) return { kind: "foreign-challenge", scheme: "proxy" };
  if (challenger.kind === "unreadable")
    return { kind: "no-evidence", shown: "a WWW-Authenticate field that breaks the rules of HTTP" };
  // Behind a gateway, only a challenge of the API's own shows that its refusal is not the gateway's.
  const gateway = challenger.kind === "api" ? null : response.gateway;
  if (gateway !== null) return { kind: "gateway", ...gateway };
  if (apiEvidence.some(({ isIn }) => isIn(response))) return "rejected";
  if (response.truncated && content !== "web-page") return { kind: "too-large" };
  return { kind: "no-evidence", shown: unproved[content] };
}

function verdictOnSuccess(response: ReadResponse): "accepted" | UnexpectedReason {
  const { content, code } = response;
  if (content === "empty" || content === "not-json") return { kind: content };
  const wrong = (problem: string) => ({ kind: "wrong-shape", problem }) as const;
  if (content !== "json-object") return wrong("it is JSON, but not an object");
  if (code === null) return wrong("its JSON has no whole number `code`");
  if (code === "hidden") return wrong("its code is not 200");
  if (code !== 200) return { kind: "contradiction", code };
  return response.hasMessage ? "accepted" : wrong("its message is missing, empty or not text");
}

// Of these fields of a failure, the texts are this program's own and the system's.
const ownFields: readonly string[] = ["step", "at", "code", "received"];

/** A transport failure without secrets. The host comes from a setting, and other texts from the server or the proxy. */
function shownFailure<Part extends object>(failure: Part, redact: Redactor): Part {
  const shown = { ...failure } as Record<string, unknown>;
  for (const [name, value] of Object.entries(failure)) {
    if (typeof value === "string" && !ownFields.includes(name)) shown[name] = redact(value);
    else if (Array.isArray(value)) shown[name] = value.map(redact);
    else if (typeof value === "object" && value !== null) shown[name] = shownFailure(value, redact);
  }
  return shown as Part;
}
