import { join } from "node:path";
import { formatNames } from "../../src/run/options.ts";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";

/** The options of the outputs that a run on GitHub may have, beside its reports and its summary. */
export const outputs = [[], ["--verbose"], ["--json"], ["--ndjson", "--verbose"]] as const;

/** Everything that is shown of a run over these accounts, one after the other: both streams, every report and the job summary. */
export async function everythingShown(
  accounts: readonly object[],
  output: readonly string[],
  environment = {},
): Promise<string> {
  const lines = accounts.map((account) => JSON.stringify(account)).join("\n");
  const workingFolder = folderWith({ accounts: lines, summary: "" });
  const reports = formatNames.flatMap((name) => [`--${name}`, name]);
  const job = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(workingFolder, "summary") };
  const run = await runInProcess(
    ["test", "--accounts", "accounts", "--concurrency", "1", ...reports, ...output],
    { workingFolder, environment: { ...environment, ...job } },
  );
  return [run.everything, ...[...formatNames, "summary"].map((name) => run.file(name))].join("\n");
}
