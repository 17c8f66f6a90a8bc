// Builds the library: dist/index.cjs, which exports a part of the bundle, and its types in dist/types. One CommonJS file
// serves both `require` and `import`, so no program loads two copies of a class.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

/**
 * The output of the compiler. Throws if it reports an error.
 * @param {string} cwd
 * @param {...string} args
 */
const tsc = (cwd, ...args) =>
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });

const folder = realpathSync(mkdtempSync(join(tmpdir(), "referral-auth-types-")));
try {
  tsc(root, "--noEmit", "false", "--emitDeclarationOnly", "--declaration", "--outDir", folder);
  const source = join(folder, "src");
  rmSync(join(dist, "types"), { recursive: true, force: true });
  // Only the files that the entry leads to.
  for (const file of tsc(folder, "--listFilesOnly", join(source, "index.d.ts")).split("\n"))
    if (file.startsWith(source)) cpSync(file, join(dist, "types", file.slice(source.length)));
  // The types describe a CommonJS module, but the type of the package is "module".
  writeFileSync(join(dist, "types/package.json"), '{ "type": "commonjs" }\n');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

// Write each name as an assignment: that is how `import` finds the names of a CommonJS module.
const names = Object.keys(createRequire(import.meta.url)("../dist/referral-auth.cjs")).sort();
const view = names.filter((name) => name !== "run").map((name) => `exports.${name} = bundle.${name};\n`);
writeFileSync(
  join(dist, "index.cjs"),
  `"use strict";\nconst bundle = require("./referral-auth.cjs");\n${view.join("")}`,
);
