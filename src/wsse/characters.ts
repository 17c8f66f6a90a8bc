// Characters that nobody sees, or takes for others: white space, invisible and typographic ones. A message may name these and no
// other character of a value, which may be a secret. Settings, cells, options and the emulator use this one table.

/** Characters and their name. The classes below name the others. */
const names: ReadonlyArray<readonly [characters: string, name: string]> = [
  [" ", "a space"],
  ["\t", "a tab"],
  ["\n", "a line feed"],
  ["\r", "a carriage return, as Windows ends lines,"],
  ["\u001b", "an escape character, as colours of a terminal begin,"],
  ["\u00a0", "a no-break space"],
  ["\u00ad", "a soft hyphen"],
  ["\u00b4", "an acute accent"],
  ["\u00ab\u00bb\u2039\u203a", "an angle quotation mark"],
  ["\u2002", "an en space"],
  ["\u2003", "an em space"],
  ["\u2009", "a thin space"],
  ["\u200b", "a zero-width space"],
  ["\u200c", "a zero-width non-joiner"],
  ["\u200d", "a zero-width joiner"],
  ["\u200e", "a left-to-right mark"],
  ["\u200f", "a right-to-left mark"],
  ["\u2010", "a typographic hyphen"],
  ["\u2011", "a no-break hyphen"],
  ["\u2012", "a figure dash"],
  ["\u2013", "an en dash"],
  ["\u2014", "an em dash"],
  ["\u2015", "a horizontal bar"],
  ["\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f", "a curly quotation mark"],
  ["\u2022\u2219\u25cf", "a bullet, as pages hide a secret,"],
  ["\u2026", "an ellipsis"],
  ["\u2028", "a line separator"],
  ["\u2029", "a paragraph separator"],
  ["\u202f", "a narrow no-break space"],
  ["\u2032\u2033", "a prime"],
  ["\u2060", "a word joiner"],
  ["\u2212", "a minus sign"],
  ["\u3000", "an ideographic space"],
  ["\ufe63\uff0d", "a wide hyphen"],
  ["\ufeff", "a byte order mark"],
];

/** What stands for two hyphens where a mail program or a text processor made a dash of them. */
export const typographicDash = /^-?[\u2010-\u2015\u2212\ufe63\uff0d]/;

/** The character's name; null for a character that no message may name. */
function characterName(character: string): string | null {
  const known = names.find(([characters]) => characters.includes(character));
  if (known !== undefined) return known[1];
  if (/\p{Z}/u.test(character)) return "white space";
  if (/\p{Cc}/u.test(character)) return "a control character";
  return /[\p{Cf}\p{DI}]/u.test(character) ? "an invisible character" : null;
}

const hintFor = (name: string): string => {
  if (name.startsWith("a carriage return"))
    return "Convert the file that it comes from: dos2unix FILE, or tr -d '\\r' <FILE >NEW";
  if (name.startsWith("an escape"))
    return "Let the program that prints it write no colours, such as by NO_COLOR=1";
  if (name.startsWith("a bullet"))
    return "Copy it from where it is shown in full, or by the button of that page that copies it";
  if (name === "a byte order mark") return "Save it as UTF-8 without a byte order mark, or copy it again";
  return ["a space", "a tab", "a line feed"].includes(name)
    ? "Remove it: another client would send it as a part of the value"
    : "Remove it, or type that place by hand: mail programs, word processors and web pages put it there";
};

/**
 * One of these characters in a text, by name and place, as the end of a sentence; and what to do. Null if there is none. The
 * first and the last character are looked at first, and only there does a space count. `counts` limits them to those that it matches.
 */
export function unseenIn(
  text: string,
  counts?: RegExp,
): { readonly problem: string; readonly hint: string } | null {
  // Nearly all texts are printable ASCII, and V8 takes half a millisecond to read the patterns with \p, when their function runs.
  if (/^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(text)) return null;
  const isQuoted = /^[\u00ab\u00bb\u2018-\u201f\u2039\u203a].*[\u00ab\u00bb\u2018-\u201f\u2039\u203a]$/s.test(
    text,
  );
  if (isQuoted && counts === undefined)
    return {
      problem: "has curly quotation marks around it",
      hint: "Remove both: a program that writes letters put them there",
    };
  const characters = [...text];
  const end = characters.length - 1;
  // A long text holds few different characters, and a name is slow to find.
  const named = new Set(
    [...new Set(characters)].filter((one) => (counts ?? /./s).test(one) && characterName(one) !== null),
  );
  const isUnseen = (place: number): boolean => {
    const character = characters[place] ?? "";
    const isInside = place > 0 && place < end;
    return !(isInside && character === " ") && named.has(character);
  };
  const place = [0, end].find(isUnseen) ?? characters.findIndex((_, index) => isUnseen(index));
  const character = characters[place];
  if (character === undefined) return null;
  const name = characterName(character) ?? "";
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  const inFull = name.endsWith(",") ? name : `${name} (U+${code})`;
  const where =
    place === end
      ? "as its last character"
      : place === 0
        ? "as its first character"
        : `at place ${place + 1}`;
  return { problem: `has ${inFull} ${where}`, hint: hintFor(name) };
}

/** White space or an invisible character at the beginning or end of a text, which copying leaves; null for none. */
export const unseenAround = (text: string): ReturnType<typeof unseenIn> =>
  /^[\s\p{Cf}]|[\s\p{Cf}]$/u.test(text) ? unseenIn(text, /[\s\p{Cf}]/u) : null;
