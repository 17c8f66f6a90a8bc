import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { builtOnly, unit } from "./vitest.config.ts";

// `npm run mutation` changes the sources and builds nothing, so no test here runs the built program. It takes the tests of
// functions, which answer in seconds. `MUTATION_TESTS=all npm run mutation` then tries those of the whole program on each
// change that survived. Properties are left out because their cases are random: the score would differ from run to run.
const program = ["test/{threats,e2e,faults}/**/*.test.ts", "test/package/library.test.ts"];
const { MUTATION_TESTS: chosen } = process.env;
// Each change starts all tests that are related to a file, and the tests of whole runs are related to nearly every one. Named
// here, those of a file alone take minutes instead of an hour.
const named = chosen === undefined || chosen === "all" ? null : chosen.split(" ");
const ofTexts = ["test/{architecture,docs*}.test.ts", "test/{emulator,system}/**"];
const ofShells = "test/completion/bash-line.test.ts";

/**
 * Runs first the tests of the file that is changed, then those of its room, and last those of the whole program: a change is
 * done with at the first test that fails. For `src/wsse`, 6 tests a change run instead of 118, and all of it takes 93 s
 * instead of 108.
 */
class NearestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const changed = /\/src\/((\w+)\/.*)\.ts$/.exec(this.ctx.config.related?.[0] ?? "");
    const order = [
      `/test/${changed?.[1]}.`,
      `/test/${changed?.[2]}/`,
      /\/test\/(?!threats|e2e|faults)/,
      "/test/threats/",
      "/test/e2e/",
      "/test/faults/",
    ];
    const rank = ({ moduleId }: TestSpecification): number =>
      order.findIndex((part) => moduleId.search(part) >= 0);
    return specifications.toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: named ?? [...unit, ...(chosen === "all" ? program : [])],
    exclude: named ? [builtOnly] : [builtOnly, ...ofTexts, ofShells],
    testTimeout: 60_000,
    // All test files of a run share one worker: starting one for each file takes longer than most tests.
    isolate: false,
    sequence: { sequencer: NearestFirst },
  },
});
