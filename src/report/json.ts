import { failureOf } from "../check/failure.ts";
import { responseOf } from "../check/outcome.ts";
import { asciiJson } from "./escape.ts";
import type { ReportedCheck, ReportWriter, RunEnd, RunError } from "./report-writer.ts";

/** Prints a text, and resolves when it has left the process. */
export type Print = (text: string) => Promise<void>;

function checkDocument(check: ReportedCheck): object {
  const { profile, line, method, url, credential, attempts, durationMs, outcome, clock, findings } = check;
  return {
    profile,
    line,
    method,
    outcome: outcome.kind,
    request: { url, credential, attempts, durationMs },
    response: responseOf(outcome),
    failure: failureOf(check),
    clock,
    findings,
  };
}

const indented = (json: string, columns: number): string => json.replaceAll("\n", `\n${" ".repeat(columns)}`);

const head = '{\n  "schemaVersion": 1,\n  "checks": [';

type DocumentEnd = Pick<RunEnd, "exitCode" | "linesRead" | "error"> & { readonly left: readonly unknown[] };

function tail({ exitCode, left, linesRead, error }: DocumentEnd): string {
  const rest = { ok: exitCode === 0, exitCode, notChecked: left.length, linesRead, error };
  return `],${asciiJson(rest).slice(1)}\n`;
}

/** The document of `--json` for a run that ended before its checks, with a line end. */
export function jsonOfError(error: RunError): string {
  return head + tail({ exitCode: error.code, left: [], linesRead: null, error });
}

/**
 * Writes the document of `--json`: the same shape for success and failure. Checks are written as they finish, so the fields
 * that are known only at the end of the run come last.
 */
export function jsonWriter(print: Print): ReportWriter {
  let count = 0;
  return {
    add: (check) => {
      const before = count === 0 ? head : ",";
      count += 1;
      return print(`${before}\n    ${indented(asciiJson(checkDocument(check)), 4)}`);
    },
    finish: (end) => print((count === 0 ? head : "\n  ") + tail(end)),
  };
}

/** Writes `--ndjson`: one line for each check as soon as it is finished. */
export function ndjsonWriter(print: Print): ReportWriter {
  return {
    add: (check) => print(`${asciiJson(checkDocument(check), 0)}\n`),
    finish: async () => {},
  };
}
