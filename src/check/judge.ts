import { type Exchange, type HttpResponse, headerValue, headerValues } from "../http/exchange.ts";
import { apiResponseOf, type Content, contentOf, describeContent, isJsonObject } from "./body.ts";
import { challengerIn } from "./challenge.ts";
import type { ApiResponse, Outcome, UnexpectedReason } from "./outcome.ts";
import { retryAfterSeconds } from "./retry.ts";

/**
 * What an exchange means for the credential. Pure. Only a 401 or 403 with evidence that the API itself answered blames
 * the credential; without evidence it is `unexpected`. The specification shows the success alone (sections 4 and 7), so
 * everything else is judged by HTTP (RFC 9110).
 */
export function judge(exchange: Exchange, deadlineSeconds: number): Outcome {
  switch (exchange.kind) {
    case "failed":
      return { kind: "unreachable", failure: exchange.failure };
    case "expired":
      return { kind: "timeout", phase: exchange.phase, seconds: deadlineSeconds };
    case "malformed":
      return { kind: "unexpected", response: null, reason: { kind: "malformed", problem: exchange.problem } };
    case "response":
      return judgeResponse(exchange.response, exchange.trace.respondedAt);
  }
}

function judgeResponse(response: HttpResponse, repliedAt: number | null): Outcome {
  const { status } = response;
  const content = contentOf(response);
  const apiResponse = apiResponseOf(response, content);
  const unexpected = (reason: UnexpectedReason): Outcome => ({
    kind: "unexpected",
    response: apiResponse,
    reason: reason,
  });

  if (status < 200 || status > 599) return unexpected({ kind: "malformed", problem: `Status ${status}` });
  if (status === 429 || status >= 500) {
    return {
      kind: "unavailable",
      response: apiResponse,
      retryAfterSeconds: retryAfterSeconds(response, repliedAt),
    };
  }
  if (status >= 300 && status < 400)
    return unexpected({ kind: "redirect", location: headerValue(response, "location") });
  if (response.truncated) return unexpected({ kind: "too-large" });
  const encoding = foreignCoding(response);
  if (encoding !== null) return unexpected({ kind: "encoded", encoding });
  if (status === 401 || status === 403) return judgeRefusal(response, content, apiResponse, unexpected);
  if (content.kind === "web-page") return unexpected(content);
  switch (status) {
    case 200:
      return judgeSuccess(content, apiResponse, unexpected);
    case 404:
      return unexpected({ kind: "not-found" });
    default:
      return unexpected({ kind: "status" });
  }
}

type Unexpected = (reason: UnexpectedReason) => Outcome;

/** The first coding of the body that was not asked for, in lower case, or null. A list may span several fields. */
function foreignCoding(response: HttpResponse): string | null {
  const codings = ["content-encoding", "transfer-encoding"]
    .flatMap((name) => headerValues(response, name))
    .flatMap((field) => field.split(","))
    .map((coding) => coding.trim().toLowerCase());
  return codings.find((coding) => !["", "identity", "chunked"].includes(coding)) ?? null;
}

// The judgement fails closed: what is not known to be the API's own is somebody else's.
function judgeRefusal(
  response: HttpResponse,
  content: Content,
  apiResponse: ApiResponse,
  unexpected: Unexpected,
): Outcome {
  const challenger = challengerIn(headerValues(response, "www-authenticate"));
  if (challenger.kind === "other")
    return unexpected({ kind: "foreign-challenge", scheme: challenger.scheme });
  if (headerValue(response, "proxy-authenticate") !== null) {
    return unexpected({ kind: "foreign-challenge", scheme: "proxy" });
  }
  if (challenger.kind === "unreadable") {
    return unexpected({
      kind: "no-evidence",
      shown: "a WWW-Authenticate field that breaks the rules of HTTP",
    });
  }
  if (challenger.kind === "api" || content.kind === "empty" || isJsonObject(content)) {
    return { kind: "rejected", response: apiResponse };
  }
  return unexpected({ kind: "no-evidence", shown: describeContent(content, apiResponse.contentType) });
}

function judgeSuccess(content: Content, apiResponse: ApiResponse, unexpected: Unexpected): Outcome {
  if (content.kind !== "json") return unexpected(content);
  const wrong = (problem: string): Outcome => unexpected({ kind: "wrong-shape", problem });
  if (!isJsonObject(content)) return wrong("it is JSON, but not an object");
  if (apiResponse.code === null) return wrong("its code is missing or not an integer");
  if (apiResponse.code !== 200) return unexpected({ kind: "contradiction", code: apiResponse.code });
  if (!apiResponse.message) return wrong("its message is missing, empty or not text");
  return { kind: "accepted", response: apiResponse };
}
