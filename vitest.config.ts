import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** These need what `.ci/run` installs or builds: packages of Debian and npm, the executables. Each runs alone: `vitest run --mode interop`. */
const apart = {
  interop: "test/interop/**/*.test.ts",
  projects: "test/package/projects/**/*.test.ts",
  recipes: "test/recipes/**/*.test.ts",
  image: "test/image/**/*.test.ts",
  windows: "test/windows/**/*.test.ts",
};

/** These start several processes for each row, so `npm test` leaves them out. `--mode built` runs them. */
const slow = ["test/package/{import,package}.test.ts", "test/e2e/{compile-cache,planted-cache}.test.ts"];

/** The test files that have this in their text. */
export const having = (pattern: RegExp): readonly string[] =>
  globSync("test/**/*.test.ts", { exclude: Object.values(apart) }).filter((file) =>
    pattern.test(readFileSync(file, "utf8")),
  );

/** The tests that run the built program in `--mode built`, whatever it is: Node and the launcher, or an executable. */
const built = having(/\b(?:runAsChild|ways)\b[^;]*\/run\.ts"|\basChild\b/);

const endToEnd = built.filter((file) => file.startsWith("test/e2e/"));

/** The tests of functions, none of which starts a process. `npm run near` runs those that a changed file can break. */
export const unit = having(/^(?!.*child_process)/s).filter((file) =>
  /^test\/(?:accounts|check|commands|completion|emulator|http|redaction|report|settings|system|wsse|[^/]+$)/.test(
    file,
  ),
);

const everywhere = {
  // The log of CI shows the tests that failed, and not the thousands that passed.
  reporters: process.env.CI ? ["minimal"] : ["default"],
  // Most tests wait for processes and servers rather than compute.
  maxWorkers: "100%",
  // Many tests start processes, and CI's machine has two cores: what hangs is to be found, not what is slow.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // The files of a run share their workers and the modules in them: one worker for each file takes 70 s more processor time.
  isolate: false,
};

/** What `npm test` runs: everything in this process, and the few tests whose subject is a process. */
const sources = {
  // `vitest run --coverage`. What runs in a child is the bundle, and counts for nothing here.
  coverage: {
    include: ["src/**/*.ts"],
    reporter: [["text", { skipFull: true }]],
    thresholds: { lines: 95, branches: 95 },
  },
  projects: [
    { extends: true, test: { name: "unit", include: [...unit] } },
    {
      extends: true,
      test: {
        name: "program",
        include: ["test/**/*.test.ts"],
        exclude: [...unit, ...slow, ...Object.values(apart)],
      },
    },
  ],
};

const modes: Readonly<Record<string, object>> = {
  built: {
    include: [...slow, "test/e2e/account-streams.test.ts", "test/threats/surroundings.test.ts", ...built],
  },
  // The program that REFERRAL_AUTH_EXECUTABLE names.
  executable: { include: endToEnd, env: { REFERRAL_AUTH_TESTS: "built" } },
  // As many cases as CI tries.
  properties: { include: having(/"fast-check"/) },
  interop: { include: [apart.interop] },
  projects: { include: [apart.projects] },
  recipes: { include: [apart.recipes] },
  image: { include: [apart.image] },
  // The end-to-end suite runs as well, with the executable for Windows as the program.
  windows: {
    include: [apart.windows, ...endToEnd],
    env: { REFERRAL_AUTH_TESTS: "built" },
    globalSetup: "test/windows/wine.ts",
    setupFiles: "test/windows/leave-out.ts",
    reporters: [process.env.CI ? "minimal" : "default", "./test/windows/left-out.ts"],
  },
};

export default defineConfig(({ mode }) => ({
  test: { env: { REFERRAL_AUTH_TESTS: mode }, ...everywhere, ...(modes[mode] ?? sources) },
}));
