// Reads a body: JSON, a web page or neither. Its texts are searched for secrets before a part of them is taken.

import { TextDecoder } from "node:util";
import { references } from "../../redaction/decode.ts";
import { masked, type Redactor } from "../../redaction/redact.ts";

/** A body that was parsed. Its texts are not searched for secrets yet, so it stays in this room. */
export interface Body {
  readonly kind: "empty" | "web-page" | "not-json" | "json" | "json-object";
  readonly text: string;
  /** The JSON object; else an empty one. */
  readonly object: JsonObject;
}

/** A JSON object that was parsed. */
export type JsonObject = Readonly<Record<string, unknown>>;

// Patterns that few responses need are functions: else V8 reads them at each start.
const pageStart = (): RegExp =>
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
    const isPage = pageTypes.includes(mediaType) || pageStart().test(text);
    return { kind: isPage ? "web-page" : "not-json", text, object: {} };
  }
}

/** A text as one line. Without its white space it can hold a secret that it did not hold before. */
const oneLine = (text: string, redact: Redactor): string => redact(text.replace(/\s+/g, " ").trim());

const titlePattern = /<title\b[^<>]*>([^<]*)/i;

/** The title of a page, without secrets. It stands near the beginning, and all that was read of the page is searched. */
export function titleOf(body: Body, redact: Redactor): string | null {
  const replaced = searched(body, redact);
  if (replaced === masked) return masked;
  const title = titlePattern.exec(replaced)?.[1] ?? "";
  return oneLine(references(title), redact) || null;
}

/** A name of a field without what servers write in different ways: letter case, hyphens, underscores. */
const fieldKey = (name: string): string => name.toLowerCase().replace(/[-_]/g, "");

// The fields in which servers write what is wrong, in their order.
const fieldsOfWords = [
  ...["message", "error_description", "detail", "description", "replyText"],
  ...["errorMessage", "msg", "reason", "error", "title"],
];
// Where they nest these fields, or a list of objects with them, or of texts.
const nestingFields = ["error", "errors", "details", "detail", "data", "meta", "messages", "fault"];
const nestedFields = [...fieldsOfWords, "faultstring"];
// Each response is asked for all of them.
const keysOfFields = new Map([...nestingFields, ...nestedFields].map((name) => [name, fieldKey(name)]));
const knownKey = (name: string): string => keysOfFields.get(name) ?? fieldKey(name);
// A longer text is a page for people, whose title is enough.
const longestOtherText = 300;

/** Whether a text is short, and no binary: a text has no control characters but white space. */
const isSentence = (text: string): boolean =>
  text.length <= 2 * longestOtherText && [...text].length <= longestOtherText && !/(?!\s)\p{Cc}/u.test(text);

// Nobody sees these in a page. Each pattern ends with the text where its end is missing, so it never starts again inside.
const unseen = (): RegExp =>
  /<!--[\s\S]*?(?:-->|$)|<script\b[\s\S]*?(?:<\/script[^<>]*>?|$)|<style\b[\s\S]*?(?:<\/style[^<>]*>?|$)/gi;
const spaced = (text: string): string => text.replace(/\s+/g, " ").trim();

/** What a page or another text says, on one line, without tags and scripts. A title that the text repeats stands once. */
function saidIn({ kind, text }: Pick<Body, "kind" | "text">): string {
  const seen = text.replace(unseen(), " ");
  const said = spaced(seen.replace(/<[!/?a-z][^<>]*>/gi, " "));
  const title = spaced(titlePattern.exec(seen)?.[1] ?? "");
  const rest = said.startsWith(title) ? said.slice(title.length).trim() : "";
  // "421 Misdirected Request" stands above "Misdirected Request".
  const name = title.replace(/^\d{3}\b[\s:-]*/, "");
  const standsAt = (words: string, at: number): boolean =>
    words !== "" && at >= 0 && !/[\p{L}\p{N}]/u.test(rest.charAt(at - 1) + rest.charAt(at + words.length));
  const isRepeated = standsAt(title, rest.indexOf(title));
  const isNamed = rest.startsWith(name) && standsAt(name, 0);
  const once = isRepeated ? rest : isNamed ? `${title}${rest.slice(name.length)}` : said;
  return kind === "web-page" ? references(once) : once;
}

/** Gives the value of a field of an object, by its known name. */
function fieldsIn(object: JsonObject): (name: string) => unknown {
  const byKey = new Map<string, unknown>();
  for (const [name, value] of Object.entries(object)) {
    const key = knownKey(name);
    // The specified name counts before others.
    if (!byKey.has(key) || keysOfFields.has(name)) byKey.set(key, value);
  }
  return (name) => byKey.get(knownKey(name));
}

/** What may be a server's words in a field that nests them: those of an object or first element, or the element itself. */
function nestedIn(name: string, value: unknown): readonly unknown[] {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(first)) return [first];
  const [ofFirst] = Object.values(first);
  return [
    ...nestedFields.map(fieldsIn(first)),
    // The errors of a form, by its fields.
    ...(name === "errors" && first === value ? [Array.isArray(ofFirst) ? ofFirst[0] : ofFirst] : []),
  ];
}

/** The beginning of a body without secrets. It is searched as it was sent, since decoding could take a secret apart. */
const searched = ({ text }: Body, redact: Redactor): string => redact.known(text);

/**
 * The object of a body whose secrets were replaced: one that holds `","` can end a text and begin another. Null if it cannot be
 * read, or a secret is the name of a field.
 */
function objectOf({ object, text }: Body, replaced: string, redact: Redactor): JsonObject | null {
  if (replaced === text) return object;
  // Search all names at once: a budget for each would be used up many times.
  const names = Object.keys(object).join("\n");
  if (redact.known(names) !== names) return null;
  try {
    const value: unknown = JSON.parse(replaced);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

/** The texts in the fields of a JSON object, then of the object or first element in a field that nests them. */
function textsIn(object: JsonObject): readonly string[] {
  const field = fieldsIn(object);
  const texts: unknown[] = fieldsOfWords.map(field);
  for (const name of nestingFields) {
    const value = field(name);
    if (value !== undefined) for (const one of nestedIn(name, value)) texts.push(one);
  }
  return texts.filter(isText);
}

/** Codes in words, such as TOKEN_EXPIRED, of an object and of its first error. They are read like words, and never shown as them. */
function codesIn(object: JsonObject): readonly string[] {
  const errors = [object.error, object.errors].map((one) => (Array.isArray(one) ? one[0] : one));
  const codes = [object, ...errors.filter(isObject)].flatMap((one) => [
    one.code,
    one.errorCode,
    one.error_code,
  ]);
  return codes.filter((code) => typeof code === "string");
}

/** The server's own words as they came: the texts of a JSON object, or a short body of other text. They may hold secrets. */
export function wordsIn(body: Body): readonly string[] {
  if (body.kind === "json-object") return [...textsIn(body.object), ...codesIn(body.object)];
  const said = saidIn(body);
  return isSentence(said) ? [said] : [];
}

const secretName = /token|secret|passw|pwd|apikey|accesskey|privatekey|credential|session|cookie|jwt/;

/** Whether the name of any field is that of a secret. */
function namesSecret(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, inner]) => secretName.test(fieldKey(name)) || namesSecret(inner));
}

/**
 * A short JSON without words, as it came: it may hold a code that its operator knows. Not that of a success, which may hold anything,
 * nor one with a secret of somebody else's.
 */
function asItCame({ kind, text, object }: Body, status: number, redact: Redactor): string | null {
  if (status >= 200 && status < 300) return null;
  if (!isSentence(spaced(text))) return null;
  if (kind === "json-object" && Object.keys(object).length === 0) return null;
  return namesSecret(JSON.parse(text)) ? null : oneLine(redact.known(text), redact) || null;
}

/** A short text, or the first words of a page. A text with control characters is binary. */
function firstWords(said: string): string {
  if (isSentence(said)) return said;
  const [first = ""] = /^.{0,120}(?=\s)/su.exec(said) ?? [];
  return first !== "" && isSentence(first) ? `${first} …` : "";
}

// A reader needs no more, and a list of errors can be long.
const mostTexts = 3;

/** The first texts of an object, with a code in words that they do not say: "Unauthorized; TOKEN_EXPIRED". */
function quoted(object: JsonObject): string {
  const codes = codesIn(object).filter((code) => /^[A-Za-z_.-]{4,60}$/.test(code));
  const said: string[] = [];
  for (const text of [...textsIn(object), ...codes])
    if (!said.some((other) => other.toLowerCase().includes(text.toLowerCase()))) said.push(text);
  return said.slice(0, mostTexts).join("; ");
}

/** The server's own words, without secrets; null without any. */
export function messageIn(body: Body, status: number, redact: Redactor): string | null {
  const { kind } = body;
  if (kind === "json") return asItCame(body, status, redact);
  if (kind !== "json-object") {
    const text = searched(body, redact);
    const said = oneLine(saidIn({ kind, text }), redact);
    return firstWords(said) || null;
  }
  const [raw] = textsIn(body.object);
  if (raw === undefined) return asItCame(body, status, redact);
  const replaced = searched(body, redact);
  const clean = objectOf(body, replaced, redact);
  // The parser decodes escapes. With a backslash before a secret, it decodes a part of the secret, and the rest would be shown. So
  // of a body that cannot be read without its secrets, or searched whole, show only a text without an escape.
  if (clean === null) return body.text.includes(`"${raw}"`) ? oneLine(redact(raw), redact) : masked;
  return oneLine(redact(quoted(clean)), redact) || null;
}
