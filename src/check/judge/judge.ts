import { type Exchange, type HttpResponse, headerValue, headerValues } from "../../http/exchange.ts";
import { type Redactor, unlessSecret } from "../../redaction/redact.ts";
import { type ApiResponse, isRefusal, type Outcome, type UnexpectedReason } from "../outcome.ts";
import { shownFailure } from "../shown.ts";
import { type Content, contentOf, describeContent, isJsonObject, specifiedFields } from "./body.ts";
import { cacheMark } from "./cache.ts";
import { apiSchemes, type Challenger, challengerIn } from "./challenge.ts";
import { gatewayOf } from "./gateway.ts";
import { shownResponse } from "./shown-response.ts";

/**
 * What an exchange means for the credential. Pure. Only a 401 or 403 with evidence that the API itself answered blames
 * the credential; without evidence it is `unexpected`. The specification shows only the success (sections 4 and 7), so
 * everything else is judged by HTTP (RFC 9110). Texts of the response pass `redact` when they enter the outcome.
 */
export function judge(exchange: Exchange, deadlineSeconds: number, redact: Redactor): Outcome {
  switch (exchange.kind) {
    case "failed": {
      const failure = shownFailure(exchange.failure, redact);
      return failure.code === null
        ? { kind: "timeout", failure, seconds: deadlineSeconds }
        : { kind: "unreachable", failure };
    }
    case "malformed":
      return { kind: "unexpected", response: null, reason: { kind: "malformed", problem: exchange.problem } };
    case "response":
      return judgeResponse(exchange.response, exchange.trace.respondedAt, redact);
  }
}

interface Read {
  readonly response: HttpResponse;
  readonly content: Content;
  readonly shown: ApiResponse;
  readonly redact: Redactor;
}

/** One kind of evidence that the API itself refused, in words, and whether a response holds it. */
interface ApiEvidence {
  readonly words: string;
  isIn(refusal: Pick<Read, "response" | "content"> & { readonly challenger: Challenger }): boolean;
}

/** All kinds of it. The judgement needs one of them, and a report names them where there is none. */
export const apiEvidence: readonly ApiEvidence[] = [
  {
    words: "a body that is declared empty",
    // Without a length, an attacker or a failure may have cut the body off. One that is too long is not read.
    isIn: ({ response: { bodyEnd, truncated }, content }) =>
      content.kind === "empty" && bodyEnd !== "connection" && !truncated,
  },
  {
    words: "a JSON object",
    isIn: ({ response, content }) => isJsonObject(content) && !response.truncated,
  },
  {
    words: `a challenge of ${apiSchemes.slice(0, -1).join(", ")} or ${apiSchemes.at(-1)}`,
    isIn: ({ challenger }) => challenger.kind === "api",
  },
];

function judgeResponse(response: HttpResponse, respondedAt: number | null, redact: Redactor): Outcome {
  const { status } = response;
  const content = contentOf(response, redact);
  const shown = shownResponse(response, respondedAt, content, redact);
  const read: Read = { response, content, shown, redact };

  if (status < 200 || status > 599)
    return unexpected(read, { kind: "malformed", problem: `Status ${status}` });
  // A network on the way wants a login (RFC 6585, section 6). The API has not been reached.
  if (status === 511) return unexpected(read, { kind: "network-login" });
  if (status === 429 || status >= 500) return { kind: "unavailable", response: read.shown };
  if (status >= 300 && status < 400) return unexpected(read, { kind: "redirect" });
  const encoding = foreignCoding(response, redact);
  if (encoding !== null) return unexpected(read, { kind: "encoded", encoding });
  if (status === 401 || status === 403) return unlessCached(read, judgeRefusal(read));
  if (response.truncated) return unexpected(read, { kind: "too-large" });
  if (content.kind === "web-page") return unexpected(read, content);
  switch (status) {
    case 200:
      return unlessCached(read, judgeSuccess(read));
    case 404:
      return unexpected(read, { kind: "not-found" });
    default:
      return unexpected(read, { kind: "status" });
  }
}

function unexpected({ shown }: Read, reason: UnexpectedReason): Outcome {
  return { kind: "unexpected", response: shown, reason };
}

// A cache answers nobody: the credential of this request was not looked at.
function unlessCached(read: Read, outcome: Outcome): Outcome {
  if (outcome.kind !== "accepted" && !isRefusal(outcome)) return outcome;
  const mark = cacheMark(read.response);
  return mark === null ? outcome : unexpected(read, { kind: "cached", mark: read.redact(mark) });
}

/** The first coding of the body that was not asked for, in lower case, or null. A list may span several fields. */
function foreignCoding(response: HttpResponse, redact: Redactor): string | null {
  for (const name of ["content-encoding", "transfer-encoding"])
    for (const field of headerValues(response, name)) {
      const codings = field.split(",").map((coding) => coding.trim().toLowerCase());
      const found = codings.find((coding) => !["", "identity", "chunked"].includes(coding));
      if (found !== undefined) return unlessSecret(found, field, redact);
    }
  return null;
}

// The judgement fails closed: a response that may be somebody else's counts as somebody else's.
function judgeRefusal(read: Read): Outcome {
  const { response, content, shown, redact } = read;
  const fields = headerValues(response, "www-authenticate");
  const challenger = challengerIn(fields);
  if (challenger.kind === "other") {
    const scheme = unlessSecret(challenger.scheme, fields.join("\n"), redact);
    return unexpected(read, { kind: "foreign-challenge", scheme });
  }
  if (headerValue(response, "proxy-authenticate") !== null) {
    return unexpected(read, { kind: "foreign-challenge", scheme: "proxy" });
  }
  if (challenger.kind === "unreadable") {
    return unexpected(read, {
      kind: "no-evidence",
      shown: "a WWW-Authenticate field that breaks the rules of HTTP",
    });
  }
  // Behind a gateway, only a challenge of the API's own shows that its refusal is not the gateway's.
  const gateway = challenger.kind === "api" ? null : gatewayOf(response, content);
  if (gateway !== null) return unexpected(read, { kind: "gateway", ...gateway });
  if (apiEvidence.some(({ isIn }) => isIn({ response, content, challenger }))) {
    return { kind: "rejected", response: shown };
  }
  if (response.truncated) return unexpected(read, { kind: "too-large" });
  if (content.kind === "empty") return unexpected(read, { kind: "no-length" });
  return unexpected(read, { kind: "no-evidence", shown: describeContent(content, shown.contentType) });
}

function judgeSuccess(read: Read): Outcome {
  const { content, shown } = read;
  const fields = specifiedFields(content);
  if (content.kind !== "json") return unexpected(read, content);
  const wrong = (problem: string): Outcome => unexpected(read, { kind: "wrong-shape", problem });
  if (!isJsonObject(content)) return wrong("it is JSON, but not an object");
  if (fields.code === null) return wrong("its code is missing or not an integer");
  if (fields.code !== 200) {
    return shown.code === null
      ? wrong("its code is not 200")
      : unexpected(read, { kind: "contradiction", code: shown.code });
  }
  if (!fields.message) return wrong("its message is missing, empty or not text");
  return { kind: "accepted", response: shown };
}
