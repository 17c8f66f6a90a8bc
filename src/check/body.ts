import { headerValue, type Reply } from "../http/exchange.ts";
import type { Answer } from "./outcome.ts";

/** What the bytes of an answer turned out to be. */
export type Content =
  | { readonly kind: "empty" }
  | { readonly kind: "web-page"; readonly title: string | null }
  | { readonly kind: "not-json" }
  | { readonly kind: "json"; readonly value: unknown };

/** The media type without its parameters, in lower case; null where there is none. */
function mediaType(reply: Reply): string | null {
  const type = headerValue(reply, "content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  return type || null;
}

function titleOf(text: string): string | null {
  const title = /<title\b[^<>]*>([^<]*)/i.exec(text)?.[1]?.replace(/\s+/g, " ").trim();
  return title || null;
}

function looksLikePage(text: string): boolean {
  return /^\uFEFF?\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i.test(text);
}

const pageTypes: readonly (string | null)[] = ["text/html", "application/xhtml+xml"];

/** What the answer's body is, judged by its bytes first: servers label web pages and JSON wrongly. */
export function contentOf(reply: Reply): Content {
  if (reply.body.length === 0) return { kind: "empty" };
  const labelledAsPage = pageTypes.includes(mediaType(reply));
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(reply.body);
  } catch {
    return labelledAsPage ? { kind: "web-page", title: null } : { kind: "not-json" };
  }
  try {
    return { kind: "json", value: JSON.parse(text) };
  } catch {
    return labelledAsPage || looksLikePage(text)
      ? { kind: "web-page", title: titleOf(text) }
      : { kind: "not-json" };
  }
}

/** The answer as far as it is shown, with the specified fields (section 2) where they have the specified types. */
export function answerFrom(reply: Reply, content: Content): Answer {
  const object = content.kind === "json" && typeof content.value === "object" ? content.value : null;
  const { code, message } = (object ?? {}) as Record<string, unknown>;
  return {
    status: reply.status,
    contentType: mediaType(reply),
    code: Number.isInteger(code) ? (code as number) : null,
    message: typeof message === "string" ? message : null,
  };
}
