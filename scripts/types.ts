// Puts all types that an entry point leads to into one file. Its input are the declarations that TypeScript writes, in which
// each statement begins at the start of a line.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where a statement begins: with its comment. A comment can also stand at the start of a line within a union. */
const start = String.raw`(?:/\*\*(?:(?!\*/)[\s\S])*\*/\n)?(?:export|declare|type|interface|import)\b`;
const statement = new RegExp(`^${start}[^\\n]*\\n(?:(?!${start})[^\\n]*\\n)*`, "gm");

const inline = /\bimport\("([^"]+)\.ts"\)\.(\w+)/g;

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, "").trim();

/** A file of declarations: the text of each name that it declares, the file of each that it imports, and what it exports. */
function read(file: string) {
  const own = new Map<string, string>();
  const imported = new Map<string, string>();
  const exported: string[] = [];
  for (const [text] of readFileSync(file, "utf8").matchAll(statement)) {
    const code = withoutComments(text);
    // A type that TypeScript found itself, in a file that has not imported it.
    for (const [, from, name = ""] of code.matchAll(inline))
      imported.set(name, join(dirname(file), `${from}.d.ts`));
    const [, list, from] = /^\w+ (?:type )?(?:\*|\{(.*)\}) from "([^"]+)\.ts";$/.exec(code) ?? [];
    const [, name] = /^(?:export |declare )*(?:class|interface|type|const|function) (\w+)/.exec(code) ?? [];
    const names = [name ?? list?.match(/\w+(?=\s*(?:,|$))/g) ?? []].flat();
    if (name !== undefined)
      own.set(name, text.replace(/^export (?=declare|interface|type)/m, "").replace(inline, "$2"));
    if (from !== undefined) {
      const source = join(dirname(file), `${from}.d.ts`);
      if (list === undefined) names.push(...read(source).exported);
      for (const one of names) imported.set(one, source);
    }
    if (code.startsWith("export")) exported.push(...names);
  }
  return { own, imported, exported };
}

/** The types of this entry, as the text of one file. The tests that compile it find a name that is missing or there twice. */
export function typesOf(entry: string): string {
  const taken = new Set<string>();
  function take(file: string, name: string): void {
    const { own, imported } = read(file);
    const [text, source] = [own.get(name), imported.get(name)];
    if (source !== undefined) take(source, name);
    if (text === undefined || taken.has(text)) return;
    taken.add(text);
    // Not the names of fields, and nothing in comments and texts.
    const code = withoutComments(text).replace(/"[^"\n]*"/g, "");
    for (const [word] of code.matchAll(/(?<![.\w])[A-Za-z]\w*(?!\w|\??:)/g))
      if (own.has(word) || imported.has(word)) take(file, word);
  }
  const names = [...new Set(read(entry).exported)];
  for (const name of names) take(entry, name);
  return `${[...taken].join("")}export { ${names.join(", ")} };\n`;
}
