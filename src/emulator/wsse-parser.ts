import type { UsernameToken } from "../wsse/header.ts";

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
