import type { ServerResponse } from "node:http";
import { json } from "../support/serve.ts";

const bytesAs = (write: (byte: string) => string) => (text: string) =>
  Buffer.from(text).toString("hex").replace(/../g, write);
const unitsAs = (write: (unit: number) => string) => (text: string) =>
  text.replace(/[\0-\uffff]/g, (unit) => write(unit.charCodeAt(0)));

/** How a server may encode what it was sent. */
export const writings: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  "in a sentence": (secret) => `The token "${secret}" is unknown`,
  "in capitals": (secret) => secret.toUpperCase(),
  "percent-encoded": (secret) => encodeURIComponent(secret),
  "percent-encoded in small letters": (secret) =>
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  base64: (secret) => Buffer.from(secret).toString("base64"),
  base64url: (secret) => Buffer.from(secret).toString("base64url"),
  hex: (secret) => Buffer.from(secret).toString("hex"),
  "percent-encoded, every byte": bytesAs((byte) => `%${byte}`),
  "escaped for JavaScript": unitsAs((unit) => `\\u${unit.toString(16).padStart(4, "0")}`),
  "decimal references": (secret) =>
    Array.from(secret, (character) => `&#${character.codePointAt(0)};`).join(""),
  "escaped for HTML": (secret) =>
    secret.replace(/[&<>"']/g, (character) => `&#x${character.charCodeAt(0).toString(16)};`),
  "JSON in JSON": (secret) => JSON.stringify({ received: secret }),
  "behind 490 other characters": (secret) => "x".repeat(490) + secret,
};

/** The secret after several encodings. The one in capitals comes first, since it would break an encoded text. */
export function writtenWith(names: readonly string[], secret: string): string {
  const capitals = (name: string): number => (name === "in capitals" ? 0 : 1);
  return [...names]
    .sort((one, other) => capitals(one) - capitals(other))
    .reduce((text, name) => writings[name]?.(text) ?? text, secret);
}

/** A header field carries bytes, which Node takes as latin1, and no control characters. */
const field = (text: string): string =>
  Buffer.from(text)
    .toString("latin1")
    .replace(/[^\x20-\x7e\x80-\xff]/g, "");

/** A label of a host's name, which has 63 characters at most; only a whole secret is one that must not be shown. */
const label = (text: string): string => /^.{1,63}$/.exec(Buffer.from(text).toString("hex"))?.[0] ?? "long";

/** Places of an answer, each of a kind of outcome, in which a server may send a text back. */
export const answers: Readonly<Record<string, (response: ServerResponse, text: string) => void>> = {
  "accepted, in message": (response, message) => json(response, 200, { code: 200, message }),
  "rejected, in message": (response, message) => json(response, 401, { code: 401, message }),
  "rejected, in a field's name": (response, text) =>
    json(response, 401, {}, { [`x-${Buffer.from(text).toString("hex").slice(0, 2_000)}`]: "x" }),
  "rejected, in base64 in a field's name": (response, text) =>
    json(response, 401, {}, { [`x-${Buffer.from(text).toString("base64url").slice(0, 2_000)}`]: "x" }),
  "rejected, in the challenge": (response, text) =>
    json(response, 401, {}, { "www-authenticate": `WSSE realm="${field(text)}"` }),
  "rejected, as the challenge": (response, text) =>
    json(response, 403, {}, { "www-authenticate": field(text), "x-received": field(text) }),
  "unavailable, in message and Retry-After": (response, message) =>
    json(response, 503, { code: 503, message }, { "retry-after": field(message) }),
  "redirect, in the path": (response, text) =>
    json(response, 302, {}, { location: `/${encodeURIComponent(text)}` }),
  "redirect, in the host": (response, text) =>
    json(response, 302, {}, { location: `https://${label(text)}.example/` }),
  "redirect, in user information": (response, text) =>
    json(response, 307, {}, { location: `https://${encodeURIComponent(text)}@other.example/` }),
  "web page, in its title": (response, text) =>
    response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><title>${text}</title>`),
  "not JSON, in the content type": (response, text) =>
    response.writeHead(200, { "content-type": field(text) }).end(`nothing but ${text}`),
  "compressed, in the encoding": (response, text) =>
    response.writeHead(200, { "content-encoding": field(text) }).end("{}"),
  "wrong shape, in keys and values": (response, text) =>
    json(response, 200, { code: text, message: [text], [text]: text }),
  "other status, in the reason": (response, text) =>
    response.writeHead(418, field(text), { "x-received": field(text) }).end(text),
  "malformed, in the status line": (response, text) => void response.socket?.end(`HTTP/1.1 ${text}\r\n\r\n`),
  "cut off, in the middle of the body": (response, text) =>
    void response.socket?.end(
      `HTTP/1.1 401 No\r\ncontent-length: 9999\r\n\r\n{"code":401,"message":"${text}`,
    ),
};
