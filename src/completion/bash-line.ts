// Quotes and backslashes follow the Bash manual (3.1.2). Nothing is expanded, since an expansion could run a command.
const wordOfLine = /(?:\\(?:.|$)|'[^']*(?:'|$)|"(?:\\.|[^"\\])*(?:"|\\?$)|[^\s'"\\])+/gs;
const quotedPart = /\\(.?)|'([^']*)'?|"((?:\\.|[^"\\])*\\?)"?/gs;
const closedPart = /\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs;

/** A line up to the cursor: the words behind the program's name, unquoted, and the word at the cursor as it is typed. */
export function bashLine(line: string): { readonly before: readonly string[]; readonly raw: string } {
  const words: string[] = line.match(wordOfLine) ?? [];
  const raw = line.endsWith(words.at(-1) ?? "") ? (words.pop() ?? "") : "";
  return { before: words.slice(1).map(unquoted), raw };
}

/** A word without its quotes. */
export function unquoted(raw: string): string {
  return raw.replace(
    quotedPart,
    (_, escaped?: string, single?: string, double?: string) =>
      escaped ?? single ?? double?.replace(/\\([$`"\\])/g, "$1") ?? "",
  );
}

/** The end of a word, which readline writes for `replaced`. Null if the word does not begin with `raw`, or its quotes cannot hold it. */
export function bashSpelling(word: string, raw: string, replaced: string): string | null {
  if (!word.startsWith(unquoted(raw))) return null;
  const kept = raw.endsWith(replaced) ? raw.slice(0, raw.length - replaced.length) : "";
  const rest = word.slice(unquoted(kept).length);
  const [quote] = /["']/.exec(kept.replace(closedPart, "")) ?? [];
  if (quote === undefined) return rest.replace(/[^\w\-./:=@%+,\u0080-\uffff]/g, "\\$&");
  return (quote === "'" ? /'/ : /["\\$`!]/).test(rest) ? null : rest;
}
