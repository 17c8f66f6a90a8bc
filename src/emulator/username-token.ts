import type { ConventionName } from "../wsse/digest.ts";
import type { UsernameToken } from "../wsse/header.ts";

const attributes = ["Username", "PasswordDigest", "Nonce", "Created"] as const;
type Attribute = (typeof attributes)[number];

const tokenType = /UsernameToken[ \t]+/y;
// Clients do not escape values, so a backslash is an ordinary character.
const pair = /([A-Za-z]+)[ \t]*=[ \t]*(?:"([^"]+)")?/y;
const separator = /[ \t]*,[ \t]*/y;
const nonceLimits = /^[\x20-\x7e]{1,128}$/;

/** Which attribute is meant by a name that is none: names are compared with their letter case. */
function insteadOf(name: string): string {
  const meant = attributes.find((one) => one.toLowerCase() === name.toLowerCase());
  return meant === undefined ? `; it may only have ${attributes.join(", ")}` : `; write ${meant}`;
}

/**
 * Reads the value of an `X-WSSE` header: `UsernameToken`, then each of the four attributes once, in any order, as
 * `name="value"` with commas between and optional white space around commas and `=`. A Nonce has 1 to 128 printable
 * ASCII characters. For another header it returns what is wrong; that holds no text of it but an attribute's name.
 */
export function parseWsse(value: string): UsernameToken | string {
  let position = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(value);
    if (match !== null) position = pattern.lastIndex;
    return match;
  };

  if (take(tokenType) === null) return "X-WSSE does not begin with UsernameToken and a space";
  const values = new Map<Attribute, string>();
  do {
    const [, name = "", text] = take(pair) ?? [];
    if (name === "") return `X-WSSE has no name="value" at character ${position + 1}`;
    const attribute = attributes.find((one) => one === name);
    if (attribute === undefined) return `X-WSSE has an attribute ${name}${insteadOf(name)}`;
    if (text === undefined) return `X-WSSE has ${name} without a value in double quotes`;
    if (values.has(attribute)) return `X-WSSE has ${name} twice`;
    values.set(attribute, text);
  } while (take(separator) !== null);
  if (position < value.length) return `X-WSSE has no comma at character ${position + 1}`;

  const [username, passwordDigest, nonce, created] = attributes.map((name) => values.get(name));
  if (!username || !passwordDigest || !nonce || !created) {
    const missing = attributes.filter((name) => !values.has(name));
    return `X-WSSE has no ${missing.join(", ")}`;
  }
  if (!nonceLimits.test(nonce)) return "Nonce is not 1 to 128 printable ASCII characters";
  return { username, passwordDigest, nonce, created };
}

const pairs = attributes.map((name) => `${name}="[^"]+"`).join("[ \\t]*,[ \\t]*");
const documentedLayout = new RegExp(`^UsernameToken[ \\t]+${pairs}$`);
const documentedTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;

// The specification's nonce has 20 bytes. The last character of their base64 holds four bits.
const hex = [/^[\da-f]{40}$/i, "40 hexadecimal characters"] as const;
const base64 = [/^[A-Za-z\d+/]{26}[AEIMQUYcgkosw048]=$/, "the base64 of 20 bytes"] as const;

/** The Nonce of the specification (section 5.1) as each digest convention writes it. */
const nonceShapes: Readonly<Record<ConventionName, typeof hex | typeof base64>> = {
  "text-nonce": hex,
  "base64-nonce": base64,
  "decoded-nonce": hex,
  "hex-digest": hex,
};

/**
 * How a valid header differs from the shapes of the specification (section 5.1): one note for each difference. No note
 * contains text of the header.
 */
export function unusualShapes(
  value: string,
  { nonce, created }: UsernameToken,
  digest: ConventionName,
): readonly string[] {
  const [shape, name] = nonceShapes[digest];
  const order = attributes.join(", ");
  return [
    documentedLayout.test(value) ? [] : `X-WSSE does not have the form name="value" in the order ${order}`,
    shape.test(nonce) ? [] : `Nonce is not ${name}`,
    documentedTime.test(created) ? [] : "Created is not of the form YYYY-MM-DDThh:mm:ss+00:00",
  ].flat();
}
