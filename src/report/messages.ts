// Warnings and errors on standard error. Every text is escaped here.

import type { Context } from "../system/context.ts";
import type { Output } from "../system/streams.ts";
import { errorAnnotation, isGitHubActions } from "./github-actions.ts";
import { jsonOfError } from "./json.ts";
import { row, wrapped } from "./layout.ts";
import { columnsOf, paintOf } from "./paint.ts";
import type { RunError } from "./report.ts";

/** Writes a message as a line of this stream, escaped and wrapped. */
export function writeLine(text: string, stream: Output): Promise<void> {
  return stream.write(`${wrapped(text, { columns: columnsOf(stream) }, 2)}\n`);
}

/** Makes the function that writes a warning as a line of standard error, escaped and wrapped. */
export const warnOn =
  ({ stderr }: Pick<Context, "stderr">) =>
  (text: string): Promise<void> =>
    writeLine(`Warning: ${text}`, stderr);

/** Writes an error to standard error: what happened, what to do next, and commands that do it. */
export async function writeRunError(
  error: RunError,
  { stderr }: Pick<Context, "stderr">,
  commands: readonly string[] = [],
): Promise<void> {
  const paint = await paintOf(false, columnsOf(stderr));
  // A command that is broken into lines could not be copied.
  const copied = commands.map((command) => row("", command, { ...paint, columns: Number.POSITIVE_INFINITY }));
  const text = `Error: ${wrapped(error.message, paint)}\n${row("try", error.hint, paint)}`;
  await stderr.write(text + copied.join(""));
}

/** Reports why a run ended with code 1, 2 or 3, on standard error; if `json` names the command with `--json`, also as its document. */
export async function reportRunError(
  error: RunError,
  context: Context,
  json: string | null,
  commands: readonly string[] = [],
): Promise<void> {
  await writeRunError(error, context, commands);
  if (json !== null) return context.stdout.write(jsonOfError(error, json));
  if (isGitHubActions(context.environment))
    await context.stderr.write(errorAnnotation("referral-auth", `${error.message}; try: ${error.hint}`));
}
