import type { Context } from "../system/context.ts";
import { row, wrapped } from "./escape.ts";
import { errorAnnotation, isGitHubActions } from "./github-actions.ts";
import { jsonOfError } from "./json.ts";
import { columnsOf, plainPaint } from "./paint.ts";
import type { RunError } from "./report.ts";

/** Whether the command line contains `--json`. A usage error is reported as JSON too, so this does not use the parser. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end < 0 ? args : args.slice(0, end)).includes("--json");
}

/** Writes an error to standard error: what happened, and what to do next. */
export async function writeRunError(error: RunError, { stderr }: Pick<Context, "stderr">): Promise<void> {
  const paint = plainPaint(columnsOf(stderr));
  await stderr.write(`Error: ${wrapped(error.message, paint)}\n${row("try", error.hint, paint)}`);
}

/** Reports why a run ended with code 1, 2 or 3: on standard error, and as a document if `--json` is given. */
export async function reportRunError(error: RunError, context: Context): Promise<void> {
  await writeRunError(error, context);
  if (wantsJson(context.args)) return context.stdout.write(jsonOfError(error));
  if (isGitHubActions(context.environment)) {
    await context.stderr.write(errorAnnotation("referral-auth", `${error.message}; try: ${error.hint}`));
  }
}
