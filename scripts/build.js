// Builds dist/referral-auth.cjs: the whole program in one file that can be read. Each figure below is the processor time that
// `test --token` needs more without that step: of 44 ms on Node 24 with V8's cache (ten lines of node:http: 30 ms), or of 71 without.
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";

// Imported here, so that one line can say what to run. `npm ci` leaves them out if NODE_ENV is production.
const [{ build }, { ERROR, TYPE }] = await Promise.all([
  import("rolldown"),
  import("undici/lib/llhttp/constants.js"),
]).catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  process.stderr.write("The development dependencies are not installed. Run: npm ci --include=dev\n");
  return process.exit(1);
});

/**
 * The replacements of modules that undici imports, and of undici itself. The library has them too.
 * @type {Record<string, string>}
 */
const standIns = {
  // undici's index loads fetch, WebSocket and more (30 ms), and fails on Node 20. The sources import its public `Client`.
  undici: 'export { default as Client } from "undici/lib/dispatcher/client.js";',
  // HTTP/2 (13 ms): the program speaks HTTP/1.1.
  "./client-h2.js": "module.exports = {};",
  // Bodies of requests (75 kB): no request has one. They import node:sqlite, which an ES module on Node 20 cannot.
  "../web/fetch/body.js": "module.exports = {};",
  "../web/fetch/formdata": "module.exports = {};",
  "../web/webidl": "module.exports = { webidl: { is: {} } };",
  // node:assert loads seven modules (0.8 ms, 2 without the cache) and opens standard output.
  "node:assert":
    'module.exports = (held, why) => { if (!held) throw Object.assign(new Error(String(why)), { code: "ERR_ASSERTION" }); };',
  // The parser once more, for processors with SIMD (72 kB). undici falls back to the other one.
  "../llhttp/llhttp_simd-wasm.js": "module.exports = null;",
  // undici uses only two things of node:http (1 ms): a class for request bodies, and Node's limit for headers, in whose place
  // src/http/client.ts sets its own.
  "node:http": "module.exports = {};",
  // A tree of known header names, which saves lower-casing them. undici builds it at every start (1.6 ms).
  "./tree": "module.exports = { tree: { lookup: () => null } };",
  // Tables to parse requests, and the two that responses need (0.5 ms, 2 without the cache, 14 kB).
  "../llhttp/constants.js": `module.exports = ${JSON.stringify({ ERROR, TYPE })};`,
};

/**
 * Makes these replacements. The build fails if nothing imports one of them any more. undici's code gets promise jobs in place of
 * `queueMicrotask`, which fake timers of a test replace (by default those of Jest): a check would wait for ever.
 * @returns {import("rolldown").Plugin}
 */
export function smallUndici() {
  const unused = new Set(Object.keys(standIns));
  return {
    name: "small-undici",
    resolveId(id, importer) {
      if (!(id in standIns) || (id !== "undici" && !importer?.includes("/undici/lib/"))) return null;
      unused.delete(id);
      return `\0${id}`;
    },
    load: (id) => standIns[id.slice(1)] ?? null,
    transform: (code, id) =>
      id.includes("/undici/lib/") ? code.replaceAll("queueMicrotask(", "Promise.resolve().then(") : null,
    buildEnd(error) {
      if (!error && unused.size > 0) throw new Error(`Nothing imports ${[...unused].join(" or ")} any more`);
    },
    generateBundle(_, files) {
      for (const [name, file] of Object.entries(files))
        if (file.type === "chunk" && file.code.includes("queueMicrotask"))
          throw new Error(`${name} uses queueMicrotask, which fake timers replace: write a promise job`);
    },
  };
}

// Node's modules are loaded when they are first used, not when they are imported (14 ms). The proxy is a prototype, so that
// the module has no keys: rolldown copies all keys to make a default export. Three modules are functions.
const loadOnUse = `require = ((load) => (name, loaded) =>
  /^(?:node:)?(?:assert|events|stream)$/.test(name)
    ? load(name)
    : Object.create(new Proxy({}, { get: (_, key) => (loaded ??= load(name))[key] }))
)(require);`;

/** The code in ASCII: V8 stores such a text in half the memory, and decodes it fastest. */
const inAscii = (/** @type {string} */ code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** How the program and the library are bundled. */
export const forNode = /** @type {const} */ ({
  platform: "node",
  // Let the comments in a bundle name each module by its path here, even if node_modules is a link.
  resolve: { symlinks: false },
  // undici leaves its second, experimental parser out of a bundle that says it is one.
  transform: { target: "node20", define: { esbuildDetection: "true" } },
});

/** The bundle, as rolldown describes it: its code and its modules, each of which runs when it is first imported. */
export async function bundle() {
  const { output } = await build({
    input: { "referral-auth": "bin/referral-auth.ts" },
    ...forNode,
    write: false,
    plugins: [smallUndici()],
    // CommonJS: an ES module that imports node:http by name loads Node's own fetch as well (up to 57 ms).
    // Leave out docstrings, most of them of packages: they take 130 kB; and marks for bundlers: 4 kB.
    output: {
      format: "cjs",
      codeSplitting: false,
      dynamicImportInCjs: false,
      comments: { jsdoc: false, annotation: false },
      // Short names of variables: 183 kB. A stack trace names functions and classes, whose names stay.
      minify: {
        compress: false,
        mangle: { keepNames: { function: true, class: true } },
        codegen: { removeWhitespace: false },
      },
      intro: loadOnUse,
    },
  });
  return output[0];
}

/** The code without its indentation: 97 kB of the package. Throws if a template has a line that begins with a tab, which it would lose. */
export async function unindented(/** @type {string} */ code) {
  const { parseAst } = await import("rolldown/parseAst");
  JSON.stringify(parseAst(code), (_, node) => {
    if (node?.type === "TemplateElement" && node.value.raw.includes("\n\t"))
      throw new Error("A template has a line that begins with a tab: write \\t in its place");
    return typeof node === "bigint" ? null : node;
  });
  return code.replace(/^\t+/gm, "");
}

/**
 * The code without the parentheses for which V8 compiles modules at once, where few runs need them: the emulator, and the parser of YAML.
 * V8's cache is 15 % smaller, and a start 1.5 % faster. Throws if the bundler writes modules in another way.
 */
function compiledOnUse(/** @type {string} */ code) {
  const modules = /^\/\/ (?:src\/emulator|node_modules\/yaml)\/[\s\S]*?__(?:esm|commonJS)Min\(\(/gm;
  const changed = code.replace(modules, "$&0, ");
  if (changed === code)
    throw new Error("No module begins as expected: see compiledOnUse in scripts/build.js");
  return changed;
}

/** The code as a function: bin/launch.cjs evaluates it and calls the result. To wrap it at every start would copy it (1.2 ms). */
const asFunction = (/** @type {string} */ code) => `(function (exports, require, module) {\n${code}\n})`;

if (process.argv[1] === import.meta.filename) {
  const code = inAscii(asFunction(compiledOnUse(await unindented((await bundle()).code))));
  // Remove the cache of an earlier build.
  rmSync("dist/cache", { recursive: true, force: true });
  mkdirSync("dist", { recursive: true });
  // bin/launch.cjs compares this hash to find out whether a cache belongs to this build.
  writeFileSync("dist/referral-auth.cjs", `// ${createHash("sha256").update(code).digest("hex")}\n${code}`);
}
