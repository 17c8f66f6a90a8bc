import { TextDecoder } from "node:util";
import { type HttpResponse, headerValue } from "../../http/exchange.ts";
import type { Redactor } from "../../redaction/redact.ts";

/** The content of a response. The title is already redacted. */
export type Content =
  | { readonly kind: "empty" }
  | { readonly kind: "web-page"; readonly title: string | null }
  | { readonly kind: "not-json" }
  | { readonly kind: "json"; readonly value: unknown };

/** The media type without parameters, in lower case; null if there is none. */
export function mediaType(response: HttpResponse): string | null {
  const type = headerValue(response, "content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  return type || null;
}

function titleOf(text: string, redact: Redactor): string | null {
  const title = /<title\b[^<>]*>([^<]*)/i.exec(text)?.[1]?.replace(/\s+/g, " ").trim();
  return title ? redact(title) : null;
}

const pageStart =
  /^\s*(?:<\?xml\b[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype\s+html|html|head|body|title|h[1-6])\b/i;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const pageTypes: readonly (string | null)[] = ["text/html", "application/xhtml+xml"];

/** The content of a response. Its bytes count before its type: servers label web pages and JSON wrongly. */
export function contentOf(response: HttpResponse, redact: Redactor): Content {
  if (response.body.length === 0) return { kind: "empty" };
  try {
    return { kind: "json", value: JSON.parse(utf8.decode(response.body)) };
  } catch {
    // Markup is ASCII in all common charsets, so a wrong charset can only garble letters of the title.
    const text = new TextDecoder().decode(response.body);
    return pageTypes.includes(mediaType(response)) || pageStart.test(text)
      ? { kind: "web-page", title: titleOf(text, redact) }
      : { kind: "not-json" };
  }
}

/** Whether a body is a JSON object, as the specification shows one (section 2). */
export function isJsonObject(content: Content): content is Extract<Content, { kind: "json" }> {
  return (
    content.kind === "json" &&
    typeof content.value === "object" &&
    content.value !== null &&
    !Array.isArray(content.value)
  );
}

/** Describes a body, as a part of a sentence. */
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

/**
 * The fields of a body that the specification names (section 2), not yet redacted; null if they are absent or of another type.
 */
export function specifiedFields(content: Content) {
  const { code, message } = (isJsonObject(content) ? content.value : {}) as Record<string, unknown>;
  return {
    code: Number.isInteger(code) ? (code as number) : null,
    message: typeof message === "string" ? message : null,
  };
}

/** A whole number of the response for display; null if it contains a secret or lost digits (beyond 2^53). */
export function shownInteger(value: number | null, redact: Redactor): number | null {
  const text = String(value);
  return Number.isSafeInteger(value) && redact(text) === text ? value : null;
}
