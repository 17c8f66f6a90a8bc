import { type CheckResult, type Finding, headlineIds } from "../check/outcome.ts";

/** The ids of findings that say only what the headline says. */
const repeating: ReadonlySet<string> = new Set(Object.values(headlineIds));

/** Whether a finding says no more than the headline. */
export function repeatsHeadline({ id }: Finding): boolean {
  return repeating.has(id);
}

/** What to do after a check, the best advice first; empty for an accepted one. If something is proved, only its fix counts. */
export function adviceOf({ findings }: Pick<CheckResult, "findings">): readonly string[] {
  const proved = findings.filter(({ certainty }) => certainty === "proved");
  const isGeneral = (finding: Finding) => repeatsHeadline(finding) || finding.id === "not-diagnosed";
  const special = findings.filter((finding) => !isGeneral(finding));
  const best = proved.length > 0 ? proved : [...special, ...findings.filter(isGeneral)];
  return [...new Set(best.map(({ fix }) => fix))];
}

/** The first finding that says more than the headline, with how sure it is: `possible: …`. Empty if there is none. */
export function reasonOf({ findings }: Pick<CheckResult, "findings">): string {
  const first = findings.find((finding) => !repeatsHeadline(finding));
  return first === undefined ? "" : `${first.certainty}: ${first.message}`;
}
