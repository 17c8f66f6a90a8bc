import { type CheckResult, responseOf } from "../check/outcome.ts";
import type { ExitCode } from "../exit-codes.ts";
import type { RunResult } from "./counts.ts";
import { asciiJson } from "./escape.ts";

/** Why a run ended without or before its checks: exit codes 1, 2 and 3. */
export interface RunError {
  readonly code: ExitCode;
  readonly message: string;
  readonly hint: string;
}

function checkDocument({
  profile,
  method,
  url,
  credential,
  attempts,
  durationMs,
  outcome,
  clock,
  findings,
}: CheckResult): object {
  return {
    profile,
    method,
    outcome: outcome.kind,
    request: { url, credential, attempts, durationMs },
    response: responseOf(outcome),
    clock,
    findings,
  };
}

/** The document of `--json`, with a line end: the same shape for success and failure. */
export function jsonReport(
  exitCode: ExitCode,
  { results, left }: Pick<RunResult, "results" | "left">,
  error: RunError | null = null,
): string {
  const document = {
    schemaVersion: 1,
    ok: exitCode === 0,
    exitCode,
    checks: results.map(checkDocument),
    notChecked: left.length,
    error,
  };
  return `${asciiJson(document)}\n`;
}
