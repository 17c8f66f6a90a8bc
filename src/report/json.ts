// The documents of `--json` and the lines of `--ndjson`. The schema is public.

import { responseOf, stepOf } from "../check/outcome.ts";
import type { CheckResult } from "../check/result.ts";
import { asciiJson } from "../redaction/escape.ts";
import { version } from "../version.ts";
import type { AccountResult, PrintedReport, RunEnd, RunError } from "./report.ts";

/** Why there is no response: the step, the system's code and a sentence; null for a check with a response, or without a request. */
function failureOf({ outcome, headline: message }: Pick<CheckResult, "outcome" | "headline">) {
  if (!("failure" in outcome)) return null;
  const { failure } = outcome;
  return { step: stepOf(failure), code: failure.code ?? "ETIMEDOUT", message };
}

function checkDocument(check: AccountResult): object {
  const { profile, line, method, outcome, checkedAt, connection, clock, findings } = check;
  const { url, credential, attempts, durationMs, received } = check;
  return {
    ...{ profile, line, method, outcome: outcome.kind, checkedAt },
    request: { url, credential, attempts, durationMs },
    connection,
    response: responseOf(outcome),
    failure: failureOf(check),
    ...{ received, clock, findings },
  };
}

const indented = (json: string, columns: number): string => json.replaceAll("\n", `\n${" ".repeat(columns)}`);

const head = `{\n  "schemaVersion": 1,\n  "version": ${JSON.stringify(version)},\n  "checks": [`;

function tail(end: Pick<RunEnd, "exitCode" | "left" | "allRead" | "linesRead" | "error">): string {
  const { exitCode, left, allRead, linesRead, error } = end;
  const notChecked = left.length;
  const rest = { ok: exitCode === 0, exitCode, notChecked, notRead: !allRead, linesRead, error };
  return `],${asciiJson(rest).slice(1)}\n`;
}

/** What a command prints with `--json` for an error, with a line end: of `test` the document of a run that ended before its checks. */
export function jsonOfError(error: RunError, command: string): string {
  const { code: exitCode } = error;
  return command === "test"
    ? head + tail({ exitCode, left: [], allRead: true, linesRead: null, error })
    : `${asciiJson({ schemaVersion: 1, version, ok: false, exitCode, error }, 0)}\n`;
}

/** The document of `--json`, printed as checks finish: what is known only at the end of the run comes last. */
export function jsonReport(): PrintedReport {
  let count = 0;
  return {
    add: (result) => {
      const before = count === 0 ? head : ",";
      count += 1;
      return `${before}\n    ${indented(asciiJson(checkDocument(result)), 4)}`;
    },
    end: (end) => (count === 0 ? head : "\n  ") + tail(end),
  };
}

/** What `--ndjson` prints: one line for each check. */
export const ndjsonReport: PrintedReport = {
  add: (result) => `${asciiJson(checkDocument(result), 0)}\n`,
  end: () => "",
};
