import { defineConfig } from "vitest/config";

// Interoperability needs the peers beside the checkout and Debian packages: `vitest run --mode interop` runs it alone.
const interop = "test/interop/**/*.test.ts";

export default defineConfig(({ mode }) => ({
  test: {
    ...(mode === "interop" ? { include: [interop] } : { include: ["test/**/*.test.ts"], exclude: [interop] }),
    // Many tests start processes, and CI's machine has two cores.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
}));
