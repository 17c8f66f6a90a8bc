import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// `npm run mutation` changes the sources and builds nothing, so no test here runs the built program. Properties are left
// out because their cases are random: the score would differ from run to run.
const folders = [
  "wsse",
  "check",
  "settings",
  "http",
  "redaction",
  "accounts",
  "commands",
  "threats",
  "e2e",
  "faults",
];
const files = ["test/{example-rc,schema}.test.ts", "test/package/library.test.ts"];
const needBuild = [
  "test/e2e/{account-streams,cache-outside,colour,compile-cache,other-commands,planted-cache}.test.ts",
  "test/faults/{certificates,proxy-environment}.test.ts",
  "test/e2e/system-certificates.test.ts",
  "test/threats/{canaries,command-line,environment,found-files,home,home-in-checkout,output-lost}.test.ts",
  "test/threats/{process-list,secret-size,signals,surroundings}.test.ts",
];

/** Runs the tests of functions before those of the whole program: a mutant is done with at the first test that fails. */
class FastestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      folders.findIndex((folder) => moduleId.includes(`/test/${folder}/`));
    return specifications.toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: [...folders.map((folder) => `test/${folder}/**/*.test.ts`), ...files],
    exclude: needBuild,
    env: { REFERRAL_AUTH_LAUNCHER: "" },
    testTimeout: 60_000,
    // All test files of a run share one worker: starting one for each file takes longer than most tests.
    isolate: false,
    sequence: { sequencer: FastestFirst },
  },
});
