// Puts all types that an entry point leads to into one file. Its input are the declarations that TypeScript writes, in which
// each statement begins at the start of a line.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where a statement begins: with its comment. A comment can also stand at the start of a line within a union. */
const start = String.raw`(?:/\*\*(?:(?!\*/)[\s\S])*\*/\n)?(?:export|declare|type|interface|import)\b`;
const statement = new RegExp(`^${start}[^\\n]*\\n(?:(?!${start})[^\\n]*\\n)*`, "gm");

/** The names in `{ a, type B as C }`, each as the module has it and as it is seen outside. */
const namesIn = (list: string): readonly (readonly [inside: string, outside: string])[] =>
  list.split(",").flatMap((one) => {
    const [inside, outside = inside] = one
      .replace(/\btype\b/, "")
      .trim()
      .split(/ as /);
    return inside && outside ? [[inside, outside] as const] : [];
  });

/** A file of declarations: what each name in it stands for, here or in another file, and what it exports. */
function read(file: string) {
  const own = new Map<string, string>();
  const elsewhere = new Map<string, readonly [file: string, name: string]>();
  const exported = new Map<string, string>();
  const everythingOf: string[] = [];
  for (const [text] of readFileSync(file, "utf8").matchAll(statement)) {
    const code = text.replace(/^\/\*\*[\s\S]*?\*\/\n/, "");
    const from = /from "([^"]+)";\n/.exec(code)?.[1];
    const target = from === undefined ? "" : join(dirname(file), from.replace(/\.ts$/, ".d.ts"));
    if (from !== undefined && code.startsWith("export *")) everythingOf.push(target);
    else if (from !== undefined)
      for (const [inside, outside] of namesIn(/\{([^}]*)\}/.exec(code)?.[1] ?? "")) {
        elsewhere.set(outside, [from.startsWith(".") ? target : from, inside]);
        if (code.startsWith("export")) exported.set(outside, outside);
      }
    const name = /^(?:export |declare )*(?:class|interface|type|const|function) (\w+)/.exec(code)?.[1];
    if (name) own.set(name, text.replace(/^export (?=declare|interface|type)/m, ""));
    if (name && code.startsWith("export")) exported.set(name, name);
  }
  return { own, elsewhere, exported, everythingOf };
}

/** The types of this entry, as the text of one file. Throws if they need a type of Node's, or if two have one name. */
export function typesOf(entry: string): string {
  const files = new Map<string, ReturnType<typeof read>>();
  const fileAt = (file: string) => files.get(file) ?? files.set(file, read(file)).get(file) ?? read(file);
  const taken = new Map<string, readonly [file: string, text: string]>();

  /** The file in which a name of this file is declared. Throws if that is another package, or calls it otherwise. */
  function homeOf(file: string, name: string): string {
    const { own, elsewhere, everythingOf } = fileAt(file);
    if (own.has(name)) return file;
    const [source = "", original] = elsewhere.get(name) ?? [];
    if (source.startsWith("/") && original === name) return homeOf(source, name);
    const home = everythingOf.find((one) => exportsOf(one).includes(name));
    if (home === undefined) throw new Error(`${file} needs ${name} of ${source}`);
    return homeOf(home, name);
  }

  function take(file: string, name: string): void {
    const home = homeOf(file, name);
    const { own, elsewhere } = fileAt(home);
    const [known = home] = taken.get(name) ?? [];
    if (known !== home) throw new Error(`${known} and ${home} both have ${name}`);
    if (taken.has(name)) return;
    const text = own.get(name) ?? "";
    taken.set(name, [home, text]);
    // Not the names of fields, and nothing in comments and texts.
    const code = text.replace(/\/\*[\s\S]*?\*\/|"[^"\n]*"/g, "");
    for (const [word] of code.matchAll(/(?<![.\w])[A-Za-z]\w*(?!\w|\??:)/g))
      if (own.has(word) || elsewhere.has(word)) take(home, word);
  }

  function exportsOf(file: string): readonly string[] {
    const { exported, everythingOf } = fileAt(file);
    return [...exported.keys(), ...everythingOf.flatMap(exportsOf)];
  }
  const names = [...new Set(exportsOf(entry))];
  for (const name of names) take(entry, name);
  return `${[...taken.values()].map(([, text]) => text).join("")}export { ${names.join(", ")} };\n`;
}
