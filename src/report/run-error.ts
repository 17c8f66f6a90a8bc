import type { Context } from "../system/context.ts";
import { escapeText } from "./escape.ts";
import { errorAnnotation, isGitHubActions } from "./github-actions.ts";
import { jsonReport, type RunError } from "./json.ts";
import { columnsOf, row } from "./layout.ts";
import { plainPaint } from "./paint.ts";

/** Whether the command line contains `--json`. A usage error is reported as JSON too, so this does not use the parser. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end < 0 ? args : args.slice(0, end)).includes("--json");
}

/** Reports why a run ended with code 1, 2 or 3: message and hint on standard error, with `--json` also the document. */
export async function reportRunError(error: RunError, context: Context): Promise<void> {
  const hint = row("try", error.hint, plainPaint(columnsOf(context.stderr)));
  await context.stderr.write(`Error: ${escapeText(error.message, 1_000)}\n${hint}`);
  if (wantsJson(context.args))
    return context.stdout.write(jsonReport(error.code, { results: [], left: [] }, error));
  if (isGitHubActions(context.environment)) {
    await context.stderr.write(errorAnnotation("referral-auth", error.message));
  }
}
