import { explain } from "../explanation/explain.ts";
import type { Finding, Outcome } from "../outcome.ts";
import { answerRules } from "./answer.ts";
import { clockRules } from "./clock.ts";
import { credentialRules } from "./credential-shape.ts";
import type { Evidence, Rule } from "./evidence.ts";
import { pasteRules } from "./paste.ts";
import { remarkRules } from "./remarks.ts";
import { transportRules } from "./transport.ts";

/** All rules but those of remarks. Of those that one exchange can meet: what was measured, then what is possible. */
const rules: readonly Rule[] = [
  ...clockRules,
  ...transportRules,
  ...pasteRules,
  ...credentialRules,
  ...answerRules,
];

// Every failed check has a finding: the outcome itself, if nothing explains it.
function unexplained(outcome: Outcome): readonly Finding[] {
  if (outcome.kind === "accepted" || outcome.kind === "not-checked" || outcome.kind === "failed") return [];
  const { headline, next } = explain(outcome);
  return [{ id: outcome.kind, certainty: "measured", message: headline, fix: next }];
}

/** The findings of one check, ranked, behind those of a diagnosis. Pure. */
export function findingsOf(evidence: Evidence, diagnosed: readonly Finding[] = []): readonly Finding[] {
  const drawn = (some: readonly Rule[]): readonly Finding[] => some.flatMap((rule) => rule(evidence) ?? []);
  const found = [...diagnosed, ...drawn(rules)];
  return [...(found.length === 0 ? unexplained(evidence.outcome) : found), ...drawn(remarkRules)];
}
