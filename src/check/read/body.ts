// Reads a body: JSON, a web page or neither. Its texts are searched for secrets before a part of them is taken.

import { TextDecoder } from "node:util";
import { references } from "../../redaction/decode.ts";
import { masked, type Redactor, searchedBeyond } from "../../redaction/redact.ts";

/** A body that was parsed. Its texts are not searched for secrets yet, so it stays in this room. */
export interface Body {
  readonly kind: "empty" | "web-page" | "not-json" | "json" | "json-object";
  readonly text: string;
  /** The JSON object; else an empty one. */
  readonly object: JsonObject;
}

/** A JSON object that was parsed. */
export type JsonObject = Readonly<Record<string, unknown>>;

const pageStart =
  /^\s*(?:<\?xml\b[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype\s+html|html|head|body|title|h[1-6])\b/i;

// A byte order mark is left out (RFC 8259, section 8.1).
const utf8 = new TextDecoder("utf-8", { fatal: true });
const pageTypes: readonly (string | null)[] = ["text/html", "application/xhtml+xml"];

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Parses a body. Its bytes count before its media type: servers label web pages and JSON wrongly. */
export function bodyOf(bytes: Uint8Array, mediaType: string | null): Body {
  if (bytes.length === 0) return { kind: "empty", text: "", object: {} };
  try {
    const text = utf8.decode(bytes);
    const value: unknown = JSON.parse(text);
    return isObject(value)
      ? { kind: "json-object", text, object: value }
      : { kind: "json", text, object: {} };
  } catch {
    // Markup is ASCII in all common charsets, so a wrong charset can only garble letters of the title.
    const text = new TextDecoder().decode(bytes);
    const isPage = pageTypes.includes(mediaType) || pageStart.test(text);
    return { kind: isPage ? "web-page" : "not-json", text, object: {} };
  }
}

/** Whether a text begins as a JSON object or list, and ends inside it. Nobody says whether it is valid up to there. */
export function endsInsideJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  let depth = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const one = text.charAt(index);
    if (isQuoted && one === "\\") index += 1;
    else if (one === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (one === "{" || one === "[")) depth += 1;
    else if (!isQuoted && (one === "}" || one === "]")) depth -= 1;
  }
  return depth > 0;
}

/** A text as one line. Without its white space it can hold a secret that it did not hold before. */
const oneLine = (text: string, redact: Redactor): string => redact(text.replace(/\s+/g, " ").trim());

/** The title of a page, without secrets. It stands near the beginning, and all that was read of the page is searched. */
export function titleOf(body: Body, redact: Redactor): string | null {
  const replaced = searched(body, redact);
  if (replaced === masked) return masked;
  const title = /<title\b[^<>]*>([^<]*)/i.exec(replaced.slice(0, searchedBeyond))?.[1] ?? "";
  return oneLine(references(title), redact) || null;
}

// The words of nginx (and Cloudflare, OpenResty), Apache, Go (and Caddy, Traefik), Tomcat.
const expectsHttps =
  /plain HTTP request was sent to HTTPS port|speaking plain HTTP to an SSL-enabled server port|sent an HTTP request to an HTTPS server|combination of host and port requires TLS/i;
// The words of nginx, Apache and IIS.
const wantsCertificate =
  /No required SSL certificate was sent|The SSL certificate error|Cannot perform Post-Handshake Authentication|client certificate is required/i;

/** What a web server says of itself in its own page; null if it says nothing that is known here. */
export function demandIn({ text }: Body): "https" | "client-certificate" | null {
  if (expectsHttps.test(text)) return "https";
  return wantsCertificate.test(text) ? "client-certificate" : null;
}

// The fields in which servers write what is wrong, the most common first.
const fieldsOfWords = [
  "message",
  "error_description",
  "detail",
  "description",
  "replyText",
  "error",
  "title",
];
// Where they nest these fields, or a list of objects with them.
const nestingFields = ["error", "errors", "details", "fault"];
const nestedFields = [...fieldsOfWords, "faultstring"];
// A longer text is a page for people, whose title is enough.
const longestOtherText = 300;

/** Whether a body of other text is short, and no binary: a text has no control characters but white space. */
const isSentence = (text: string): boolean =>
  text.length <= 4 * longestOtherText && [...text].length <= longestOtherText && !/(?!\s)\p{Cc}/u.test(text);

const untagged = (text: string): string => text.replace(/<[!/?a-z][^<>]*>/gi, " ");

/** What may be a server's words in a value: the value itself, or the fields of an object. */
function candidates(value: unknown, names: readonly string[]): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [value];
  return names.map((name) => (value as JsonObject)[name]);
}

/** The beginning of a body, searched as it was sent. */
const searched = ({ text }: Body, redact: Redactor): string =>
  redact.and([], Number.POSITIVE_INFINITY)(text.slice(0, 2 * searchedBeyond));

/**
 * The object of a body whose secrets were replaced: one that holds `","` can end a text and begin another. Null if it cannot be
 * read, or a secret is the name of a field.
 */
function objectOf({ object, text }: Body, replaced: string, redact: Redactor): JsonObject | null {
  if (replaced === text) return object;
  // Search all names at once: a budget for each would be used up many times.
  const names = Object.keys(object).join("\n");
  if (redact.and([], Number.POSITIVE_INFINITY)(names) !== names) return null;
  try {
    const value: unknown = JSON.parse(replaced);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The texts in the fields of a JSON object, then of the object or first element in a field that nests them. */
function textsIn(object: JsonObject): readonly string[] {
  const nested = nestingFields
    .filter((name) => Object.hasOwn(object, name))
    .map((name) => (Array.isArray(object[name]) ? object[name][0] : object[name]));
  return [
    ...candidates(object, fieldsOfWords),
    ...nested.flatMap((value) => candidates(value, nestedFields)),
  ].filter((text): text is string => typeof text === "string" && text.trim() !== "");
}

/** The server's own words as they came: the texts of a JSON object, or a short body of other text. They may hold secrets. */
export function wordsIn({ kind, object, text }: Body): readonly string[] {
  if (kind === "json-object") return textsIn(object);
  return isSentence(text) ? [untagged(text)] : [];
}

/** The first of the server's own words, without secrets; null without one. */
export function messageIn(body: Body, redact: Redactor): string | null {
  if (body.kind !== "json-object")
    return isSentence(body.text) ? oneLine(untagged(redact(body.text)), redact) || null : null;
  const replaced = searched(body, redact);
  const clean = objectOf(body, replaced, redact);
  const [text] = textsIn(clean ?? body.object);
  if (text === undefined) return null;
  // The parser decodes escapes. With a backslash before a secret, it decodes a part of the secret, and the rest would be shown. So
  // of a body that cannot be read without its secrets, or searched whole, show only texts without an escape.
  if (clean === null && !body.text.includes(`"${text}"`)) return masked;
  return oneLine(redact(text), redact);
}
