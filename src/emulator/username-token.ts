import type { ConventionName } from "../wsse/digest.ts";
import { nonceBytes, type UsernameToken } from "../wsse/header.ts";

/** A UsernameToken as it was sent, or what is wrong with the header. The problem holds no text of it but an attribute's name. */
export type ParsedToken =
  | { readonly kind: "parsed"; readonly token: UsernameToken }
  | { readonly kind: "malformed"; readonly problem: string };

const attributes = ["Username", "PasswordDigest", "Nonce", "Created"] as const;
type Attribute = (typeof attributes)[number];

const tokenType = /UsernameToken[ \t]+/y;
// Clients do not escape values, so a backslash is an ordinary character.
const pair = /([A-Za-z]+)[ \t]*=[ \t]*(?:"([^"]+)")?/y;
const separator = /[ \t]*,[ \t]*/y;
const nonceLimits = /^[\x20-\x7e]{1,128}$/;

const malformed = (problem: string): ParsedToken => ({ kind: "malformed", problem });

/** Which attribute is meant by a name that is none: names are compared with their letter case. */
function insteadOf(name: string): string {
  const meant = attributes.find((one) => one.toLowerCase() === name.toLowerCase());
  return meant === undefined ? `; it may only have ${attributes.join(", ")}` : `; write ${meant}`;
}

/**
 * Reads the value of an `X-WSSE` header: `UsernameToken`, then each of the four attributes once, in any order, as
 * `name="value"` with commas between and optional white space around commas and `=`. A Nonce has 1 to 128 printable
 * ASCII characters.
 */
export function parseWsse(value: string): ParsedToken {
  let position = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(value);
    if (match !== null) position = pattern.lastIndex;
    return match;
  };

  if (take(tokenType) === null) return malformed("X-WSSE does not begin with UsernameToken and a space");
  const values = new Map<Attribute, string>();
  do {
    const [, name = "", text] = take(pair) ?? [];
    if (name === "") return malformed(`X-WSSE has no name="value" at character ${position + 1}`);
    const attribute = attributes.find((one) => one === name);
    if (attribute === undefined) return malformed(`X-WSSE has an attribute ${name}${insteadOf(name)}`);
    if (text === undefined) return malformed(`X-WSSE has ${name} without a value in double quotes`);
    if (values.has(attribute)) return malformed(`X-WSSE has ${name} twice`);
    values.set(attribute, text);
  } while (take(separator) !== null);
  if (position < value.length) return malformed(`X-WSSE has no comma at character ${position + 1}`);

  const [username, passwordDigest, nonce, created] = attributes.map((name) => values.get(name));
  if (!username || !passwordDigest || !nonce || !created) {
    const missing = attributes.filter((name) => !values.has(name));
    return malformed(`X-WSSE has no ${missing.join(", ")}`);
  }
  if (!nonceLimits.test(nonce)) return malformed("Nonce is not 1 to 128 printable ASCII characters");
  return { kind: "parsed", token: { username, passwordDigest, nonce, created } };
}

/** A shape that the specification shows, and the note about a text of another shape. */
interface Shape {
  readonly fits: (text: string) => boolean;
  readonly note: string;
}

const pairs = attributes.map((name) => `${name}="[^"]+"`).join("[ \\t]*,[ \\t]*");
const documentedLayout = new RegExp(`^UsernameToken[ \\t]+${pairs}$`);
const layout: Shape = {
  fits: (value) => documentedLayout.test(value),
  note: `X-WSSE does not have the form name="value" in the order ${attributes.join(", ")}`,
};

const time: Shape = {
  fits: (created) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(created),
  note: "Created is not of the form YYYY-MM-DDThh:mm:ss+00:00",
};

const hex: Shape = {
  fits: (nonce) => nonce.length === nonceBytes * 2 && /^[0-9a-f]*$/i.test(nonce),
  note: `Nonce is not ${nonceBytes * 2} hexadecimal characters`,
};

const base64: Shape = {
  fits: (nonce) => {
    const bytes = Buffer.from(nonce, "base64");
    return bytes.length === nonceBytes && bytes.toString("base64") === nonce;
  },
  note: `Nonce is not the base64 of ${nonceBytes} bytes`,
};

/** The Nonce of the specification (section 5.1) as each digest convention writes it. */
const nonceShapes: Readonly<Record<ConventionName, Shape>> = {
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
  const checks: ReadonlyArray<readonly [Shape, string]> = [
    [layout, value],
    [nonceShapes[digest], nonce],
    [time, created],
  ];
  return checks.flatMap(([{ fits, note }, text]) => (fits(text) ? [] : [note]));
}
