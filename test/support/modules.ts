import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type ESTree, parseSync, Visitor } from "rolldown/utils";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** One source file, parsed. `imports` holds project files as paths from the root, and packages by name. */
export interface Module {
  readonly file: string;
  readonly imports: readonly string[];
  /** Uses of the clock, randomness, the process or the console, as source text. */
  readonly effects: readonly string[];
  /** Comparisons by operator whose operand is one of these properties of an object, as source text. */
  readonly comparisons: readonly string[];
  /** The literals of regular expressions. */
  readonly patterns: readonly RegExp[];
  /** How many regular expressions it makes of strings. */
  readonly madePatterns: number;
  /** Calls that get the elements of a list as arguments, each as `name(...list)`. */
  readonly spreads: readonly string[];
}

const effect = /^(?:(?:process|console)\b|(?:Date\.now|Math\.random|performance\.now)$)/;
const secretProperties = new Set(["token", "username", "secret", "passwordDigest"]);

/** Parses one TypeScript module and collects what the rules of the architecture look at. */
export function parseModule(file: string, text: string): Module {
  const imports = new Set<string>();
  const effects: string[] = [];
  const comparisons: string[] = [];
  const patterns: RegExp[] = [];
  const spreads: string[] = [];
  let madePatterns = 0;
  const addImport = (source: string): void =>
    void imports.add(source.startsWith(".") ? relative(root, resolve(root, dirname(file), source)) : source);
  const textOf = ({ start, end }: { readonly start: number; readonly end: number }): string =>
    text.slice(start, end);
  const visitCall = ({ callee, arguments: given }: ESTree.CallExpression | ESTree.NewExpression): void => {
    const name = textOf(callee.type === "MemberExpression" ? callee.property : callee);
    if (name === "RegExp") madePatterns += 1;
    if (name === "fetch") effects.push(name);
    if (name === "apply") spreads.push(textOf(callee));
    for (const one of given)
      if (one.type === "SpreadElement") spreads.push(`${name}(...${textOf(one.argument)})`);
  };
  const visitor = new Visitor({
    ImportDeclaration: ({ source, specifiers }) => {
      addImport(source.value);
      for (const specifier of specifiers)
        if (specifier.local.name === "randomBytes") effects.push("randomBytes");
    },
    ExportNamedDeclaration: ({ source }) => source && addImport(source.value),
    ExportAllDeclaration: ({ source }) => addImport(source.value),
    TSImportType: ({ source }) => addImport(source.value),
    ImportExpression: ({ source }) => {
      if (source.type !== "Literal" || typeof source.value !== "string")
        throw new Error(`${file} imports a module by an expression`);
      addImport(source.value);
    },
    MemberExpression: (node) => {
      if (node.object.type === "Identifier" && effect.test(textOf(node))) effects.push(textOf(node));
    },
    Literal: (node) => {
      if ("regex" in node) patterns.push(new RegExp(node.regex.pattern, node.regex.flags));
    },
    NewExpression: (node) => {
      visitCall(node);
      if (textOf(node.callee) === "Date" && node.arguments.length === 0) effects.push(textOf(node));
    },
    CallExpression: visitCall,
    BinaryExpression: (node) => {
      if (!/^[!=]==?$/.test(node.operator)) return;
      const operands = [node.left, node.right];
      // A comparison with undefined or null tells only whether there is a value.
      if (operands.some((one) => one.type === "Literal" || textOf(one) === "undefined")) return;
      const isSecret = operands.some(
        (one) =>
          one.type === "MemberExpression" &&
          one.property.type === "Identifier" &&
          secretProperties.has(one.property.name),
      );
      if (isSecret) comparisons.push(textOf(node));
    },
  });
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed`);
  visitor.visit(program);
  return { file, imports: [...imports], effects, comparisons, patterns, madePatterns, spreads };
}

let parsed: readonly Module[] | undefined;

/** Every module of `bin` and `src`. The files of a worker share them. */
export function allModules(): readonly Module[] {
  const files = () =>
    globSync("{bin,src}/**/*.{cjs,ts}", { cwd: root, exclude: (name) => name.endsWith(".d.ts") });
  parsed ??= files().map((file) => parseModule(file, readFileSync(join(root, file), "utf8")));
  return parsed;
}
