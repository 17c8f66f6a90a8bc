// The words of a line without quotes, and the quote that is still open at its end. Quotes and backslashes follow the Bash manual (3.1.2). It expands nothing, since an expansion could run a command.
function read(line: string) {
  const words: { text: string; start: number }[] = [];
  let word: { text: string; start: number } | null = null;
  let quote: "" | "'" | '"' = "";
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

/** A line up to the cursor: the words behind the program's name, unquoted, and the last one as typed. */
export function bashLine(line: string): { readonly before: readonly string[]; readonly raw: string } {
  const { words } = read(line);
  const last = words.at(-1);
  return { before: words.slice(1, -1).map(({ text }) => text), raw: line.slice(last?.start ?? line.length) };
}

/** A part of one word without its quotes. */
export function unquoted(raw: string): string {
  const { words } = read(raw);
  return words.map(({ text }) => text).join("");
}

// In double quotes `!` would still expand history, so it gets single quotes of its own.
const inDoubleQuotes = (text: string): string => text.replace(/[$`"\\]/g, "\\$&").replace(/!+/g, `"'$&'"`);
const inSingleQuotes = (text: string): string => text.replaceAll("'", `'\\''`);
const bare = (text: string): string => text.replace(/[^\w\-./:=@%+,\u0080-\uffff]/g, "\\$&");

/** Quotes a word for bash, without what readline keeps. Null if it does not begin with the typed text. */
export function bashSpelling(word: string, raw: string, replaced: string): string | null {
  const kept = raw.endsWith(replaced) ? raw.slice(0, raw.length - replaced.length) : "";
  const [done, typed] = [unquoted(kept), unquoted(raw)];
  if (!word.startsWith(typed) || !word.startsWith(done)) return null;
  const { quote } = read(kept);
  const rest = word.slice(done.length);
  return quote === "" ? bare(rest) : quote === "'" ? inSingleQuotes(rest) : inDoubleQuotes(rest);
}
