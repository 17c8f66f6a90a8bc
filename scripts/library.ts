// Builds the library into dist/library: an ES module and its CommonJS twin for each entry point, which share the code that
// several entry points need, and their types. Any bundler can take them, so they are plain: no step of the program's
// build that saves start-up time is made here.
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build, type Plugin } from "rolldown";
import { esmExternalRequirePlugin } from "rolldown/plugins";
import { forNode, smallUndici, standInsPlugin } from "./build.js";

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

/** Builds one format. `plugins` make the CommonJS modules of undici fit it. */
async function bundle(format: "es" | "cjs", extension: string): Promise<void> {
  // All of Node but what is replaced.
  const isBuiltIn = /^node:(?!assert$)/;
  await build({
    input: entries,
    ...forNode,
    // In an ES module, `require` works in no bundle: import Node's modules.
    ...(format === "es" ? {} : { external: isBuiltIn }),
    plugins: [
      importedAtOnce,
      standInsPlugin(smallUndici),
      ...(format === "es" ? [esmExternalRequirePlugin({ external: [isBuiltIn] })] : []),
    ],
    output: {
      dir: target,
      format,
      // Both formats bring undici with its parser: this saves 230 kB of the package. A stack trace still names the functions.
      minify: { compress: true, mangle: { toplevel: true, keepNames: { function: true, class: true } } },
      entryFileNames: `[name].${extension}`,
      chunkFileNames: `shared/[name].${extension}`,
    },
  });
}

/** Writes the types: the files that the entries lead to, once, and for each entry a file of either format that lists them. */
function writeTypes(): void {
  const compiler = "node_modules/typescript/bin/tsc";
  const all = resolve("dist/all-types");
  const compile = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [compiler, ...args], { encoding: "utf8" });
  compile("--noEmit", "false", "--emitDeclarationOnly", "--declaration", "--outDir", all);
  const declarations = Object.values(entries).map((entry) => `${all}/${entry.replace(/\.ts$/, ".d.ts")}`);
  for (const file of compile("--ignoreConfig", "--listFilesOnly", ...declarations).split("\n")) {
    if (!file.startsWith(`${all}/src/`)) continue;
    const copy = file.replace(`${all}/src`, `${target}/types`);
    cpSync(file, copy);
    // TypeScript 5.0 resolves no path that ends with .ts.
    writeFileSync(copy, readFileSync(copy, "utf8").replace(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
  }
  rmSync(all, { recursive: true });
  writeFileSync(`${target}/types/package.json`, '{ "type": "commonjs" }\n');
  for (const [name, entry] of Object.entries(entries))
    for (const extension of ["mts", "cts"])
      writeFileSync(
        `${target}/${name}.d.${extension}`,
        `export * from "${entry.replace(/^src(.*)\.ts$/, "./types$1.js")}";\n`,
      );
}

rmSync(target, { recursive: true, force: true });
await bundle("es", "mjs");
await bundle("cjs", "cjs");
writeTypes();
