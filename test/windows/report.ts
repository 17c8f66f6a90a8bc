import { existsSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";
import { leftOut, leftOutBy } from "./left-out.ts";

/** Prints how many tests were left out and why, and fails the run where an entry of the list fits no test. */
export default class implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => leftOutBy(module.moduleId, test.fullName)),
    );
    for (const entry of leftOut) {
      const count = tests.filter((found) => found === entry).length;
      process.stdout.write(`left out: ${count} of ${entry.file}: ${entry.reason}\n`);
      const fileRan = modules.some(({ moduleId }) => moduleId.endsWith(`/e2e/${entry.file}`));
      const fileExists = existsSync(new URL(`../e2e/${entry.file}`, import.meta.url));
      if (!fileExists || (fileRan && count === 0)) process.exitCode = 1;
    }
  }
}
