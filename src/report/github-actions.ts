import { escapeText } from "./escape.ts";

/** Whether the program runs in a job of GitHub Actions, by the variable that its runner sets. */
export function isGitHubActions(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment.GITHUB_ACTIONS === "true";
}

/**
 * A workflow command that shows an error beside the job. Text is made printable first, then escaped as
 * the runner unescapes it: `%` here, and `:` and `,` too within a property.
 */
export function errorAnnotation(title: string, message: string): string {
  const data = (text: string): string => escapeText(text).replaceAll("%", "%25");
  const property = data(title).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return `::error title=${property}::${data(message)}\n`;
}
