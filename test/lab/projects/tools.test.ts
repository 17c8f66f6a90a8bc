import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { build as rolldown } from "rolldown";
import { describe, expect, test } from "vitest";
import {
  newest,
  printed,
  program,
  projectWith,
  scenario,
  scenarioResult,
  statements,
  tool,
} from "./project.ts";

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

/** Tests on a clock that stands still; `faked` is the statement that stops it. The long body is read in a turn of its own. */
const onFakeClock = (faked: string): string => `
test.each([undefined, "x".repeat(40_000)])("checks end while the clock stands still", async (body) => {
  ${faked}
  const emulator = await startEmulator();
  const [{ token }] = emulator.accounts;
  const checker = createChecker({ baseUrl: emulator.url });
  emulator.answers([{ status: 401, body }, {}]);
  const kinds = [];
  for (const _ of [1, 2]) kinds.push((await checker.check({ method: "token", token })).outcome.kind);
  expect(kinds).toEqual(["rejected", "accepted"]);
  await emulator.close();
});
test("a deadline passes when the clock is moved on", async () => {
  ${faked}
  const emulator = await startEmulator();
  emulator.answers([{ delaySeconds: 600 }]);
  const check = createChecker({ baseUrl: emulator.url, timeoutSeconds: 3600 }).check({ method: "token", token: "a" });
  await new Promise((resolve) => get(emulator.url, (response) => response.resume().once("end", resolve)));
  await CLOCK.advanceTimersByTimeAsync(3_600_000);
  expect((await check).outcome.kind).toBe("timeout");
  await emulator.close();
});\n`;

/** The command of each runner in an environment, how its tests begin and stop the clock, and the end of its files' names. */
const runners = {
  vitest: {
    args: (environment: string) => [vitest, "run", "--root", ".", "--no-color", "--environment", environment],
    start: `import { expect, test, vi } from "vitest";\n${statements.es.join("")}`,
    clock: "vi",
    stop: `vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "setImmediate", "Date", "performance", "hrtime", "queueMicrotask"] });`,
    ending: "test.mjs",
  },
  Jest: {
    args: (environment: string) => [jest, "--rootDir", ".", "--env", environment],
    start: statements.cjs.join(""),
    clock: "jest",
    stop: "jest.useFakeTimers();",
    ending: "test.js",
  },
};

test.each([
  ["vitest", "node"],
  ["vitest", "jsdom"],
  ["vitest", "happy-dom"],
  ["Jest", "node"],
  ["Jest", "jsdom"],
] as const)("%s in %s makes checks, also under fake timers", async (name, environment) => {
  const { args, start, clock, stop, ending } = runners[name];
  const tests = [asTest, onFakeClock(stop).replaceAll("CLOCK", clock)];
  const files = tests.map((text, index) => [`${index}.${ending}`, start + text]);
  const said = await printed(projectWith(Object.fromEntries(files)), args(environment), process.execPath);
  expect(said).toContain("4 passed");
});

type Bundler = (folder: string, format: "es" | "cjs", file: string) => Promise<unknown>;

/** How each bundler makes one file of the project's `main.js`, as its own documentation shows it for Node. */
const bundlers: Readonly<Record<string, Bundler>> = {
  esbuild: (folder, format, outfile) =>
    tool("esbuild").build({
      ...{ entryPoints: [join(folder, "main.js")], bundle: true, minify: true, platform: "node" },
      ...{ format: format === "es" ? "esm" : "cjs", outfile, logLevel: "error" },
    }),
  webpack: (folder, format, file) =>
    new Promise((resolve, reject) => {
      const library = { type: format === "es" ? "module" : "commonjs2" };
      tool("webpack")(
        {
          ...{ context: folder, entry: "./main.js", mode: "production", target: "node20" },
          experiments: { outputModule: format === "es" },
          output: { path: folder, filename: basename(file), library },
        },
        (error: Error | null, stats: { hasErrors(): boolean; toString(): string }) =>
          error !== null || stats.hasErrors() ? reject(error ?? new Error(`${stats}`)) : resolve(stats),
      );
    }),
  rollup: async (folder, format, file) => {
    const bundle = await tool("rollup").rollup({
      input: join(folder, "main.js"),
      plugins: [tool("@rollup/plugin-node-resolve").default(), tool("@rollup/plugin-commonjs")()],
      onwarn: ({ message }: { message: string }) => {
        throw new Error(message);
      },
    });
    await bundle.write({ file, format });
  },
  rolldown: (folder, format, file) =>
    rolldown({ input: join(folder, "main.js"), platform: "node", output: { file, format, minify: true } }),
};

test.each(
  Object.entries(bundlers).flatMap(([name, bundle]) =>
    (["es", "cjs"] as const).map((format) => [name, format, bundle] as const),
  ),
)("%s makes one file of the package as %s, which runs", async (_, format, bundle) => {
  const folder = projectWith({ "main.js": program("es"), "package.json": '{ "type": "module" }' });
  const file = join(folder, `bundle.${format === "es" ? "mjs" : "cjs"}`);

  await bundle(folder, format, file);

  expect(await printed(folder, [file])).toBe(`${scenarioResult}\n`);
});

test.each([
  ["exitCodes", "referral-auth", 5_000],
  ["authHeaders", "referral-auth/header", 20_000],
])("a bundle of %s of %s alone has less than %i bytes", async (name, from, most) => {
  const source = `import { ${name} } from "${from}";\nglobalThis.kept = ${name};\n`;
  for (const [bundler, bundle] of Object.entries(bundlers)) {
    const folder = projectWith({ "main.js": source, "package.json": '{ "type": "module" }' });
    await bundle(folder, "es", join(folder, "bundle.mjs"));
    expect(statSync(join(folder, "bundle.mjs")).size, bundler).toBeLessThan(most);
  }
});

const [https, wsse] = ["https://a.example", 'method: "wsse", username: "a", secret: "b"'];

test.each([
  [`createChecker({ baseUrl: "${https}", token: "a" });`, "createChecker", "credential"],
  [`createChecker({ baseUrl: "${https}" }).check({ ${wsse}, hsah: "a" });`, "check", "hash"],
  [`authHeaders({ ${wsse}, digset: "a" });`, "authHeaders", "digest"],
  ["startEmulator({ digset: 1 });", "startEmulator", "digest"],
])(
  "%s is an error that shows a readable line of its source, where it was made, and what to write",
  async (call, place, hint) => {
    for (const [kind, file] of [
      ["es", "main.mjs"],
      ["cjs", "main.cjs"],
    ] as const) {
      const folder = projectWith({ [file]: statements[kind].join("") + call });
      const text = await printed(folder, [file]).catch(({ stderr }: { stderr: string }) => stderr);
      expect(text).toMatch(
        new RegExp(`^ {4}at (?:async )?(?:Object\\.)?${place} \\(.*referral-auth/dist`, "m"),
      );
      expect(text).toMatch(new RegExp(`^  hint: '.*\\b${hint}\\b`, "m"));
      expect(text).toContain("code: 'ERR_REFERRAL_AUTH_SETTINGS'");
      expect(text.length).toBeLessThan(3_000);
      // The compressed library keeps a statement, with the whole of its message, on one line.
      expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThan(400);
    }
  },
);
