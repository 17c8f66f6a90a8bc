// Explains a check: one headline, and findings with what to do. A cause is one row, in the file of its topic:
//
// - A row with a headline explains an outcome. It is found by the kind of the outcome (below), of the failure (failure.ts) or of the
//   reason (response.ts), so the compiler names a missing row. With evidence, it has an `id` and a `message` too, and is a finding.
// - A `Rule` reads the evidence and gives a finding or nothing. It asks no other rule, so a test can leave each one out.
//
// Certainty and the order of ids (`inOrder`) decide what stands first. From it come the headline and the first advice.

import type { Fix } from "../../settings/fix.ts";
import type { SettingName } from "../../settings/table.ts";
import { lockAdvice } from "../changes.ts";
import type { Cause, Evidence, Rule } from "../check-context.ts";
import { isJudgement, meanings, outcomes, pauseAskedBy } from "../outcome.ts";
import { type CheckResult, type Finding, inOrder, isExplaining } from "../result.ts";
import { credentialRules } from "./credential-shape.ts";
import { failureCause, timeoutCause } from "./failure.ts";
import { afterDiagnosis, diagnosisRequests, refusalAdvice, refusalRules } from "./refusal.ts";
import { remarkRules } from "./remarks.ts";
import { unavailableCause, unavailableRules, unexpectedCause } from "./response.ts";

function causeOfOutcome(evidence: Evidence): Cause {
  const { outcome } = evidence;
  switch (outcome.kind) {
    case "accepted":
      return { headline: "the API accepted this credential", fix: [] };
    case "rejected":
      return { headline: meanings.rejected, fix: refusalAdvice(evidence) };
    case "unavailable":
      return unavailableCause(outcome, evidence);
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

/** All rules. Their order decides nothing. */
export const allRules: readonly Rule[] = [
  ...credentialRules,
  ...unavailableRules,
  ...refusalRules,
  ...remarkRules,
];

/** The headline and the findings of a check, the surest first, and what to do. All can quote the server. Pure. */
export function explain(
  evidence: Evidence,
  rules = allRules,
): Pick<CheckResult, "headline" | "findings" | "advice" | "alternatives" | "diagnosisRequests"> {
  const { diagnosed, outcome, hints } = evidence;
  const cause = causeOfOutcome(evidence);
  const { headline, certainty = "measured", message = headline, fix } = cause;
  const id = cause.id ?? (diagnosed.some(isExplaining) ? null : outcomes[outcome.kind].finding);
  const all = inOrder([
    ...(id === null ? [] : [{ id, certainty, message, fix }]),
    ...rules.flatMap((rule) => rule(evidence) || []),
    ...diagnosed,
  ]);
  // Nearly every acceptance.
  if (all.length === 0)
    return { headline, findings: [], advice: [], alternatives: [], diagnosisRequests: null };
  // After a lock nothing is advised that makes more attempts.
  const isOver = evidence.exchange.response?.status === 423 || lockDiagnosed(evidence) !== undefined;
  const given = isOver ? afterLock(all, evidence) : all;
  const worded = given.map((one) => [hints.inWords(one.fix), one] as const);
  const [first] = all;
  return Object.assign(adviceOf(worded, evidence), {
    headline: first !== undefined && isTold(first, evidence) ? `${headline}, and ${first.message}` : headline,
    findings: worded.map(([words, { id, certainty, message }]) => ({ id, certainty, message, fix: words })),
    alternatives: afterDiagnosis(evidence),
    diagnosisRequests: isOver ? null : diagnosisRequests(evidence),
  });
}

/** The lock of which a later response told. */
const lockDiagnosed = ({ diagnosed }: Evidence): Finding<Fix> | undefined =>
  diagnosed.find(({ id }) => id === "account-locked");

/** Whether the headline tells this finding: a proof, a token inside the value, or a clock where the Created of WSSE was judged. */
function isTold({ id, certainty }: Finding<Fix>, { outcome, credential }: Evidence): boolean {
  if (certainty !== "measured") return certainty === "proved";
  const isClock = id === "clock-ahead" || id === "clock-behind";
  return id === "token-inside" || (isClock && credential.method === "wsse" && isJudgement(outcome));
}

/** The findings of a lock, with the only advice after it. */
function afterLock(all: readonly Finding<Fix>[], evidence: Evidence): readonly Finding<Fix>[] {
  const fix = lockDiagnosed(evidence)?.fix ?? lockAdvice(pauseAskedBy(evidence.outcome));
  return all
    .filter(({ certainty, id }) => certainty !== "possible" || id === "account-locked")
    .map((finding) => ({ ...finding, fix }));
}

const mostAdvice = 3;

/** What to do: at most three things, of which one is to compare the credential where it may be refused. No place is told twice. */
function adviceOf(
  worded: ReadonlyArray<readonly [words: string, Finding<Fix>]>,
  { outcome, credential, exchange, hints }: Evidence,
): Pick<CheckResult, "advice"> {
  const proved = worded.filter(([, { certainty }]) => certainty === "proved");
  // Words that may tell of a lock change no other advice. Their finding says what to do.
  const rest = exchange.response?.withholds ? worded.filter(([, { id }]) => id !== "account-locked") : worded;
  const said = [...new Map(proved.length > 0 ? proved : rest).values()];
  // What ended a failed exchange comes first, and then what else is set on this machine.
  const isFailure = "failure" in outcome;
  const all = isFailure ? [...said.filter((one) => !isExplaining(one)), ...said.filter(isExplaining)] : said;
  const most = all.slice(0, mostAdvice);
  const comparing = all.find(({ id }) => id === "rejected" || id === "maybe-refused");
  const isLeftOut = comparing !== undefined && !most.includes(comparing);
  const chosen = isLeftOut ? [...most.slice(0, -1), comparing] : most;
  const named: SettingName[] = isJudgement(outcome)
    ? [credential.method === "token" ? "token" : "secret"]
    : [];
  if (isFailure && exchange.trace.connection.proxy !== null) named.push("proxy");
  let advice: readonly string[] | null = null;
  const inWords = (): readonly string[] => {
    const told = new Set(named.map((name) => hints.shortPlaceOf(name)));
    return chosen.map(({ fix }) => hints.inWords(fix, told));
  };
  return {
    // In words when it is read: few reports show it.
    get advice() {
      advice ??= inWords();
      return advice;
    },
  };
}
