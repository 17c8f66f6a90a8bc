// Builds dist/referral-auth.cjs, the whole program in one file. What makes it small and quick to start stands here, so
// that the sources need not know; `npm run bench` shows what it is worth.
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "rolldown";
import { minifySync } from "rolldown/utils";

// undici's index loads fetch, WebSocket and more, and stops on Node 20. The sources import its public `Client`; the
// bundle takes that class from its own file.
const undiciClient = {
  name: "undici-client",
  resolveId: (id) => (id === "undici" ? "\0undici-client" : null),
  load: (id) =>
    id === "\0undici-client" ? 'export { default as Client } from "undici/lib/dispatcher/client.js";' : null,
};

// Parts of packages that no path of ours leads to, as patterns of their files, and what stands in for them.
const replacements = [
  // The program speaks HTTP/1.1, sends no bodies and connects by itself.
  [
    /undici\/lib\/(?:web\/|dispatcher\/client-h2|core\/connect|util\/runtime-features)/,
    "module.exports = {};",
  ],
  // Of undici's two copies of its parser, the one that every processor runs.
  [/undici\/lib\/llhttp\/llhttp_simd-wasm/, 'module.exports = require("./llhttp-wasm.js");'],
  // A tree of known header names, built at every start to spare lower-casing those that arrive.
  [/undici\/lib\/core\/tree/, "module.exports = { tree: { lookup: () => null } };"],
  // YAML is read and never written.
  [/yaml\/dist\/stringify\//, "module.exports = {};"],
  // What is measured for the progress line is plain text.
  [/emoji-regex\//, "module.exports = () => /(?!)/g;"],
];

// Smaller changes: the file, what is looked for in it, and what takes its place.
const edits = [
  // Of node:http undici needs a class that it never meets here, and Node's limit for headers.
  [/undici\/lib\//, "require('node:http')", "{ maxHeaderSize: 16384 }"],
  // An assertion that holds needs no node:assert.
  [/undici\/lib\//, "require('node:assert')", "(...held) => held[0] || require('node:assert')(...held)"],
  // Its tables of methods and characters are for servers.
  [/undici\/lib\/llhttp\/constants/, /^exports\.METHODS = [\s\S]*/m, ""],
  // Copies every property of node:fs, one by one.
  [/cosmiconfig\/dist\/util/, '__importStar(require("fs"))', 'require("fs")'],
  // The global clock loads the whole of node:perf_hooks.
  [/src\/http\/send\.ts$/, /performance\.now\(\)/g, "Number(process.hrtime.bigint()) / 1e6"],
];

const unused = new Set([...replacements, ...edits]);
/** Makes these changes, and fails where one finds nothing to change any more. */
const changes = {
  name: "changes",
  load(id) {
    const replacement = replacements.find(([file]) => file.test(id));
    unused.delete(replacement);
    return replacement?.[1] ?? null;
  },
  transform(code, id) {
    return edits.reduce((text, edit) => {
      const [file, found, put] = edit;
      const changed = file.test(id) ? text.replace(found, put) : text;
      if (changed !== text) unused.delete(edit);
      return changed;
    }, code);
  },
  buildEnd(error) {
    if (!error && unused.size > 0)
      throw new Error(`Nothing to change in ${[...unused].map(([file]) => file)}`);
  },
};

/** Node's own modules are loaded where they are used, not where they are imported. */
function loadedOnUse(code) {
  const names = new Set();
  const changed = code
    .replace(/^let (node_\w+) = (require\(".+"\));\n(?:\1 = .*__toESM\(\1.*\n)?/gm, (_, name, load) => {
      names.add(name);
      return `let ${name}$;\nconst ${name}$use = () => (${name}$ ??= ${load});\n`;
    })
    .replace(/(?<![\w$.])(node_\w+)(?:\.default\b|(?=\.))/g, (found, name) =>
      names.has(name) ? `(${name}$use())` : found,
    );
  for (const [name] of changed.matchAll(/(?<![\w$.])node_\w+(?![\w$])/g))
    if (names.has(name)) throw new Error(`${name} is used as a whole, and would be undefined`);
  return changed;
}

/** In ASCII, which is read fastest, and half as large in memory. */
function inAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** One file of all chunks. Each is a function, which V8 compiles when the chunk is first asked for. */
function joined(chunks) {
  const functions = chunks.map(
    ({ fileName, code }) =>
      `${JSON.stringify(`./${fileName}`)}: (exports, require) => {\n${loadedOnUse(code)}\n},\n`,
  );
  return `(function (exports, require, module) {
const chunks = {\n${functions.join("")}};
const loaded = {};
const load = (name) => {
  if (!(name in chunks)) return require(name);
  if (!(name in loaded)) chunks[name]((loaded[name] = {}), load);
  return loaded[name];
};
module.exports = load("./${chunks[0].fileName}");
})`;
}

// As a CommonJS module the file runs its own function. bin/launch.cjs takes that function as the value of the file, and
// tells by the hash of the text whether it knows what V8 once compiled for it.
function program(run) {
  const text = `(typeof module === "object" ? (run) => run(exports, require, module) : (run) => run)(${run})`;
  const small = inAscii(minifySync("referral-auth.cjs", text).code);
  return `/* ${createHash("sha256").update(small).digest("hex")} */${small}\n`;
}

// `build.js <folder> --trace` makes a program that tells which of its modules it comes to.
const [folder = "dist", trace] = process.argv.slice(2);
const tracing = {
  name: "tracing",
  transform: (code, id) =>
    trace && !/^\0|\.json$/.test(id)
      ? `process.emit("module", ${JSON.stringify(relative(".", id))});${code}`
      : null,
};

const { output } = await build({
  input: { "referral-auth": "bin/referral-auth.ts" },
  platform: "node",
  write: false,
  plugins: [undiciClient, changes, tracing],
  optimization: { pifeForModuleWrappers: false },
  transform: {
    target: "node20",
    // undici leaves its second, experimental parser out of a bundle that says it is one.
    define: { esbuildDetection: "true" },
  },
  output: {
    // An ES module that imports node:http by name would load Node's own fetch on the way.
    format: "cjs",
    dynamicImportInCjs: false,
    chunkFileNames: "[name].js",
  },
});
mkdirSync(folder, { recursive: true });
// What V8 compiled of another build.
rmSync(join(folder, "cache"), { recursive: true, force: true });
writeFileSync(join(folder, "referral-auth.cjs"), program(joined(output)));
