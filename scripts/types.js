// Builds what others import: dist/index.cjs, a view of the bundle, and its types in dist/index.d.cts. One CommonJS file
// serves `require` and `import` alike, so no program ever holds two copies of a class.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const entry = join("src", "index.ts");

/** One declaration with its comment, as tsc writes it, and the name that it declares. */
const declaration =
  /(?:^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^(?:export )?(?:declare )?(?:const|function|class|interface|type) (\w+)[\s\S]*?(?=^(?:\/\*\*|export |declare |import )|(?![\s\S]))/gm;

/** Every declaration by its name, of the module and of all that it leads to. Throws where a name is not the only one. */
function declarationsOf(folder, file, found = new Map(), seen = new Set()) {
  if (seen.has(file)) return found;
  seen.add(file);
  const text = readFileSync(join(folder, file.replace(/\.ts$/, ".d.ts")), "utf8");
  for (const [, specifier] of text.matchAll(/ from "(\.[^"]+)";$/gm))
    declarationsOf(folder, join(dirname(file), `${specifier}`), found, seen);
  for (const [statement, name] of text.matchAll(declaration)) {
    if (found.has(name)) throw new Error(`two modules declare ${name}; rename one`);
    found.set(name, statement.replace(/^export /m, ""));
  }
  return found;
}

/** The names that the entry exports: those of its lists, and those that it declares itself. */
function exportedNames(text) {
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) =>
    list.split(",").flatMap((name) => name.replace(/\btype\b/, "").trim() || []),
  );
  const declared = [...text.matchAll(/^export (?!type \{|\{)(?:declare )?\w+ (\w+)/gm)].map(
    ([, name]) => name,
  );
  return [...listed, ...declared].sort();
}

/** The declarations that these names need, their own included, in the order in which they were found. */
function needed(names, declarations) {
  const wanted = new Set();
  const want = (name) => {
    const text = declarations.get(name);
    if (text === undefined || wanted.has(name)) return;
    wanted.add(name);
    for (const [word] of text.replace(/\/\*[\s\S]*?\*\//g, "").matchAll(/\w+/g)) want(word);
  };
  for (const name of names) want(name);
  return [...declarations].flatMap(([name, text]) => (wanted.has(name) ? [text] : []));
}

const folder = mkdtempSync(join(tmpdir(), "referral-auth-types-"));
try {
  const options = ["--noEmit", "false", "--emitDeclarationOnly", "--declaration", "--outDir", folder];
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...options], {
    cwd: root,
    stdio: "inherit",
  });
  const names = exportedNames(readFileSync(join(folder, "src", "index.d.ts"), "utf8"));
  const declarations = needed(names, declarationsOf(folder, entry));
  const types = `${declarations.join("")}export { ${names.join(", ")} };\n`;
  writeFileSync(join(root, "dist", "index.d.cts"), types);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

// Written out one by one, since that is how an `import` finds the names of a CommonJS module.
const values = Object.keys(createRequire(import.meta.url)("../dist/referral-auth.cjs"))
  .filter((name) => name !== "run")
  .sort();
const view = values.map((name) => `exports.${name} = bundle.${name};\n`).join("");
writeFileSync(
  join(root, "dist", "index.cjs"),
  `"use strict";\nconst bundle = require("./referral-auth.cjs");\n${view}`,
);
