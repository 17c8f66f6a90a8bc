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

await build({
  input: { "referral-auth": "bin/referral-auth.ts" },
  platform: "node",
  plugins: [undiciClient],
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
  },
});
