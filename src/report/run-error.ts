import type { Context } from "../system/context.ts";
import { escapeText } from "./escape.ts";
import { errorAnnotation, isGitHubActions } from "./github-actions.ts";
import { jsonReport, type RunError } from "./json.ts";
import { row } from "./layout.ts";
import { plainPaint } from "./paint.ts";

/** Whether `--json` was asked for, whatever else the command line says: usage errors are reported in it too. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end < 0 ? args : args.slice(0, end)).includes("--json");
}

/** Reports why a run ended with code 1, 2 or 3: two lines on standard error, and the document where JSON was asked for. */
export async function reportRunError(error: RunError, context: Context): Promise<void> {
  const hint = row("try", error.hint, plainPaint);
  await context.stderr.write(`Error: ${escapeText(error.message, 1_000)}\n${hint}`);
  if (wantsJson(context.args))
    return context.stdout.write(jsonReport(error.code, { results: [], left: [] }, error));
  if (isGitHubActions(context.environment)) {
    await context.stderr.write(errorAnnotation("referral-auth", error.message));
  }
}
