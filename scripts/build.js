// Builds dist/referral-auth.cjs, the whole program in one file.
import { build } from "rolldown";

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
  // YAML is read and never written.
  [/yaml\/dist\/stringify\//, "module.exports = {};"],
  // What is measured for the progress line is plain text.
  [/emoji-regex\//, "module.exports = () => /(?!)/g;"],
];
const unusedParts = {
  name: "unused-parts",
  load: (id) => replacements.find(([file]) => file.test(id))?.[1] ?? null,
};

await build({
  input: { "referral-auth": "bin/referral-auth.ts" },
  platform: "node",
  plugins: [undiciClient, unusedParts],
  transform: {
    target: "node20",
    // undici leaves its second, experimental parser out of a bundle that says it is one.
    define: { esbuildDetection: "true" },
  },
  output: {
    dir: "dist",
    // An ES module that imports node:http by name would load Node's own fetch on the way.
    format: "cjs",
    entryFileNames: "[name].cjs",
    codeSplitting: false,
    // For size alone: the package stays under 500 kB.
    minify: true,
  },
});
