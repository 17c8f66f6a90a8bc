import { TextDecoder } from "node:util";
import { type HttpResponse, headerValue } from "../../http/exchange.ts";
import { type Redactor, unlessSecret } from "../../redaction/redact.ts";
import type { ApiResponse } from "../outcome.ts";
import { retryAfterSeconds } from "../retry.ts";
import { type Content, isJsonObject, mediaType, shownInteger, specifiedFields } from "./body.ts";

function shownType(response: HttpResponse, redact: Redactor): string | null {
  const type = mediaType(response);
  if (type === null || type === "application/json") return type;
  return unlessSecret(type, headerValue(response, "content-type") ?? "", redact);
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
// A longer text is a page for people, whose title is enough.
const longestOtherText = 300;

/** A body of other text as one line without its tags and without secrets; none if it is longer, empty or binary. */
function otherWords(body: Uint8Array, redact: Redactor): readonly string[] {
  if (body.length > 4 * longestOtherText) return [];
  const text = new TextDecoder().decode(body);
  // A text has no control characters but white space.
  if ([...text].length > longestOtherText || /(?!\s)\p{Cc}/u.test(text)) return [];
  const untagged = redact(text).replace(/<[!/?a-z][^<>]*>/gi, " ");
  return [redact(untagged.replace(/\s+/g, " ").trim())].filter((words) => words !== "");
}

/** What may be a server's words in a value: the value itself, or the fields of an object. */
function candidates(value: unknown, names: readonly string[]): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [value];
  return names.map((name) => (value as Readonly<Record<string, unknown>>)[name]);
}

/**
 * The server's own words, without secrets: the texts in the fields of a JSON object, then of the object or first element in a
 * field that nests them, or a short body of other text. The first is the one that is shown.
 */
export function wordsIn({ body }: HttpResponse, content: Content, redact: Redactor): readonly string[] {
  if (!isJsonObject(content)) return otherWords(body, redact);
  const nested = candidates(content.value, nestingFields).map((value) =>
    Array.isArray(value) ? value[0] : value,
  );
  const texts = [
    ...candidates(content.value, fieldsOfWords),
    ...nested.flatMap((value) => candidates(value, [...fieldsOfWords, "faultstring"])),
  ];
  return texts.filter((text): text is string => typeof text === "string" && text.trim() !== "").map(redact);
}

/** The fields in which services number a request, the most common first. */
const requestIdFields = ["x-request-id", "x-correlation-id", "request-id", "x-amzn-requestid", "cf-ray"];

/** What the server calls the request, without secrets; null if it does not say. */
function requestIdOf(response: HttpResponse, redact: Redactor): string | null {
  const ids = requestIdFields.map((name) => headerValue(response, name)?.trim() ?? "");
  return redact(ids.find((id) => id !== "") ?? "") || null;
}

/** The response for display, without secrets. It began at `respondedAt`, in milliseconds since the epoch. */
export function shownResponse(
  response: HttpResponse,
  respondedAt: number | null,
  content: Content,
  redact: Redactor,
): ApiResponse {
  return {
    status: response.status,
    contentType: shownType(response, redact),
    code: shownInteger(specifiedFields(content).code, redact),
    message: wordsIn(response, content, redact)[0] ?? null,
    requestId: requestIdOf(response, redact),
    retryAfterSeconds: shownInteger(retryAfterSeconds(response, respondedAt), redact),
  };
}
