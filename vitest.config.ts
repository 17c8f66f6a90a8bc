import { defineConfig } from "vitest/config";

// These need what `.ci/run` installs or builds: Debian packages, clients and validators from npm, the executables. Each
// runs alone: `vitest run --mode interop`.
const apart = {
  interop: "test/interop/**/*.test.ts",
  recipes: "test/recipes/**/*.test.ts",
  image: "test/image/**/*.test.ts",
  windows: "test/windows/**/*.test.ts",
};

// The end-to-end suite runs as well, with the executable for Windows as the program.
const windows = {
  include: [apart.windows, "test/e2e/**/*.test.ts"],
  globalSetup: "test/windows/wine.ts",
  setupFiles: "test/windows/leave-out.ts",
  reporters: [process.env.CI ? "minimal" : "default", "./test/windows/report.ts"],
};

export default defineConfig(({ mode }) => {
  const alone = Object.entries(apart).find(([name]) => name === mode)?.[1];
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
      ...(mode === "windows" && windows),
    },
  };
});
