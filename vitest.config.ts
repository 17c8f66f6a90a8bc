import { defineConfig } from "vitest/config";

// An older one fails in many files, and in each for another reason.
if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(
    `The tests need Node.js 24; this is ${process.version}. npm ci installs one, which npx uses.\n`,
  );
  process.exit(1);
}

/** These need other programs, other machines or root (test/lab/README.md). Each folder runs alone: `vitest run --mode interop`. */
const lab = "test/lab/**/*.test.ts";
const ofLab = (folder: string): string => `test/lab/${folder}/*.test.ts`;

/** These start the built program in every mode. */
export const builtOnly = "test/**/*.built.test.ts";

/** These start several processes for each row or many at once, so `npm test` leaves them out. `--mode built` runs them. */
const slow = "test/{{e2e,faults,package}/*,threats/{ends,hostile-texts,process,surroundings}}.built.test.ts";

/** In process in `npm test`, and as a child in `--mode built`. */
export const bothWays = "test/**/*.both-ways.test.ts";

/** Their tests that start a child. The others have run in process. */
const asChild = /as a child/;

/** Each of these modes runs them on a program of its own: an executable, or the package on another line of Node. */
const endToEnd = "test/e2e/*.both-ways.test.ts";

/** The tests of functions. Of these and of the commands, `npm run near` runs those that a changed file can break. */
export const unit = [
  "test/*.test.ts",
  "test/{check,commands,completion,emulator,http,library,options,redaction,report,run,settings,system,wsse}/**/*.test.ts",
];

/** The commands, run in process as a whole. */
const commands = "test/e2e/!(connections|diagnos*|*.built).test.ts";

/** The tests that try more cases, or longer texts, where CI asks for it. */
export const properties = [
  "test/properties/**/*.test.ts",
  "test/**/{account-lines,at-once,csv,cut,in-order,job-summary,metrics,open-accounts,proof,redact,turns}.test.ts",
  "test/**/{addresses,profiles}.both-ways.test.ts",
];

const everywhere = {
  // The log of CI shows the tests that failed, and not the thousands that passed.
  reporters: process.env.CI ? ["minimal"] : ["default"],
  // Most tests wait for processes and servers rather than compute. Each further worker loads all modules again: with two cores, a
  // third one saves 5 of 50 s, and takes 5 s more processor time.
  maxWorkers: "100%",
  // Many tests start processes, and CI's machine has two cores: what hangs is to be found, not what is slow.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // Without it, a second.
  expect: { poll: { timeout: 50_000 } },
  // The files of a run share their workers and the modules in them: one worker for each file takes 70 s more processor time.
  // Each project would have workers of its own, so `npm test` has none: with three, it took 3 s more.
  isolate: false,
  // How many random cases are tried, and what holds for every run.
  setupFiles: "test/support/setup.ts",
};

/** What `npm test` runs: everything in this process, and the few tests whose subject is a process. */
const sources = {
  // `vitest run --coverage`. What runs in a child is the bundle, and counts for nothing here.
  coverage: {
    include: ["src/**/*.ts"],
    reporter: [["text", { skipFull: true }]],
    thresholds: { lines: 95, branches: 95 },
  },
  include: ["test/**/*.test.ts"],
  exclude: [slow, lab],
};

const modes: Readonly<Record<string, object>> = {
  near: { include: [...unit, commands] },
  built: {
    projects: [
      { extends: true, test: { name: "both ways", include: [bothWays], testNamePattern: asChild } },
      { extends: true, test: { name: "built only", include: [slow] } },
    ],
  },
  // The program that REFERRAL_AUTH_EXECUTABLE names, or REFERRAL_AUTH_LAUNCHER on REFERRAL_AUTH_NODE.
  "end-to-end": { include: [endToEnd], testNamePattern: asChild, env: { REFERRAL_AUTH_TESTS: "built" } },
  // A slow machine takes long for so many cases.
  properties: { include: properties, testTimeout: 600_000 },
  interop: { include: [ofLab("interop")] },
  // Each case has a network and processes of its own, and mostly waits.
  network: { include: [ofLab("network")], maxConcurrency: 4 },
  projects: { include: [ofLab("projects")] },
  // The jobs of the pages install the package by npm, which takes minutes on a busy machine.
  recipes: { include: [ofLab("recipes")], testTimeout: 600_000 },
  image: { include: [ofLab("image")] },
  // The executable for Windows meets the tests that use files, standard input and the system's certificates, too.
  windows: {
    include: [
      ofLab("windows"),
      "test/e2e/{accounts,profiles,test-command}.both-ways.test.ts",
      "test/e2e/system-certificates.built.test.ts",
    ],
    // Windows has a store of its own, filled by wine itself; this test names another in SSL_CERT_FILE.
    testNamePattern: /^(?!.*a CA of the system's store alone)/,
    env: { REFERRAL_AUTH_TESTS: "built" },
    globalSetup: "test/lab/windows/wine.ts",
  },
};

export default defineConfig(({ mode }) => ({
  test: { env: { REFERRAL_AUTH_TESTS: mode }, ...everywhere, ...(modes[mode] ?? sources) },
}));
