import { expect, test } from "vitest";
import type { TestRun } from "../../src/run/options.ts";

test("an option that `test` does not have does not compile, where it is read or given", () => {
  const run = {
    quiet: true,
    timeout: "5",
    junit: "report.xml",
  } satisfies Partial<TestRun> as Partial<TestRun>;
  // @ts-expect-error: misspelt.
  expect(run.quite).toBeUndefined();
  // @ts-expect-error: misspelt.
  const given: Partial<TestRun> = { juint: "report.xml" };
  // @ts-expect-error: an option has the key of its setting, not its name.
  const named: Partial<TestRun> = { timeoutSeconds: "5" };
  expect([given, named]).toHaveLength(2);
});
