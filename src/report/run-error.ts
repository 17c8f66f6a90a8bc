import type { Context } from "../system/context.ts";
import { row, wrapped } from "./escape.ts";
import { errorAnnotation, isGitHubActions } from "./github-actions.ts";
import { jsonLineOfError, jsonOfError } from "./json.ts";
import { columnsOf, paintOf } from "./paint.ts";
import type { RunError } from "./report.ts";

/** The options of `emulator` that take no value. */
const switches = /^--(?:json|strict|explain|control)$/;

/**
 * Whether the command line contains `--json`. A usage error is reported as JSON too, so this does not use the parser. The first
 * word of `emulator` that is neither an option nor the value of one begins the command that it runs, whose `--json` is its own.
 */
function wantsJson([command, ...words]: readonly string[]): boolean {
  const takesValue = (word = ""): boolean => /^--[^=]+$/.test(word) && !switches.test(word);
  const end = words.findIndex(
    (word, index) =>
      word === "--" || (command === "emulator" && !word.startsWith("-") && !takesValue(words[index - 1])),
  );
  return words.slice(0, end < 0 ? words.length : end).includes("--json");
}

/** Writes an error to standard error: what happened, and what to do next. */
export async function writeRunError(error: RunError, { stderr }: Pick<Context, "stderr">): Promise<void> {
  const paint = await paintOf(false, columnsOf(stderr));
  await stderr.write(`Error: ${wrapped(error.message, paint)}\n${row("try", error.hint, paint)}`);
}

/** Reports why a run ended with code 1, 2 or 3: on standard error, and as a document if `--json` is given. */
export async function reportRunError(error: RunError, context: Context): Promise<void> {
  await writeRunError(error, context);
  if (wantsJson(context.args)) {
    const isLine = context.args[0] === "emulator";
    return context.stdout.write(isLine ? jsonLineOfError(error) : jsonOfError(error));
  }
  if (isGitHubActions(context.environment))
    await context.stderr.write(errorAnnotation("referral-auth", `${error.message}; try: ${error.hint}`));
}
