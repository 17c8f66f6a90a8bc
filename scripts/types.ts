// Builds the library: dist/index.cjs, which exports a part of the bundle, and its types in dist/types. One CommonJS file
// serves both `require` and `import`, so no program loads two copies of a class.
import { execFileSync } from "node:child_process";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const compiler = "node_modules/typescript/bin/tsc";
const all = resolve("dist/all-types");
const emit = ["--noEmit", "false", "--emitDeclarationOnly", "--declaration", "--outDir", all];
execFileSync(process.execPath, [compiler, ...emit], { stdio: "inherit" });
rmSync("dist/types", { recursive: true, force: true });
// Only the files that the entry leads to.
const list = ["--ignoreConfig", "--listFilesOnly", `${all}/src/index.d.ts`];
for (const file of execFileSync(process.execPath, [compiler, ...list], { encoding: "utf8" }).split("\n"))
  if (file.startsWith(`${all}/src/`)) cpSync(file, file.replace(`${all}/src`, "dist/types"));
rmSync(all, { recursive: true });
// The types describe a CommonJS module, but the type of the package is "module".
writeFileSync("dist/types/package.json", '{ "type": "commonjs" }\n');

// Write each name as an assignment: that is how `import` finds the names of a CommonJS module.
const { run: _, ...library } = createRequire(import.meta.url)("../dist/referral-auth.cjs");
const names = Object.keys(library).sort();
const view = names.map((name) => `exports.${name} = bundle.${name};\n`).join("");
writeFileSync("dist/index.cjs", `"use strict";\nconst bundle = require("./referral-auth.cjs");\n${view}`);
