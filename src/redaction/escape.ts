// Text of a server, a file or the command line passes through here before it is printed.

import { cut } from "./cut.ts";

/** The maximum length of such a text, in UTF-16 code units. */
export const longestText = 500;

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

// Escapes control, format (bidirectional and invisible), surrogate and private-use characters, line and paragraph
// separators, and what is no character, of which XML forbids some.
const escapeUnprintable = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{NChar}]/gu,
    (character) => named[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );

// The prefixes of workflow commands: `::name` (GitHub), `##[name]`, `##vso[` (Azure), `##teamcity[`. An IPv6 address keeps its colons:
// in brackets, or where a group of digits follows, as in ::ffff:192.0.2.7. No command has such a name.
const workflowColons = /(?<!\[[\da-f:]{0,39}):(?=:(?![\da-f]{1,4}(?![\w-])))/gi;
const workflowHashes = /#(?=#[a-z]*\[)/gi;

/** One printable line of at most `maximum` code units, without control and bidirectional characters and workflow commands. */
export function escapeText(text: string, maximum: number = longestText): string {
  // Escaping never shortens a text, so text after the maximum would not be shown.
  const escaped = text
    .slice(0, maximum + 1)
    // Nearly all texts are printable ASCII. V8 takes 0.7 ms to look up the properties of all other characters.
    .replace(/[^ -~]+/g, escapeUnprintable)
    .replace(workflowColons, "\\x3a")
    .replace(workflowHashes, "\\x23");
  return cut(escaped, maximum);
}

/** A text as one word of a POSIX shell (POSIX.1-2024, Shell Command Language, 2.2.2). */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The whole of a name as a printable line. Different names give different lines. */
export function escapeName(name: string): string {
  return escapeText(name.replaceAll("\\", "\\\\"), Number.POSITIVE_INFINITY);
}

/** A JSON document in 7-bit ASCII, without the prefixes of workflow commands, which some CI systems find anywhere in a line. */
export function asciiJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\uffff]|:(?=:)|#(?=#)/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
