// The table of causes. A cause is one row, in the file of its topic:
//
// - A row with a headline explains an outcome. It is found by the kind of the outcome (below), of the failure (failure.ts)
//   or of the reason (unexpected.ts), so the compiler names a missing row. Write `{ headline, fix }` if the headline says it
//   all, and `{ headline, id, message, fix }` if there is evidence to add. A fix is a template (settings/fix.ts).
// - A row without a headline is a `Rule`: a further cause beside that one. Write a function that returns `measured(…)`,
//   `possible(…)` or false, and add it to a list here or at the end of its file. `rulesFor` below explain the failure: a measured
//   one replaces the finding of the outcome itself. `remarks` explain nothing.
//
// A row may look at everything in `Evidence`. Add a new id to `RuleId` (result.ts) and to the schema of results, and the cases of
// the row to test/check/causes/cases.ts. The order of findings follows from their certainty: neither rows nor reports decide it.

import type { Fix } from "../../settings/fix.ts";
import { outcomes } from "../outcome.ts";
import { type CheckResult, certainties, type Finding } from "../result.ts";
import { credentialRules } from "./credential-shape.ts";
import type { Cause, Evidence, Rule } from "./evidence.ts";
import { failureCause, timeoutCause, unusedProxy } from "./failure.ts";
import { refusalCause, refusalRules } from "./refusal.ts";
import { clockCause, clockRemark, remarkRules } from "./remarks.ts";
import { gatewayRemark, pageRules, unavailableCause, unavailableRules } from "./response.ts";
import { notFoundPage, unexpectedCause } from "./unexpected.ts";

/** The causes that stand beside the one that gives the headline. */
const rulesFor = (evidence: Evidence): readonly Rule[] => [
  clockCause,
  ...credentialRules(evidence),
  ...unavailableRules,
  ...refusalRules,
  notFoundPage,
];

/** What is worth saying and explains no failure. */
const remarks: readonly Rule[] = [clockRemark, gatewayRemark, unusedProxy, ...remarkRules];

function causeOf(evidence: Evidence): Cause {
  const { outcome } = evidence;
  switch (outcome.kind) {
    case "accepted":
      return { headline: "the API accepted this credential", fix: [] };
    case "rejected":
      return refusalCause(evidence);
    case "unavailable":
      return unavailableCause(outcome);
    case "unexpected":
      return unexpectedCause(outcome, evidence);
    case "unreachable":
      return failureCause(outcome.failure, evidence);
    case "timeout":
      return timeoutCause(outcome, evidence);
    case "not-checked":
    case "failed":
      return { headline: outcome.message, fix: [outcome.hint] };
  }
}

/**
 * Explains a check by its evidence: one sentence without a full stop, and its reasons, the surest first. Both can quote the
 * server. Pure.
 */
export function explain(evidence: Evidence): Pick<CheckResult, "headline" | "findings"> {
  const { diagnosed } = evidence;
  const drawn = (some: readonly Rule[]): readonly Finding<Fix>[] =>
    some.map((rule) => rule(evidence)).filter((finding) => finding !== false && finding !== null);
  const { headline, ...own } = causeOf(evidence);
  // The server's own words about what is wrong say more than what is concluded.
  const said = drawn(pageRules);
  const further = drawn(rulesFor(evidence));
  const isExplained =
    diagnosed.some(({ id }) => id !== "not-diagnosed") ||
    [...said, ...further].some(({ certainty }) => certainty !== "possible");
  // Without evidence of its own, the finding of the outcome says the headline, unless something else explains it.
  const { id = isExplained ? null : outcomes[evidence.outcome.kind].finding } = own;
  const first: readonly Finding<Fix>[] =
    id === null ? [] : [{ certainty: "measured", message: headline, ...own, id }];
  // What a diagnosis ruled out says less than what was measured. A proof comes first all the same.
  const findings = [...said, ...first, ...further, ...drawn(remarks), ...diagnosed];
  return {
    headline,
    findings: certainties
      .flatMap((certainty) => findings.filter((finding) => finding.certainty === certainty))
      .map((finding) => ({ ...finding, fix: evidence.hints.inWords(finding.fix) })),
  };
}
