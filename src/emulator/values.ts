// What a text is in place of the value that was meant, for a token, a username, PasswordDigest, and a whole header alike.

import { utf8 } from "../redaction/decode.ts";
import { headerPlaceholder, standIn } from "../wsse/placeholders.ts";
import { type Form, forms, hexadecimal } from "./forms.ts";

/** What to do about such a text. */
export const fillIn =
  "send the value itself: set the variable that it comes from, in the place where the client looks for it";

/** What a text is in place of a value, in words; undefined if nothing shows. Each character of it stands for a byte. */
export function replacementOf(bytes: string): string | undefined {
  const text = utf8(bytes);
  if (headerPlaceholder.test(text)) return "is a placeholder that nothing filled in";
  const [, words] = standIn(text) ?? [];
  return words === undefined ? undefined : `may be ${words}`;
}

const mostTexts = 100;

/** A text, and the forms in which it was written to give the one that was read, the first one first. */
export interface Reading {
  readonly text: string;
  readonly written: readonly Form[];
}

/** All texts that a text may have been written from, those in the fewest forms first. */
export function readingsOf(sent: string, most: number, longest = 400): readonly Reading[] {
  const all: Reading[] = [{ text: sent, written: [] }];
  const seen = new Set([sent]);
  for (const { text, written } of all) {
    if (written.length >= most || text.length > longest || all.length > mostTexts) break;
    for (const form of forms) {
      // What is hexadecimal as a whole is no base64.
      const read = hexadecimal.test(text) && form.words.startsWith("in base64") ? null : form.read(text);
      if (read === null || read === "" || seen.has(read)) continue;
      seen.add(read);
      all.push({ text: read, written: [form, ...written] });
    }
  }
  return all;
}

/** The forms of a reading in words, behind "written". */
export const formsText = (written: readonly Form[]): string =>
  written.map(({ words }) => words).join(", then ");

const whole = "set the whole: a column may cut it, and a # or & without quotes ends it in a file or a shell";
/** How a text is like the one that was meant: the words, and what to change. Half of it must be there: nobody can guess one by characters. */
export function likenessOf(sent: string, own: string): readonly [words: string, change: string] | undefined {
  const isHalf = 2 * sent.length >= own.length;
  if (sent.length === own.length && own.toLowerCase().startsWith(sent.toLowerCase()))
    return ["is in another letter case", "send its letters as they are, without upper or lower"];
  if (isHalf && own.startsWith(sent)) return ["lacks its end", whole];
  if (isHalf && own.endsWith(sent)) return ["lacks its beginning", whole];
  if (sent.startsWith(own)) return ["has more behind it", "take away what is not its own"];
  if (sent.endsWith(own)) return ["has more before it", "take away what is not its own"];
  return own.length > 5 && sent.includes(own)
    ? ["has more around it", "take away what is not its own"]
    : undefined;
}

/** Whether a text holds seven characters in a row of a digest: what stands in another place of the header is not shown then. */
export const sharesPart = (text: string, digest: string): boolean =>
  Array.from({ length: Math.max(0, Math.min(digest.length, 200) - 6) }).some((_, at) =>
    text.includes(digest.slice(at, at + 7)),
  );
