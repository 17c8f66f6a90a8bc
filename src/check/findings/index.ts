import { explain } from "../explanation/explain.ts";
import type { Finding, Outcome } from "../outcome.ts";
import { clockRules } from "./clock.ts";
import { credentialRules } from "./credential-shape.ts";
import type { Evidence, Rule } from "./evidence.ts";
import { pasteRules } from "./paste.ts";
import { remarkRules } from "./remarks.ts";
import { responseRules } from "./response.ts";
import { transportRules } from "./transport.ts";

/** All rules except remarks. Among the findings of one exchange, measured ones come before possible ones. */
const rules: readonly Rule[] = [
  ...clockRules,
  ...transportRules,
  ...pasteRules,
  ...credentialRules,
  ...responseRules,
];

// Every failed check has a finding. If nothing explains the outcome, it is the outcome itself.
function unexplained(outcome: Outcome): readonly Finding[] {
  if (outcome.kind === "accepted" || outcome.kind === "not-checked" || outcome.kind === "failed") return [];
  const { headline, next } = explain(outcome);
  return [{ id: outcome.kind, certainty: "measured", message: headline, fix: next }];
}

/** The findings of one check: those of a diagnosis, then those of the rules, then remarks. Pure. */
export function findingsOf(evidence: Evidence, diagnosed: readonly Finding[] = []): readonly Finding[] {
  const drawn = (some: readonly Rule[]): readonly Finding[] =>
    some.map((rule) => rule(evidence)).filter((finding) => finding !== null);
  const found = [...diagnosed, ...drawn(rules)];
  return [...(found.length === 0 ? unexplained(evidence.outcome) : found), ...drawn(remarkRules)];
}
