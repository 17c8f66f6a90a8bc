/** The first `length` characters (UTF-16 code units), without half of a surrogate pair at the end. */
export function beginning(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

/** The text in at most `longest` characters, with a mark at its end if it is cut. */
export function cut(text: string, longest: number): string {
  return text.length > longest ? `${beginning(text, longest - 1)}…` : text;
}

/** A text that was cut before it was searched, without its last word: that may be a part of a secret. Search all of it first. */
export function withoutCutWord(text: string): string {
  let end = text.length;
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
