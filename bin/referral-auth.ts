export * from "../src/index.ts";

/** Runs the command line: argv in, exit code out, nothing else. */
export async function run(): Promise<void> {
  // A promise that never settles ends Node with whatever stands here, so it is no success until one is proven.
  process.exitCode = 1;
  const [{ main }, { processContext }] = await Promise.all([
    import("../src/app.ts"),
    import("../src/system/context.ts"),
  ]);
  process.exitCode = await main(processContext());
}
