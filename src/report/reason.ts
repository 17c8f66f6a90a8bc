// What of a result a report chooses to say: the first reason, the advice, the server's words, the last request.

import { outcomes } from "../check/outcome.ts";
import type { Finding } from "../check/result.ts";
import { cut } from "../redaction/cut.ts";
import type { ResultRow } from "./report.ts";

const repeating: ReadonlySet<string> = new Set(Object.values(outcomes).map(({ finding }) => finding ?? ""));

/** Whether a finding says no more than the outcome. */
export const repeatsOutcome = ({ id }: Finding): boolean => repeating.has(id);

/** Whether a finding says no more than the headline. */
export function repeatsHeadline(finding: Finding, headline: string): boolean {
  return repeatsOutcome(finding) || headline.includes(finding.message);
}

/** What to do first after a failed check; empty if nothing is known. The first finding is the surest. */
export const firstAdvice = ({ findings: [first] }: Pick<ResultRow, "findings">): string => first?.fix ?? "";

// A server's sentence is short. The text report shows all of a longer one.
const mostWords = 200;

/** What the server says, as a part of a sentence; empty if it says nothing or answers with a page, whose title is a finding. */
export function serverSays({ outcome: { response } }: Pick<ResultRow, "outcome">): string {
  if (!response?.message || /html/.test(response.contentType ?? "")) return "";
  return `the server says "${cut(response.message, mostWords + 1)}"`;
}

/** The first finding that says more than the headline, with how sure it is, and the server's words. Empty if there is neither. */
export function explanationOf(check: Pick<ResultRow, "findings" | "outcome" | "headline">): string {
  const first = check.findings.find((finding) => !repeatsHeadline(finding, check.headline));
  const reason = first === undefined ? "" : `${first.certainty}: ${first.message}`;
  return [reason, serverSays(check)].filter((part) => part !== "").join("; ");
}

/** Which request a failed check made last, as its server's operator looks for it; empty if it made none. */
export function lastRequest({
  attempts,
  checkedAt,
  outcome,
}: Pick<ResultRow, "attempts" | "checkedAt" | "outcome">): string {
  if (attempts === 0 || outcome.kind === "accepted") return "";
  const id = outcome.response?.requestId ?? null;
  return id === null ? checkedAt : `${checkedAt}, request id ${id}`;
}
