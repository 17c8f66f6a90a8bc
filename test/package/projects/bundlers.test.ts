import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { build as rolldown } from "rolldown";
import { expect, test } from "vitest";
import { printed, program, projectWith, scenarioResult, tool } from "./project.ts";

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
