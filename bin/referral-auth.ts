/** Runs the command line and sets the exit code. No open write or lookup keeps the process alive. */
export async function run(): Promise<void> {
  // If a promise never settles, Node ends with this exit code, so it must not be a success.
  process.exitCode = 1;
  const [{ main }, { processContext }, { endDespiteLookups, endDespiteWrites }] = await Promise.all([
    import("../src/app.ts"),
    import("../src/system/context.ts"),
    import("../src/system/ending.ts"),
  ]);
  const code = await main(processContext());
  process.exitCode = code;
  endDespiteWrites(code);
  endDespiteLookups(code);
}
