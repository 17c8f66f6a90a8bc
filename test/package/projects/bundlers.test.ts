import { statSync } from "node:fs";
import { join } from "node:path";
import { build as rolldown } from "rolldown";
import { expect, test } from "vitest";
import { printed, program, projectWith, scenarioResult, tool } from "./project.ts";

type Format = "es" | "cjs";

/** How each bundler makes one file of the project's `main.js`, as its own documentation shows it for Node. */
const bundlers: Readonly<Record<string, (folder: string, format: Format, file: string) => Promise<unknown>>> =
  {
    esbuild: (folder, format, outfile) =>
      tool("esbuild").build({
        entryPoints: [join(folder, "main.js")],
        bundle: true,
        minify: true,
        platform: "node",
        format: format === "es" ? "esm" : "cjs",
        outfile,
        logLevel: "error",
      }),
    webpack: (folder, format, file) =>
      new Promise((resolve, reject) =>
        tool("webpack")(
          {
            context: folder,
            entry: "./main.js",
            mode: "production",
            target: "node20",
            experiments: { outputModule: format === "es" },
            output: {
              path: folder,
              filename: file.slice(folder.length + 1),
              library: { type: format === "es" ? "module" : "commonjs2" },
            },
          },
          (error: Error | null, stats: { hasErrors(): boolean; toString(): string }) =>
            error !== null || stats.hasErrors() ? reject(error ?? new Error(`${stats}`)) : resolve(stats),
        ),
      ),
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

const cases = Object.keys(bundlers).flatMap((name) =>
  (["es", "cjs"] as const).map((format) => ({ name, format })),
);

test.each(cases)("$name makes one file of the package as $format, which runs", async ({ name, format }) => {
  const folder = projectWith({ "main.js": program("es"), "package.json": '{ "type": "module" }' });
  const file = join(folder, `bundle.${format === "es" ? "mjs" : "cjs"}`);

  await bundlers[name]?.(folder, format, file);

  expect(await printed(folder, [file])).toBe(`${scenarioResult}\n`);
});

test("a bundle of referral-auth/header alone has less than 15 kB", async () => {
  const source = 'import { authHeaders } from "referral-auth/header";\nglobalThis.headers = authHeaders;\n';
  for (const [name, bundle] of Object.entries(bundlers)) {
    // rollup does not minify.
    if (name === "rollup") continue;
    const folder = projectWith({ "main.js": source, "package.json": '{ "type": "module" }' });
    await bundle(folder, "es", join(folder, "bundle.mjs"));
    expect(statSync(join(folder, "bundle.mjs")).size, name).toBeLessThan(15_000);
  }
});
