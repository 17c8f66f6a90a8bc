import { defineConfig } from "vitest/config";

// These need what `.ci/run` installs: Debian packages, clients and validators from npm. Each runs alone:
// `vitest run --mode interop`, `vitest run --mode recipes`.
const apart: Readonly<Record<string, string>> = {
  interop: "test/interop/**/*.test.ts",
  recipes: "test/recipes/**/*.test.ts",
};

export default defineConfig(({ mode }) => {
  const alone = apart[mode];
  return {
    test: {
      ...(alone === undefined
        ? { include: ["test/**/*.test.ts"], exclude: Object.values(apart) }
        : { include: [alone] }),
      // The log of CI shows the tests that failed, and not the thousands that passed.
      reporters: process.env.CI ? ["minimal"] : ["default"],
      // Most tests wait for processes and servers rather than compute.
      maxWorkers: "100%",
      // Many tests start processes, and CI's machine has two cores: what hangs is to be found, not what is slow.
      testTimeout: 60_000,
      hookTimeout: 120_000,
      // `vitest run --coverage`. What runs in a child is the bundle, and counts for nothing here.
      coverage: {
        include: ["src/**/*.ts"],
        reporter: [["text", { skipFull: true }]],
        thresholds: { lines: 95, branches: 95 },
      },
    },
  };
});
