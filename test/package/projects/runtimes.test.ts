import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newest, printed, program, projectWith, scenario, scenarioResult, statements } from "./project.ts";

const programs = { "main.mjs": program("es"), "main.cjs": program("cjs") };

describe.each(Object.keys(programs))("%s runs", (file) => {
  test("in Node", async () => {
    expect(await printed(projectWith(programs), [file])).toBe(`${scenarioResult}\n`);
  });

  test("in a worker", async () => {
    const start = `new (require("node:worker_threads").Worker)("./${file}");\n`;
    const folder = projectWith({ ...programs, "start.cjs": start });
    expect(await printed(folder, ["start.cjs"])).toBe(`${scenarioResult}\n`);
  });

  test("in Bun", async () => {
    const builds = readdirSync(join(newest, "node_modules/@oven"));
    const [bun] = builds
      .map((name) => join(newest, "node_modules/@oven", name, "bin/bun"))
      .filter(existsSync);
    expect(await printed(projectWith(programs), [file], bun)).toBe(`${scenarioResult}\n`);
  });
});

/** The scenario as a test of vitest or Jest, which look for it under this name. */
const asTest = (before: string, after = ""): string =>
  `${before}${scenario}test("it works", async () => {\n  expect(await scenario()).toBe("${scenarioResult}");\n${after}});\n`;

describe("a test of vitest", () => {
  const vitest = join(newest, "node_modules/vitest/vitest.mjs");
  const run = (text: string): Promise<string> =>
    printed(
      projectWith({ "one.test.mjs": text }),
      [vitest, "run", "--root", ".", "--no-color"],
      process.execPath,
    );
  const head = `import { expect, test, vi } from "vitest";\n${statements.es.join("")}`;

  test.each(["node", "jsdom", "happy-dom"])("makes checks in the environment %s", async (environment) => {
    expect(await run(asTest(`// @vitest-environment ${environment}\n${head}`))).toContain("1 passed");
  });

  test("decides with fake timers when the deadline passes", async () => {
    const text = `${head}
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
    expect(await run(text)).toContain("1 passed");
  });
});

test.each(["node", "jsdom"])("a test of Jest makes checks in the environment %s", async (environment) => {
  const folder = projectWith({ "one.test.js": asTest(statements.cjs.join("")) });
  const jest = join(newest, "node_modules/jest/bin/jest.js");
  const args = [jest, "--rootDir", ".", "--env", environment];
  expect(await printed(folder, args, process.execPath)).toContain("1 passed");
});
