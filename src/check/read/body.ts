// Reads a body once and gives what it says, as a quote. No word in it is interpreted. What stands behind the name of a secret is
// hidden, and a text is searched for secrets before a part of it is taken.

import { TextDecoder } from "node:util";
import { cut, partsAround, type Span } from "../../redaction/cut.ts";
import { references } from "../../redaction/decode.ts";
import { masked, type Redactor } from "../../redaction/redact.ts";

/** A body that was parsed. Its texts are not searched for secrets yet, so it stays in this room. */
export interface Body {
  readonly kind: "empty" | "web-page" | "not-json" | "json" | "json-object";
  readonly text: string;
  /** Whether it may be quoted: it is UTF-8 and holds no NUL. */
  readonly isText: boolean;
  /** What it is as JSON; undefined for anything else. */
  readonly json: unknown;
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

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;
const isObject = (value: unknown): value is JsonObject => isContainer(value) && !Array.isArray(value);

/** Decodes a body as UTF-8. In another charset it is no text, but its ASCII remains: enough to recognise a web page. */
function textOf(bytes: Uint8Array): Pick<Body, "text" | "isText"> {
  try {
    const text = utf8.decode(bytes);
    return { text, isText: !text.includes("\0") };
  } catch {
    return { text: new TextDecoder().decode(bytes), isText: false };
  }
}

/** Parses a body. Its bytes count before its media type: servers label web pages and JSON wrongly. */
export function bodyOf(bytes: Uint8Array, mediaType: string | null): Body {
  if (bytes.length === 0) return { kind: "empty", text: "", isText: true, json: undefined, object: {} };
  const { text, isText } = textOf(bytes);
  const json = isText ? parsed(text) : undefined;
  if (isObject(json)) return { kind: "json-object", text, isText, json, object: json };
  if (json !== undefined) return { kind: "json", text, isText, json, object: {} };
  const isPage = pageTypes.includes(mediaType) || pageStart().test(text);
  return { kind: isPage ? "web-page" : "not-json", text, isText, json, object: {} };
}

/** The value of a JSON text; undefined for anything else. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const beginsAsJson = (text: string): boolean => /^\s*[{[]/.test(text);

// A string that does not close ends with the text, even in an escape, so that the pattern never starts again inside one.
const jsonToken = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}[\],:]|[^\s"{}[\],:]+/gs;
const depthOf: Readonly<Record<string, number>> = { "{": 1, "[": 1, "}": -1, "]": -1 };

const wordsOfSecrets = "token secret password key sid session auth sig otp pin jwt cookie".split(" ");

/** Whether any name in this JSON may be that of a secret: few bodies hold such a word, or an escape that may write one. */
function mayNameSecret(json: string): boolean {
  const lower = json.toLowerCase();
  return lower.includes("\\") || wordsOfSecrets.some((word) => lower.includes(word));
}

/** Whether a word of this name is that of a secret: of `apiKey`, `access_token`, `X-Auth-Token`. */
const namesSecret = (name: string): boolean =>
  name
    .replace(/[a-z\d](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, "$& ")
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => wordsOfSecrets.includes(word));

/** JSON as it came, without the texts, numbers, lists and objects behind the names of secrets. */
function hiddenInJson(text: string): string {
  if (!mayNameSecret(text)) return text;
  const hidden: Span[] = [];
  let name = "";
  let isNamed = false;
  let [from, depth] = [0, 0];
  for (const { 0: token, index } of text.matchAll(jsonToken)) {
    if (depth > 0) {
      depth += depthOf[token] ?? 0;
      if (depth === 0) hidden.push([from, index + 1]);
    } else if (token === ":") isNamed = namesSecret(String(parsed(name) ?? name));
    else {
      if (isNamed && (depthOf[token] ?? 0) > 0) [from, depth] = [index, 1];
      else if (isNamed && /^["\d-]/.test(token)) hidden.push([index, index + token.length]);
      isNamed = false;
      name = token;
    }
  }
  // JSON that is cut does not close what is hidden.
  if (depth > 0) hidden.push([from, text.length]);
  return partsAround(text, hidden).join(`"${masked}"`);
}

// A name and what joins it to its value, in text, forms, markup and broken JSON; then the value.
const namedInText = /(?<![\w-])([A-Za-z][\w-]*)(?:["']?\s*[:=]+>?\s*["']?|>\s*)/g;
const valueInText = /[^\s"'&;,<]+/y;

/** A text as it came, without the words behind the names of secrets. */
export function hiddenInText(text: string): string {
  const hidden: Span[] = [];
  for (const { 0: all, 1: name = "", index } of text.matchAll(namedInText)) {
    if (!namesSecret(name)) continue;
    const from = index + all.length;
    valueInText.lastIndex = from;
    if (valueInText.test(text)) hidden.push([from, valueInText.lastIndex]);
  }
  return partsAround(text, hidden).join(masked);
}

/** A text that is no JSON, without what stands behind the names of secrets. It may be JSON that is cut or broken. */
const hiddenInOther = (text: string): string => hiddenInText(beginsAsJson(text) ? hiddenInJson(text) : text);

/** Whether a body with this status is another service's answer, of which nothing can be read. */
const isOthersBroken = (kind: Body["kind"], text: string, status: number): boolean =>
  kind === "not-json" && status >= 200 && status < 300 && beginsAsJson(text);

/** The name of a field without what servers write differently: letter case, `-` and `_`. */
const fieldKey = (name: string): string => name.toLowerCase().replace(/[-_]/g, "");

// The fields in which servers write what is wrong, and those of a code in words, each in its order.
const fieldsOfWords = "message errordescription detail title error errormessage errmsg msg reason".split(" ");
const fieldsOfCodes = "code errorcode error type".split(" ");
const known = new Set([...fieldsOfWords, ...fieldsOfCodes]);
const mostLevels = 4;

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";
/** Whether a text is a code in words, and not a URL, as a `type` often is. */
const isCode = (text: string): boolean => /^\p{L}[\p{L}\p{M}\p{N}_.-]{1,60}$/u.test(text);

/** The first text of each known field, the nearest to the top: its own, or the first of its list. */
function textsByField(json: object): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let level: object[] = [json];
  for (let depth = 0; depth <= mostLevels; depth += 1) {
    const below: object[] = [];
    for (const one of level)
      for (const [name, value] of Object.entries(one)) {
        if (isContainer(value)) below.push(value);
        const key = Array.isArray(one) ? "" : fieldKey(name);
        const text: unknown = Array.isArray(value) ? value.find(isText) : value;
        if (!known.has(key) || !isText(text) || found.has(key)) continue;
        if (key !== "type" || isCode(text)) found.set(key, text);
      }
    level = below;
  }
  return found;
}

const valuesOf = (found: ReadonlyMap<string, string>, names: readonly string[]): readonly string[] =>
  names.flatMap((name) => found.get(name) ?? []);

/** What a body says: a quote, as one line that is not shortened, and its codes. */
export interface Said {
  readonly words: string;
  readonly codes: readonly string[];
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
const said = (text: string): Said => ({ words: oneLine(text), codes: [] });

const kindOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  return typeof value === "string" ? "text" : typeof value;
};

/** The keys of JSON and the kinds of their values. */
const kindsIn = (json: unknown): string =>
  isObject(json)
    ? `{ ${Object.entries(json)
        .map(([name, value]) => `${JSON.stringify(name)}: ${kindOf(value)}`)
        .join(", ")} }`
    : kindOf(json);

/** The text of a known field, after its code; else the whole. Of a success only the shape: another service's answer may hold anything. */
function saidInJson(text: string, json: unknown, status: number): Said {
  const found = isContainer(json) ? textsByField(json) : new Map<string, string>();
  const [words] = valuesOf(found, fieldsOfWords);
  const codes = valuesOf(found, fieldsOfCodes);
  if (words !== undefined) {
    const lower = words.toLowerCase();
    const code = codes.find((one) => isCode(one) && !lower.includes(one.toLowerCase()));
    return { words: oneLine(code === undefined ? words : `${code}: ${words}`), codes };
  }
  if (isContainer(json) && Object.keys(json).length === 0) return said("");
  return { words: oneLine(status >= 200 && status < 300 ? kindsIn(json) : text), codes };
}

// Nobody sees these in a page. Each pattern ends with the text where its end is missing, so it never starts again inside.
const unseen = (): RegExp =>
  /<!--[\s\S]*?(?:-->|$)|<script\b[\s\S]*?(?:<\/script[^<>]*>?|$)|<style\b[\s\S]*?(?:<\/style[^<>]*>?|$)/gi;
const titled = (): RegExp => /<title\b[^<>]*>([^<]*)(?:<\/title[^<>]*>?)?/i;

/** The title of a page and its visible words; only the words where they begin with the title. */
function saidInPage(text: string): Said {
  const seen = text.replace(unseen(), " ");
  const title = oneLine(titled().exec(seen)?.[1] ?? "");
  const words = oneLine(seen.replace(titled(), " ").replace(/<[!/?a-z][^<>]*>/gi, " "));
  return said(hiddenInText(references(words.startsWith(title) ? words : `${title} ${words}`)));
}

/** What a body of this kind says: in its own text, or in that text with its secrets masked. Null if the masks broke its JSON. */
function saidBy({ kind, json: sent, text: own }: Body, text: string, status: number): Said | null {
  switch (kind) {
    case "empty":
      return said("");
    case "json":
    case "json-object": {
      const hidden = hiddenInJson(text);
      const json = hidden === own ? sent : parsed(hidden);
      return json === undefined || isObject(json) !== (kind === "json-object")
        ? null
        : saidInJson(hidden, json, status);
    }
    case "web-page":
      return saidInPage(hiddenInText(text));
    case "not-json":
      return said(isOthersBroken(kind, text, status) ? "" : hiddenInOther(text));
  }
}

/** What a body says, before it is searched for secrets: to compare, never to show. */
export const saidIn = (body: Body, status: number): Said =>
  (body.isText ? saidBy(body, body.text, status) : null) ?? said("");

/** The longest quote, in UTF-16 code units. */
export const longestQuote = 300;

/** Whether a key holds a secret. Masked, a secret that holds `","` joins two texts of the JSON, and other values get other keys. */
function namesHoldSecret({ object }: Body, redact: Redactor): boolean {
  // Search all names at once: a budget for each would be used up many times.
  const names = Object.keys(object).join("\n");
  return redact.known(names) !== names;
}

/** What a body says without secrets, in at most 300 characters; null if it says nothing. `said` is what it says with them. */
export function messageIn(body: Body, said: Said, status: number, redact: Redactor): string | null {
  if (said.words === "") return null;
  // Search the text as it was sent: the parser could take a secret apart.
  const replaced = redact.known(body.text);
  if (replaced === masked) return masked;
  const isSame = replaced === body.text;
  const clean = isSame ? said : namesHoldSecret(body, redact) ? null : saidBy(body, replaced, status);
  // Of a body that cannot be read with its secrets masked, show only words that stand in it without an escape: behind a backslash, the
  // parser decodes a part of a secret, and the rest would be shown.
  const words = clean?.words ?? (body.text.includes(`"${said.words}"`) ? said.words : masked);
  return cut(redact(words), longestQuote) || null;
}

/** The beginning of a body as `--verbose` shows it: without what a quote hides. */
export function beginningOf(bytes: Uint8Array, status: number, longest: number, redact: Redactor): string {
  const body = bodyOf(bytes, null);
  if (!body.isText || isOthersBroken(body.kind, body.text, status))
    return `(${bytes.length} bytes, not shown)`;
  const text = redact.known(body.text);
  if (!body.kind.startsWith("json")) return cut(redact(hiddenInOther(text)), longest);
  const hidden = hiddenInJson(text);
  const isOthers = status >= 200 && status < 300 && typeof body.object.message !== "string";
  return cut(redact(isOthers ? kindsIn(parsed(hidden)) : hidden), longest);
}
