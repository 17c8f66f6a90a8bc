import { type HttpResponse, headerValue } from "../http/exchange.ts";
import type { ApiResponse } from "./outcome.ts";

/** What the bytes of an answer turned out to be. */
export type Content =
  | { readonly kind: "empty" }
  | { readonly kind: "web-page"; readonly title: string | null }
  | { readonly kind: "not-json" }
  | { readonly kind: "json"; readonly value: unknown };

/** The media type without its parameters, in lower case; null where there is none. */
function mediaType(response: HttpResponse): string | null {
  const type = headerValue(response, "content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  return type || null;
}

function titleOf(text: string): string | null {
  const title = /<title\b[^<>]*>([^<]*)/i.exec(text)?.[1]?.replace(/\s+/g, " ").trim();
  return title || null;
}

function looksLikePage(text: string): boolean {
  return /^\s*(?:<\?xml\b[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype\s+html|html|head|body|title|h[1-6])\b/i.test(
    text,
  );
}

const pageTypes: readonly (string | null)[] = ["text/html", "application/xhtml+xml"];

/** What the answer's body is, judged by its bytes first: servers label web pages and JSON wrongly. */
export function contentOf(response: HttpResponse): Content {
  if (response.body.length === 0) return { kind: "empty" };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(response.body);
    return { kind: "json", value: JSON.parse(text) };
  } catch {
    // Markup is ASCII in every charset that pages come in, so a wrong guess spoils letters of the title at most.
    const text = new TextDecoder().decode(response.body);
    return pageTypes.includes(mediaType(response)) || looksLikePage(text)
      ? { kind: "web-page", title: titleOf(text) }
      : { kind: "not-json" };
  }
}

/** Whether a body is a JSON object, as the specification shows one (section 2). */
export function isJsonObject(content: Content): boolean {
  return (
    content.kind === "json" &&
    typeof content.value === "object" &&
    content.value !== null &&
    !Array.isArray(content.value)
  );
}

/** What a body is, as a part of a sentence. The title of a page is in it as it came. */
export function describeContent(content: Content, type: string | null): string {
  switch (content.kind) {
    case "empty":
      return "an empty body";
    case "web-page":
      return content.title === null ? "a web page" : `a web page titled "${content.title}"`;
    case "json":
      return isJsonObject(content) ? "a JSON object" : "JSON that is not an object";
    case "not-json":
      if (type === "text/plain") return "plain text";
      return type?.endsWith("xml") ? "XML" : "a body that is not JSON";
  }
}

/** The answer as far as it is shown, with the specified fields (section 2) where they have the specified types. */
export function apiResponseOf(response: HttpResponse, content: Content): ApiResponse {
  const object = content.kind === "json" && typeof content.value === "object" ? content.value : null;
  const { code, message } = (object ?? {}) as Record<string, unknown>;
  return {
    status: response.status,
    contentType: mediaType(response),
    code: Number.isInteger(code) ? (code as number) : null,
    message: typeof message === "string" ? message : null,
  };
}
