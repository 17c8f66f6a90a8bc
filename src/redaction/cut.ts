/** The first `length` characters (UTF-16 code units), without half of a surrogate pair at the end. */
export function beginning(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

/** The text in at most `longest` characters, with a mark at its end if it is cut. */
export function cut(text: string, longest: number): string {
  return text.length > longest ? `${beginning(text, longest - 1)}…` : text;
}

/** Where a secret starts that the end of a text cuts in two, with this many characters at least; the text's length if there is none. */
export function startOfCutSecret(text: string, secrets: readonly string[], shortest: number): number {
  let first = text.length;
  for (const secret of secrets) {
    const start = secret.slice(0, shortest);
    let at = text.indexOf(start, Math.max(0, text.length - secret.length));
    while (at >= 0 && at < first && !secret.startsWith(text.slice(at))) at = text.indexOf(start, at + 1);
    if (at >= 0) first = Math.min(first, at);
  }
  return first;
}

// What an end can leave of one character in each encoding of `decodings`.
const unfinished =
  /(?:%[\da-f]?|&(?:#(?:x[\da-f]{0,6}|\d{0,7})?|[a-z]{0,4})|\\(?:u[\da-f]{0,3}|x[\da-f]?)?|[\xc2-\xf4][\x80-\xbf]{0,2})$/i;

/** The text, also without what may be the rest of an encoded character at its end: a decoder would not see what stands before it. */
export function readingsOfCut(text: string): readonly string[] {
  return [text, text.replace(unfinished, "")];
}
