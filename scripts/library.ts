// Builds the library into dist/library: an ES module and its CommonJS twin for each entry point, which share the code that
// several entry points need, and their types. Any bundler can take them, so they are plain: no step of the program's
// build that saves start-up time is made here. No ES module wraps its twin: a user's esbuild would write a `require` that fails.
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { deflateRawSync } from "node:zlib";
import { build, type Plugin } from "rolldown";
import { esmExternalRequirePlugin } from "rolldown/plugins";
import { forNode, smallUndici, unindented } from "./build.js";
import { typesOf } from "./types.ts";

const target = "dist/library";
const entries = {
  index: "src/index.ts",
  header: "src/library/header.ts",
  emulator: "src/library/emulator.ts",
};

/** Imports at once what the sources import on demand: a bundler that writes a single file refuses the latter. */
const importedAtOnce: Plugin = {
  name: "imported-at-once",
  transform(code) {
    const ids: string[] = [];
    const changed = code.replace(/\bimport\(("[^"]+")\)/g, (_, id) => `onDemand${ids.push(id)}`);
    return ids.map((id, index) => `import * as onDemand${index + 1} from ${id};\n`).join("") + changed;
  },
};

/** The parser's WebAssembly, compressed: this saves 94 kB of the package, and 47 kB of each bundle that makes checks. */
const compressedParser: Plugin = {
  name: "compressed-parser",
  transform(code, id) {
    if (!id.endsWith("llhttp-wasm.js")) return null;
    return code
      .replace(/AGFzbQ[^']+/, (wasm) => deflateRawSync(Buffer.from(wasm, "base64")).toString("base64"))
      .replace("Buffer.from(wasmBase64, 'base64')", 'require("node:zlib").inflateRawSync($&)');
  },
};

const unused = /^(?:require\("node:[^"]+"\)(?:;\n|, )|import "node:[^"]+";\n)/gm;
/** Plain code, which asks for no module of Node's that it does not use. */
const tidied: Plugin = {
  name: "tidied",
  async generateBundle(_, files) {
    for (const file of Object.values(files))
      if (file.type === "chunk") file.code = (await unindented(file.code)).replace(unused, "");
  },
};

/** Files of their own, and `sideEffects` of package.json is false: so a bundler takes only those that a program uses. */
const parts = {
  "shared/checker": "src/library/checker.ts",
  "shared/exit-codes": "src/exit-codes.ts",
};

/** The ES modules take the errors of the others, which require nothing: so an InputError is of one class, whoever asks. */
const sameErrors: Plugin = {
  name: "same-errors",
  resolveId: (id) => (id.endsWith("/errors.ts") ? { id: "errors.cjs", external: true } : null),
  generateBundle(_, files) {
    for (const [name, file] of Object.entries(files))
      if (file.type === "chunk")
        file.code = file.code.replace(
          '"errors.cjs"',
          name.startsWith("shared/") ? '"./errors.cjs"' : '"./shared/errors.cjs"',
        );
  },
};

const keepNames = { function: true, class: true };
rmSync(target, { recursive: true, force: true });
for (const extension of ["cjs", "mjs"])
  await build({
    input: { ...entries, ...parts, ...(extension === "cjs" && { "shared/errors": "src/errors.ts" }) },
    preserveEntrySignatures: "allow-extension",
    ...forNode,
    plugins: [
      extension === "mjs" && sameErrors,
      importedAtOnce,
      compressedParser,
      smallUndici(),
      tidied,
      // In an ES module no bundle has `require`: import Node's modules, except those that smallUndici() replaces.
      esmExternalRequirePlugin({ external: [/^node:(?!(?:assert|http)$)/] }),
    ],
    output: {
      dir: target,
      format: extension === "mjs" ? "es" : "cjs",
      // A stack trace names the functions and classes. Without line breaks, Node would print a whole file above it.
      comments: { jsdoc: false },
      minify: { compress: { keepNames }, mangle: { keepNames }, codegen: { removeWhitespace: false } },
      entryFileNames: `[name].${extension}`,
      chunkFileNames: `shared/[name].${extension}`,
    },
  });

// The types: one file for each entry. That of the ES module only exports it again.
const compile = (...args: readonly string[]): void => {
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", ...args], { stdio: "inherit" });
};
const all = resolve("dist/all-types");
// `npm run types` checks the sources.
compile("--noCheck", "--noEmit", "false", "--emitDeclarationOnly", "--declaration", "--outDir", all);
// Names that a project may lack, which merge with its own: the first comes with the types of Node or of the DOM, the second with
// TypeScript 5.2.
const globals = `declare global {
interface AbortSignal {}
interface SymbolConstructor { readonly asyncDispose: unique symbol }
}
`;
for (const [name, entry] of Object.entries(entries)) {
  const types = typesOf(join(all, entry.replace(/\.ts$/, ".d.ts")));
  writeFileSync(`${target}/${name}.d.cts`, types + globals);
  writeFileSync(`${target}/${name}.d.mts`, `export * from "./${name}.cjs";\n`);
}
rmSync(all, { recursive: true });
