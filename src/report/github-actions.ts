import { escapeText } from "./escape.ts";

/** Whether the program runs in a job of GitHub Actions: its runner sets this variable. */
export function isGitHubActions(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment.GITHUB_ACTIONS === "true";
}

/**
 * A workflow command that shows an error beside the job. It escapes control characters, then what the runner unescapes:
 * `%`, and in the title also `:` and `,`.
 */
export function errorAnnotation(title: string, message: string): string {
  const data = (text: string): string => escapeText(text).replaceAll("%", "%25");
  const property = data(title).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return `::error title=${property}::${data(message)}\n`;
}
