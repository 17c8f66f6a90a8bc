// Texts are cut here. One that was cut before it was searched for secrets loses its last word, which may be a part of a secret; one
// that was searched whole may be cut anywhere.

/** The first `length` characters (UTF-16 code units), without half of a surrogate pair at the end. */
export function beginning(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

/** The start and the end (exclusive) of a part of a text. */
export type Span = readonly [from: number, to: number];

/** The pieces of a text before, between and behind these parts, which may overlap and stand in any order. */
export function partsAround(text: string, spans: readonly Span[]): readonly string[] {
  const pieces: string[] = [];
  let end = 0;
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    if (from > end || pieces.length === 0) pieces.push(text.slice(end, from));
    end = Math.max(end, to);
  }
  return [...pieces, text.slice(end)];
}

/** The text in at most `longest` characters, with a mark at its end if it is cut. */
export function cut(text: string, longest: number): string {
  return text.length > longest ? `${beginning(text, longest - 1)}…` : text;
}

// A word is no longer than this.
const longestWord = 4 * 1024;
const ends = "\t\n\f\r <>";

/**
 * A text that was cut, without its last word, which ends at white space or a sign of markup. A longer word than 4 KiB loses these. Only
 * ASCII counts, so that the text may be bytes as latin1.
 */
export function withoutCutWord(text: string): string {
  const start = Math.max(0, text.length - longestWord);
  let end = text.length;
  while (end > start && !ends.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
