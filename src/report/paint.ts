/** Text in the meaning of a report; plain where colour is off. */
export interface Paint {
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  label(text: string): string;
}

const plain = (text: string): string => text;

/** No colour at all. */
export const plainPaint: Paint = { good: plain, bad: plain, warn: plain, label: plain };

/** Whether a stream gets colour: `--no-color`, then NO_COLOR (no-color.org), then FORCE_COLOR, then a terminal decides. */
export function wantsColor(
  isTerminal: boolean,
  allowed: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  if (!allowed || environment.NO_COLOR) return false;
  const forced = environment.FORCE_COLOR;
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return isTerminal && environment.TERM !== "dumb";
}

/** The paint of a stream. chalk is loaded only where there is colour. */
export async function paintOf(color: boolean): Promise<Paint> {
  if (!color) return plainPaint;
  const { Chalk } = await import("chalk");
  const chalk = new Chalk({ level: 1 });
  return { good: chalk.green.bold, bad: chalk.red.bold, warn: chalk.yellow.bold, label: chalk.dim };
}
