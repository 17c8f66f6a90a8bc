import { type Exchange, headerValue, headerValues, type Reply } from "../http/exchange.ts";
import { answerFrom, type Content, contentOf, describeContent, isJsonObject } from "./body.ts";
import { challengerIn } from "./challenge.ts";
import type { Answer, Outcome, Surprise } from "./outcome.ts";
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
      return { kind: "unexpected", answer: null, surprise: { kind: "malformed", problem: exchange.problem } };
    case "reply":
      return judgeReply(exchange.reply, exchange.trace.repliedAt);
  }
}

function judgeReply(reply: Reply, repliedAt: number | null): Outcome {
  const { status } = reply;
  const content = contentOf(reply);
  const answer = answerFrom(reply, content);
  const unexpected = (surprise: Surprise): Outcome => ({ kind: "unexpected", answer, surprise });

  if (status < 200 || status > 599) return unexpected({ kind: "malformed", problem: `Status ${status}` });
  if (status === 429 || status >= 500) {
    return { kind: "unavailable", answer, retryAfterSeconds: retryAfterSeconds(reply, repliedAt) };
  }
  if (status >= 300 && status < 400)
    return unexpected({ kind: "redirect", location: headerValue(reply, "location") });
  if (reply.truncated) return unexpected({ kind: "too-large" });
  const encoding = foreignCoding(reply);
  if (encoding !== null) return unexpected({ kind: "encoded", encoding });
  if (status === 401 || status === 403) return judgeRefusal(reply, content, answer, unexpected);
  if (content.kind === "web-page") return unexpected(content);
  switch (status) {
    case 200:
      return judgeSuccess(content, answer, unexpected);
    case 404:
      return unexpected({ kind: "not-found" });
    default:
      return unexpected({ kind: "status" });
  }
}

type Unexpected = (surprise: Surprise) => Outcome;

/** The first coding of the body that was not asked for, in lower case, or null. A list may span several fields. */
function foreignCoding(reply: Reply): string | null {
  const codings = ["content-encoding", "transfer-encoding"]
    .flatMap((name) => headerValues(reply, name))
    .flatMap((field) => field.split(","))
    .map((coding) => coding.trim().toLowerCase());
  return codings.find((coding) => !["", "identity", "chunked"].includes(coding)) ?? null;
}

// The judgement fails closed: what is not known to be the API's own is somebody else's.
function judgeRefusal(reply: Reply, content: Content, answer: Answer, unexpected: Unexpected): Outcome {
  const challenger = challengerIn(headerValues(reply, "www-authenticate"));
  if (challenger.kind === "other")
    return unexpected({ kind: "foreign-challenge", scheme: challenger.scheme });
  if (headerValue(reply, "proxy-authenticate") !== null) {
    return unexpected({ kind: "foreign-challenge", scheme: "proxy" });
  }
  if (challenger.kind === "unreadable") {
    return unexpected({
      kind: "no-evidence",
      shown: "a WWW-Authenticate field that breaks the rules of HTTP",
    });
  }
  if (challenger.kind === "api" || content.kind === "empty" || isJsonObject(content)) {
    return { kind: "rejected", answer };
  }
  return unexpected({ kind: "no-evidence", shown: describeContent(content, answer.contentType) });
}

function judgeSuccess(content: Content, answer: Answer, unexpected: Unexpected): Outcome {
  if (content.kind !== "json") return unexpected(content);
  const wrong = (problem: string): Outcome => unexpected({ kind: "wrong-shape", problem });
  if (!isJsonObject(content)) return wrong("it is JSON, but not an object");
  if (answer.code === null) return wrong("its code is missing or not an integer");
  if (answer.code !== 200) return unexpected({ kind: "contradiction", code: answer.code });
  if (!answer.message) return wrong("its message is missing, empty or not text");
  return { kind: "accepted", answer };
}
