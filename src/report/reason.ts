// What of a result a report chooses to say: the first reason, the advice, the server's words, the last request.

import { type ApiResponse, outcomes, responseOf } from "../check/outcome.ts";
import type { Finding } from "../check/result.ts";
import { cut } from "../redaction/cut.ts";
import type { AccountResult } from "./report.ts";

const repeating: ReadonlySet<string> = new Set(Object.values(outcomes).map(({ finding }) => finding ?? ""));

/** Whether a finding says no more than the outcome. */
export const repeatsOutcome = ({ id }: Finding): boolean => repeating.has(id);

/** Whether a finding says no more than the headline. */
export function repeatsHeadline(finding: Finding, headline: string): boolean {
  return repeatsOutcome(finding) || headline.includes(finding.message);
}

/** What to do first after a failed check; empty if nothing is known. The first finding is the surest. */
export const firstAdvice = ({ findings: [first] }: Pick<AccountResult, "findings">): string =>
  first?.fix ?? "";

/** The most characters of a quote that stands in one line. */
export const longestInLine = 80;

/** What happened and what the response says, where only one line is shown: `the API refused this credential: "Your account is suspended"`. */
export function headlineWithQuote({
  headline,
  outcome,
}: Pick<AccountResult, "headline" | "outcome">): string {
  const message = outcome.kind === "accepted" ? null : responseOf(outcome)?.message;
  return message ? `${headline}: "${cut(message, longestInLine)}"` : headline;
}

/** What a response says, part by part, with the name of each. */
export function quotesIn(
  response: ApiResponse | null,
): ReadonlyArray<readonly [name: string, quote: string]> {
  if (response === null) return [];
  const { message, location, challenges, reason, server, via } = response;
  const quotes: ReadonlyArray<readonly [string, string | null]> = [
    ["message", message],
    ["location", location],
    ...challenges.map((one) => ["challenge", one] as const),
    ["reason", reason],
    ["server", server],
    ["via", via],
  ];
  return quotes.flatMap(([name, quote]) => (quote === null ? [] : [[name, quote] as const]));
}

/** The first finding that says more than the headline, with how sure it is; empty if there is none. */
export function explanationOf(check: Pick<AccountResult, "findings" | "headline">): string {
  const first = check.findings.find((finding) => !repeatsHeadline(finding, check.headline));
  return first === undefined ? "" : `${first.certainty}: ${first.message}`;
}
