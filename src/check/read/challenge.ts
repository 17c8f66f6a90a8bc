// The grammar of WWW-Authenticate (RFC 9110, sections 5.6 and 11.6.1). Each pattern can match a text in one way only, so it
// never tries the same text again, and the time grows with the length of the field alone.

const token = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const quotedString = '"(?:[\\t !#-\\[\\]-~\\x80-\\xff]|\\\\[\\t -~\\x80-\\xff])*"';
const parameter = `${token}[ \\t]*=[ \\t]*(?:${token}|${quotedString})`;
const token68 = "[A-Za-z0-9\\-._~+/]+=*";

/** One element of the list: a challenge with its first parameter, or a further parameter of the previous challenge. */
const elementPattern = new RegExp(
  `(?:(?<scheme>${token})(?: +(?:(?<token68>${token68})|(?<parameter>${parameter}))|(?<space> ?))|${parameter})(?=[ \\t]*(?:,|$))`,
  "y",
);
// Empty elements are allowed (section 5.6.1.2).
const separatorPattern = /[ \t]*(?:,[ \t]*)*/y;

/** The schemes of all challenges in one field, as they were sent; null if the field breaks the grammar. */
export function schemesIn(field: string): readonly string[] | null {
  const schemes: string[] = [];
  let takesParameters = false;
  for (let position = 0; ; ) {
    separatorPattern.lastIndex = position;
    separatorPattern.exec(field);
    position = separatorPattern.lastIndex;
    if (position === field.length) return schemes;
    elementPattern.lastIndex = position;
    const groups = elementPattern.exec(field)?.groups;
    if (groups === undefined) return null;
    position = elementPattern.lastIndex;
    if (groups.scheme !== undefined) {
      schemes.push(groups.scheme);
      takesParameters = groups.parameter !== undefined || groups.space === " ";
    } else if (!takesParameters) return null;
  }
}

/** The API's own schemes: the names of its two headers, their last parts, and the token type of X-WSSE (specification, section 5). */
export const apiSchemes = ["WSSE", "UsernameToken", "Token", "X-Auth-Token"] as const;
const lowerCaseSchemes = new Set<string>(apiSchemes.map((scheme) => scheme.toLowerCase()));

/** Who asks for credentials in these WWW-Authenticate fields. A scheme that the API does not have is somebody else's. Pure. */
export function challengerIn(fields: readonly string[]):
  | { readonly kind: "none" }
  | { readonly kind: "api" }
  /** `scheme` in lower case. */
  | { readonly kind: "other"; readonly scheme: string }
  | { readonly kind: "unreadable" } {
  const read = fields.map(schemesIn);
  const schemes = read.flatMap((found) => found ?? []).map((scheme) => scheme.toLowerCase());
  const other = schemes.find((scheme) => !lowerCaseSchemes.has(scheme));
  if (other !== undefined) return { kind: "other", scheme: other };
  if (read.includes(null)) return { kind: "unreadable" };
  return { kind: schemes.length > 0 ? "api" : "none" };
}
