import type { ConventionName } from "../wsse/digest.ts";
import { nonceBytes, type UsernameToken } from "../wsse/header.ts";

/** A UsernameToken as it was sent, or what is wrong with the header: a sentence's end that quotes nothing of it. */
export type ParsedToken =
  | { readonly kind: "parsed"; readonly token: UsernameToken }
  | { readonly kind: "malformed"; readonly problem: string };

const attributes = ["Username", "PasswordDigest", "Nonce", "Created"] as const;
type Attribute = (typeof attributes)[number];

const tokenType = /UsernameToken[ \t]+/y;
const pair = /([A-Za-z]+)="([^"\\]+)"/y;
const separator = /[ \t]*,[ \t]*/y;

const malformed = (problem: string): ParsedToken => ({ kind: "malformed", problem });
const isAttribute = (name: string): name is Attribute => (attributes as readonly string[]).includes(name);

/**
 * Reads the value of an `X-WSSE` header, strictly: `UsernameToken`, then each of the four attributes once, in any
 * order, as `name="value"`, with commas between and optional white space around them (specification, section 5.1).
 */
export function parseWsse(value: string): ParsedToken {
  let position = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const found = pattern.exec(value);
    if (found !== null) position = pattern.lastIndex;
    return found;
  };

  if (take(tokenType) === null) return malformed("X-WSSE does not begin with UsernameToken and a space");
  const found = new Map<Attribute, string>();
  do {
    const [, name = "", text = ""] = take(pair) ?? [];
    if (name === "") return malformed(`X-WSSE has no name="value" at character ${position + 1}`);
    if (!isAttribute(name)) return malformed(`X-WSSE has an attribute other than ${attributes.join(", ")}`);
    if (found.has(name)) return malformed(`X-WSSE has ${name} twice`);
    found.set(name, text);
  } while (take(separator) !== null);
  if (position < value.length) return malformed(`X-WSSE has no comma at character ${position + 1}`);

  const [username, passwordDigest, nonce, created] = attributes.map((name) => found.get(name));
  if (!username || !passwordDigest || !nonce || !created) {
    const absent = attributes.filter((name) => !found.has(name));
    return malformed(`X-WSSE has no ${absent.join(", ")}`);
  }
  return { kind: "parsed", token: { username, passwordDigest, nonce, created } };
}

const shape = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/**
 * Seconds since the epoch of a Created attribute, `YYYY-MM-DDThh:mm:ss` with a numeric offset or `Z` (specification,
 * section 5.1); null for another shape, or for a date or time that does not exist.
 */
export function createdSeconds(created: string): number | null {
  const parts = shape.exec(created);
  if (parts === null) return null;
  const [, local = "", sign = "+", hours = "0", minutes = "0"] = parts;
  const milliseconds = Date.parse(`${local}Z`);
  // Date.parse takes 30 February for 2 March, and 24:00:00 for the next day.
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(local)) return null;
  const offsetSeconds = (Number(hours) * 60 + Number(minutes)) * 60;
  return milliseconds / 1000 - (sign === "-" ? -offsetSeconds : offsetSeconds);
}

interface Shape {
  readonly fits: (nonce: string) => boolean;
  readonly description: string;
}

const hex: Shape = {
  fits: (nonce) => nonce.length === nonceBytes * 2 && /^[0-9a-f]*$/i.test(nonce),
  description: `${nonceBytes * 2} hexadecimal characters`,
};

const base64: Shape = {
  // Written back and compared: two spellings of the same bytes have the same digest, and would pass for two nonces.
  fits: (nonce) => {
    const bytes = Buffer.from(nonce, "base64");
    return bytes.length === nonceBytes && bytes.toString("base64") === nonce;
  },
  description: `the base64 of ${nonceBytes} bytes`,
};

/** What a Nonce looks like under each digest convention, and the words for it. */
export const nonceShapes: Readonly<Record<ConventionName, Shape>> = {
  "text-nonce": hex,
  "base64-nonce": base64,
  "decoded-nonce": hex,
  "hex-digest": hex,
};
