/** The words of a command line in front of the cursor. */
export interface BashLine {
  /** The words before the current one, without their quotes. */
  readonly before: readonly string[];
  /** The current word up to the cursor, as it is typed. */
  readonly raw: string;
}

type Quote = "" | "'" | '"';

/** What a part of a line stands for: words without their quotes, and the quote that is open at its end. */
interface Reading {
  readonly words: ReadonlyArray<{ readonly text: string; readonly start: number }>;
  readonly quote: Quote;
}

// Quotes and backslashes as the Bash manual has them (3.1.2). Nothing is expanded: that could run what is typed.
function read(line: string): Reading {
  const words: { text: string; start: number }[] = [];
  let word: { text: string; start: number } | null = null;
  let quote: Quote = "";
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (quote === "" && /\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    word ??= { text: "", start: index };
    const next = line.charAt(index + 1);
    if (quote === character) quote = "";
    else if (quote === "" && (character === "'" || character === '"')) quote = character;
    else if (character === "\\" && (quote === "" || (quote === '"' && /[$`"\\]/.test(next)))) {
      word.text += next;
      index += 1;
    } else word.text += character;
  }
  words.push(word ?? { text: "", start: line.length });
  return { words, quote };
}

/** Reads a command line, the program's name first, as far as the cursor. */
export function bashLine(line: string): BashLine {
  const { words } = read(line);
  const last = words.at(-1);
  return { before: words.slice(1, -1).map(({ text }) => text), raw: line.slice(last?.start ?? line.length) };
}

/** What a part of one word stands for. */
export function unquoted(raw: string): string {
  return read(raw)
    .words.map(({ text }) => text)
    .join("");
}

// Inside "…" nothing keeps `!` from recalling history, so it is put between quotes of its own.
const inDoubleQuotes = (text: string): string => text.replace(/[$`"\\]/g, "\\$&").replace(/!+/g, `"'$&'"`);
const inSingleQuotes = (text: string): string => text.replaceAll("'", `'\\''`);
const bare = (text: string): string => text.replace(/[^\w\-./:=@%+,\u0080-\uffff]/g, "\\$&");

/**
 * How the word has to be written so that bash reads it back as it is, less what readline leaves in place: the part of
 * `raw` in front of `replaced`. Null where the word does not go on from there.
 */
export function bashSpelling(word: string, raw: string, replaced: string): string | null {
  const kept = raw.endsWith(replaced) ? raw.slice(0, raw.length - replaced.length) : "";
  const [done, typed] = [unquoted(kept), unquoted(raw)];
  if (!word.startsWith(typed) || !word.startsWith(done)) return null;
  const { quote } = read(kept);
  const rest = word.slice(done.length);
  return quote === "" ? bare(rest) : quote === "'" ? inSingleQuotes(rest) : inDoubleQuotes(rest);
}
