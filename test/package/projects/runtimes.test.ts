import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newest, printed, program, projectWith, scenario, scenarioResult, statements } from "./project.ts";

const programs = { "main.mjs": program("es"), "main.cjs": program("cjs") };
const worker = (file: string) => `new (require("node:worker_threads").Worker)("./${file}");\n`;
const vitest = join(newest, "node_modules/vitest/vitest.mjs");
const jest = join(newest, "node_modules/jest/bin/jest.js");

describe.each(Object.keys(programs))("%s runs", (file) => {
  test("in Node, and in a worker", async () => {
    const folder = projectWith({ ...programs, "start.cjs": worker(file) });
    for (const started of [file, "start.cjs"])
      expect(await printed(folder, [started])).toBe(`${scenarioResult}\n`);
  });

  test("in Bun", async () => {
    const builds = join(newest, "node_modules/@oven");
    const [bun] = readdirSync(builds)
      .map((name) => join(builds, name, "bin/bun"))
      .filter(existsSync);
    expect(await printed(projectWith(programs), [file], bun)).toBe(`${scenarioResult}\n`);
  });
});

/** The scenario as a test of vitest or Jest. */
const asTest = `${scenario}test("it works", async () => expect(await scenario()).toBe("${scenarioResult}"));\n`;
const head = `import { expect, test, vi } from "vitest";\n${statements.es.join("")}`;
const withFakeTimers = `
test("it waits for nothing", async () => {
  const emulator = await startEmulator({ answer: "slow" });
  vi.useFakeTimers();
  const checker = createChecker({ baseUrl: emulator.url, timeoutSeconds: 3600 });
  const result = checker.check({ method: "token", token: "a" });
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect((await result).outcome.kind).toBe("timeout");
  vi.useRealTimers();
  await emulator.close();
});\n`;

test.each([
  ...["node", "jsdom", "happy-dom"].map((environment) => [environment, asTest] as const),
  ["node", withFakeTimers] as const,
])(
  "a test of vitest in the environment %s makes checks, whose deadline fake timers decide: %#",
  async (environment, text) => {
    const folder = projectWith({ "one.test.mjs": `// @vitest-environment ${environment}\n${head}${text}` });
    const args = [vitest, "run", "--root", ".", "--no-color"];
    expect(await printed(folder, args, process.execPath)).toContain("1 passed");
  },
);

test.each(["node", "jsdom"])("a test of Jest makes checks in the environment %s", async (environment) => {
  const folder = projectWith({ "one.test.js": `${statements.cjs.join("")}${asTest}` });
  const args = [jest, "--rootDir", ".", "--env", environment];
  expect(await printed(folder, args, process.execPath)).toContain("1 passed");
});
