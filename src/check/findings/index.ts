import type { Finding } from "../outcome.ts";
import { answerRules } from "./answer.ts";
import { clockRules } from "./clock.ts";
import { credentialRules } from "./credential-shape.ts";
import type { Evidence, Rule } from "./evidence.ts";
import { remarkRules } from "./remarks.ts";
import { transportRules } from "./transport.ts";

/** All rules. Of those that one exchange can meet: what was measured, then what is possible, then remarks. */
const rules: readonly Rule[] = [
  ...clockRules,
  ...transportRules,
  ...credentialRules,
  ...answerRules,
  ...remarkRules,
];

/** The findings of one exchange, ranked. Pure. */
export function findingsOf(evidence: Evidence): readonly Finding[] {
  return rules.flatMap((rule) => rule(evidence) ?? []);
}
