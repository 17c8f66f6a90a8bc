import { explain } from "../check/explanation/explain.ts";
import type { Certainty, CheckResult } from "../check/outcome.ts";

/** What to do after a check, the best advice first; empty for an accepted one. */
export function adviceOf({
  outcome,
  findings,
}: Pick<CheckResult, "outcome" | "findings">): readonly string[] {
  const fixesOf = (wanted: Certainty): readonly string[] =>
    findings.filter(({ certainty }) => certainty === wanted).map(({ fix }) => fix);
  const [proved, measured, possible] = [fixesOf("proved"), fixesOf("measured"), fixesOf("possible")];
  // If something is proved, give only its fix. If something is measured, leave out the general advice.
  const advice =
    proved.length > 0
      ? proved
      : measured.length > 0
        ? [...measured, ...possible]
        : [...possible, explain(outcome).next];
  return [...new Set(advice)].filter((text) => text !== "");
}

/** The first finding that says more than the headline, with how sure it is: `possible: …`. Empty if there is none. */
export function reasonOf({ outcome, findings }: Pick<CheckResult, "outcome" | "findings">): string {
  const { headline } = explain(outcome);
  const found = findings.find(({ message }) => message !== headline);
  return found === undefined ? "" : `${found.certainty}: ${found.message}`;
}
