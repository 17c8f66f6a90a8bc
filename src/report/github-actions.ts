import { escapeText } from "../redaction/escape.ts";
import { adviceOf, explanationOf } from "./reason.ts";
import { type AccountResult, shownAccount } from "./report.ts";

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

// GitHub shows only ten annotations of a step.
const mostAnnotations = 10;

/** The annotations of a run: one for each of the first ten failed checks, and one that counts the rest. */
export class Annotations {
  readonly #shown: string[] = [];
  #failed = 0;

  /** Notes a check that was not accepted. */
  add(check: AccountResult): void {
    this.#failed += 1;
    if (this.#failed > mostAnnotations) return;
    const title = ["referral-auth", shownAccount(check), check.method]
      .filter((part) => part !== null)
      .join(" ");
    const [advice = ""] = adviceOf(check);
    const parts = [check.headline, explanationOf(check), advice && `try: ${advice}`];
    this.#shown.push(errorAnnotation(title, parts.filter((part) => part !== "").join("; ")));
  }

  text(): string {
    const more = this.#failed - this.#shown.length;
    const rest = more > 0 ? errorAnnotation("referral-auth", `${more} more checks failed`) : "";
    return this.#shown.join("") + rest;
  }
}
