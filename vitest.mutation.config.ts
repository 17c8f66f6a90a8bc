import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { having } from "./vitest.config.ts";

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
const needBuild = having(/\b(?:runAsChild|childNode|inShell|expectMistake|runInstalled|asChild: measured)\b/);

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
    exclude: [...needBuild],
    testTimeout: 60_000,
    // All test files of a run share one worker: starting one for each file takes longer than most tests.
    isolate: false,
    sequence: { sequencer: FastestFirst },
  },
});
