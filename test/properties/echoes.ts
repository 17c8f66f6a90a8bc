import fc from "fast-check";

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
  "percent-encoded, every byte": (secret) => Buffer.from(secret).toString("hex").replace(/../g, "%$&"),
  "escaped for JavaScript": (secret) =>
    secret.replace(/[\0-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  "decimal references": (secret) =>
    Array.from(secret, (character) => `&#${character.codePointAt(0)};`).join(""),
  "decimal references with zeros": (secret) =>
    Array.from(secret, (character) => `&#${String(character.codePointAt(0)).padStart(10, "0")};`).join(""),
  "escaped by names of HTML": (secret) =>
    secret.replace(
      /[&<>"'/]/g,
      (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", "/": "&sol;" })[sign] ?? sign,
    ),
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

/** Secrets of characters that few words hold, so that a part of one is not part of the text around it. */
export const secretTexts = fc
  .oneof(
    fc.string({
      unit: fc.constantFrom(..."QXZJKVWqxzjkvw2345789+/=_-.%&\\\"'<: "),
      minLength: 12,
      maxLength: 60,
    }),
    fc.string({ unit: fc.constantFrom(..."äöüßéğ€😀ŁżQXZ279"), minLength: 8, maxLength: 30 }),
  )
  .filter((text) => text.trim() === text && new Set(text.slice(0, 8)).size > 5);
