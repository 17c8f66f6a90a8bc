import { type Exchange, headerValue, headerValues, type Reply } from "../http/exchange.ts";
import { answerFrom, type Content, contentOf } from "./body.ts";
import { foreignScheme } from "./challenge.ts";
import type { Answer, Outcome, Surprise } from "./outcome.ts";
import { retryAfterSeconds } from "./retry.ts";

/**
 * What an exchange means for the credential. Pure. Only an answer that nothing shows to be somebody else's may blame
 * the credential: 401 or 403 without a web page, a gateway's challenge or a compressed body. The specification shows
 * the success alone (sections 4 and 7), so all else is judged by HTTP (RFC 9110).
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
  const encoding = headerValue(reply, "content-encoding")?.trim().toLowerCase() || "identity";
  if (encoding !== "identity") return unexpected({ kind: "encoded", encoding });
  if (content.kind === "web-page") return unexpected(content);
  switch (status) {
    case 200:
      return judgeSuccess(content, answer, unexpected);
    case 401:
    case 403:
      return judgeRefusal(reply, answer, unexpected);
    case 404:
      return unexpected({ kind: "not-found" });
    default:
      return unexpected({ kind: "status" });
  }
}

type Unexpected = (surprise: Surprise) => Outcome;

function judgeRefusal(reply: Reply, answer: Answer, unexpected: Unexpected): Outcome {
  const foreign = foreignScheme(headerValues(reply, "www-authenticate"));
  if (foreign !== null) return unexpected({ kind: "foreign-challenge", scheme: foreign });
  if (headerValue(reply, "proxy-authenticate") !== null) {
    return unexpected({ kind: "foreign-challenge", scheme: "proxy" });
  }
  return { kind: "rejected", answer };
}

function judgeSuccess(content: Content, answer: Answer, unexpected: Unexpected): Outcome {
  if (content.kind !== "json") return unexpected(content);
  const wrong = (problem: string): Outcome => unexpected({ kind: "wrong-shape", problem });
  if (typeof content.value !== "object" || content.value === null || Array.isArray(content.value)) {
    return wrong("it is JSON, but not an object");
  }
  if (answer.code === null) return wrong("its code is missing or not an integer");
  if (answer.code !== 200) return wrong(`its code is ${answer.code}, not 200`);
  if (!answer.message) return wrong("its message is missing, empty or not text");
  return { kind: "accepted", answer };
}
