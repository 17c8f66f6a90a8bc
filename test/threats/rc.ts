import { expect } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks } from "../support/planted.ts";
import { type Run, runInProcess } from "../support/run.ts";

/** What an rc file in the working tree may be called. */
export const rcNames = [".referralrc", ".referralrc.json", ".referralrc.yaml", ".referralrc.yml"];

/** What `config --json` makes of this rc file, found in the working directory. */
export function config(content: unknown, name = ".referralrc"): Promise<Run> {
  return runInProcess(["config", "--json"], { workingFolder: folderWith({ [name]: content }) });
}

/** The run ended with exit 3 and these messages, and shows none of the planted secrets. */
export function refuses(run: Run, ...messages: readonly string[]): void {
  expect(run.exitCode, run.everything).toBe(3);
  for (const message of messages) expect(run.stderr).toContain(message);
  expect(leaks(run.everything)).toEqual([]);
}

/** The values that `config --json` shows. */
export const valuesOf = (run: Run): Record<string, string> =>
  Object.fromEntries(
    JSON.parse(run.stdout).settings.map((row: { name: string; value: string }) => [row.name, row.value]),
  );
