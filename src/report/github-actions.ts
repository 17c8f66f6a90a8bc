// Annotations for GitHub Actions, ten at most, escaped.

import { escapeText } from "../redaction/escape.ts";
import { explanationOf, firstAdvice, headlineWithQuote } from "./reason.ts";
import { type AccountResult, shownAccount } from "./report.ts";

/** Whether the program runs in a job of GitHub Actions: its runner sets this variable. */
export function isGitHubActions(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment.GITHUB_ACTIONS === "true";
}

/** A workflow command that shows an error beside the job. The runner unescapes `%`, and in the title also `:` and `,`. */
export function errorAnnotation(title: string, message: string): string {
  const data = (text: string): string => escapeText(text).replaceAll("%", "%25");
  const property = data(title).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return `::error title=${property}::${data(message)}\n`;
}

// GitHub shows only ten annotations of a step.
const mostAnnotations = 10;

/** The annotations of a run: one for each failed check. If there are too many, the last one counts the rest. */
export class Annotations {
  readonly #first: string[] = [];
  #failed = 0;

  /** Notes a check that was not accepted. */
  add(check: AccountResult): void {
    this.#failed += 1;
    if (this.#failed > mostAnnotations) return;
    const title = ["referral-auth", shownAccount(check), check.method].filter(Boolean).join(" ");
    const advice = firstAdvice(check);
    const parts = [headlineWithQuote(check), explanationOf(check), advice && `try: ${advice}`];
    this.#first.push(errorAnnotation(title, parts.filter((part) => part !== "").join("; ")));
  }

  /** All annotations. What the run did not check (`partial`, or null) gets one of its own. */
  text(partial: string | null): string {
    const room = mostAnnotations - (partial === null ? 0 : 1);
    const shown = this.#failed <= room ? room : room - 1;
    const more = this.#failed - Math.min(this.#failed, shown);
    const ends = [more > 0 ? `${more} more checks failed` : null, partial].filter((text) => text !== null);
    return (
      this.#first.slice(0, shown).join("") +
      ends.map((text) => errorAnnotation("referral-auth", text)).join("")
    );
  }
}
