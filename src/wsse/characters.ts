// Characters that nobody sees, or takes for others: white space, control, invisible and typographic ones. A message tells these by code
// point and place, without a guess where they come from, and no other character of a value, which may be a secret.

const names: Readonly<Record<string, string>> = {
  " ": "a space",
  "\t": "a tab",
  "\n": "a line feed",
  "\r": "a carriage return",
  "\u001b": "an escape character",
  "\u00a0": "a no-break space",
  "\u00ad": "a soft hyphen",
  "\u200b": "a zero-width space",
  "\ufeff": "a byte order mark",
};

/** The classes of Unicode that name the others, and the few typographic characters that have no class of their own. */
const classes: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\p{Z}/u, "white space"],
  [/\p{Cc}/u, "a control character"],
  [/[\p{Cf}\p{DI}]/u, "an invisible character"],
  [/[\u2212\p{Pd}]/u, "a typographic dash"],
  [/[\u00b4\u201a\u201e\u2032\u2033\p{Pi}\p{Pf}]/u, "a typographic quotation mark"],
  [/[\u2022\u2026\u2219\u25cf]/u, "a typographic character"],
];

/** The beginning of a word whose two hyphens a mail program or a text processor made a dash. */
export const typographicDash = /^-?(?!-)[\u2212\p{Pd}]/u;

/** The character's name; null for a character that no message may name. */
export const characterName = (character: string): string | null =>
  names[character] ??
  (/[!-~]/.test(character) ? null : (classes.find(([pattern]) => pattern.test(character))?.[1] ?? null));

// A text of thousands of them needs no longer list.
const mostPlaces = 3;

/** The places of a character in words, of which the first is 1. */
function placesInWords(places: readonly number[], end: number): string {
  const [first = 0, ...others] = places;
  if (others.length === 0)
    return first === end
      ? "as its last character"
      : first === 0
        ? "as its first character"
        : `at place ${first + 1}`;
  const shown = places.slice(0, mostPlaces).map((place) => place + 1);
  const last = places.length > mostPlaces ? `${places.length - mostPlaces} more` : shown.pop();
  return `at places ${shown.join(", ")} and ${last}`;
}

/**
 * The first of these characters in a text, by code point and places, as the end of a sentence; and what to do. Null if there is none.
 * `counts` limits them to those that it matches; without it, a space inside does not count.
 */
export function unseenIn(
  text: string,
  counts?: RegExp,
): { readonly problem: string; readonly hint: string } | null {
  // Nearly all texts are printable ASCII, and V8 takes half a millisecond to read the patterns with \p, when their function runs.
  if (counts === undefined && /^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(text)) return null;
  const characters = [...text];
  const end = characters.length - 1;
  // A long text holds few different characters, and a name is slow to find.
  const named = new Set(
    [...new Set(characters)].filter((one) => (counts ?? /./s).test(one) && characterName(one) !== null),
  );
  const isUnseen = (place: number): boolean => {
    const character = characters[place] ?? "";
    const isInside = place > 0 && place < end;
    return named.has(character) && !(isInside && character === " " && counts === undefined);
  };
  const place = [0, end].find(isUnseen) ?? characters.findIndex((_, index) => isUnseen(index));
  const character = characters[place];
  if (character === undefined) return null;
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  const places = characters.flatMap((one, index) => (one === character && isUnseen(index) ? [index] : []));
  return {
    problem: `has ${characterName(character)} (U+${code}) ${placesInWords(places, end)}`,
    hint: `Remove or replace ${places.length > 1 ? "them" : "it"}`,
  };
}

/** White space or an invisible character at the beginning or end of a text, which copying leaves; null for none. */
export const unseenAround = (text: string): ReturnType<typeof unseenIn> =>
  /^[\s\p{Cf}]|[\s\p{Cf}]$/u.test(text) ? unseenIn(text, /[\s\p{Cf}]/u) : null;
