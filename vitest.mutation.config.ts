import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { having, unit } from "./vitest.config.ts";

// `npm run mutation` changes the sources and builds nothing, so no test here runs the built program. It takes the tests of
// functions, which answer in seconds. `MUTATION_TESTS=all npm run mutation` then tries those of the whole program on each
// change that survived. Properties are left out because their cases are random: the score would differ from run to run.
const program = ["test/{threats,e2e,faults}/**/*.test.ts", "test/package/library.test.ts"];
const needBuild = having(/\b(?:runAsChild|childNode|inShell|runInstalled|asChild: measured)\b/);
const ofTexts = ["test/{architecture,docs,house}.test.ts", "test/{emulator,system}/**"];

/** Runs the tests of functions before those of the whole program: a mutant is done with at the first test that fails. */
class FastestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      ["threats", "e2e", "faults"].findIndex((folder) => moduleId.includes(`/test/${folder}/`));
    return specifications.toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: [...unit, ...(process.env.MUTATION_TESTS === "all" ? program : [])],
    exclude: [...needBuild, ...ofTexts],
    testTimeout: 60_000,
    // All test files of a run share one worker: starting one for each file takes longer than most tests.
    isolate: false,
    sequence: { sequencer: FastestFirst },
  },
});
