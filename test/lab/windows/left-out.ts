import { existsSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** The end-to-end tests that make no sense for the executable under wine: file, part of the full name, reason. */
const leftOut = [
  {
    file: "other-commands.both-ways.test.ts",
    name: "config, as a child, > shows a credential that will not be sent, and why",
    reason:
      "it compares a path as Linux writes it; test/lab/windows/program.test.ts does so as Windows writes it",
  },
  {
    file: "system-certificates.built.test.ts",
    name: "a CA of the system's store alone",
    reason:
      "it names the system's store in SSL_CERT_FILE; Windows has a store of its own, filled by wine itself",
  },
] as const;

/** The entry that leaves this test out, if there is one. */
export const leftOutBy = (path: string, fullName: string) =>
  leftOut.find(({ file, name }) => path.endsWith(`/e2e/${file}`) && fullName.includes(name));

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
      const fileExists = existsSync(new URL(`../../e2e/${entry.file}`, import.meta.url));
      if (!fileExists || (fileRan && count === 0)) process.exitCode = 1;
    }
  }
}
