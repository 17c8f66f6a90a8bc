// The table of causes. A cause is one row, in the file of its topic:
//
// - A row with a headline explains an outcome. It is found by the kind of the outcome (below), of the failure (failure.ts)
//   or of the reason (unexpected.ts), so the compiler names a missing row. Write `{ headline, fix }` if the headline says it
//   all, and `{ headline, id, message, fix }` if there is evidence to add. A fix is a template (settings/fix.ts).
// - A row without a headline is a `Rule`: a further cause beside that one. Write a function that returns `measured(…)`,
//   `possible(…)` or false, and add it to a list here or at the end of its file. `causeRules` below explain the failure: a measured
//   one replaces the finding of the outcome itself. `remarks` explain nothing.
//
// The order of findings follows from their certainty: neither rows nor reports decide it.

import type { Fix } from "../../settings/fix.ts";
import { lockAdvice } from "../changes.ts";
import { isJudgement, outcomes, pauseAskedBy } from "../outcome.ts";
import {
  type CheckResult,
  certainties,
  type Finding,
  type FindingId,
  measured,
  type TextParts,
} from "../result.ts";
import { credentialRules } from "./credential-shape.ts";
import { type Cause, type Evidence, isLocked, lockDiagnosed, type Rule } from "./evidence.ts";
import { failureCause, settingRules, timeoutCause } from "./failure.ts";
import { afterDiagnosis, diagnosisCost, refusalCause, refusalRules } from "./refusal.ts";
import { clockCause, clockRemark, remarkRules } from "./remarks.ts";
import { unavailableCause, unavailableRules } from "./response.ts";
import { unexpectedCause } from "./unexpected.ts";

/** The causes that stand beside the one that gives the headline. */
const causeRules: readonly Rule[] = [clockCause, ...unavailableRules, ...refusalRules];

/** What is worth saying and explains no failure. */
const remarks: readonly Rule[] = [clockRemark, ...settingRules, ...remarkRules];

function causeOfOutcome(evidence: Evidence): Cause {
  const { outcome } = evidence;
  switch (outcome.kind) {
    case "accepted":
      return { headline: "the API accepted this credential", fix: [] };
    case "rejected":
      return refusalCause(evidence);
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

const explains = ({ id }: Finding<Fix>): boolean => id !== "not-diagnosed";

/**
 * Explains a check by its evidence: one sentence without a full stop, and its reasons, the surest first. Both can quote the
 * server. Pure.
 */
export function explain(evidence: Evidence): Pick<CheckResult, "headline" | "findings" | "text"> {
  const { diagnosed, outcome, exchange } = evidence;
  const drawn = (some: readonly Rule[]): readonly Finding<Fix>[] => {
    const found: Finding<Fix>[] = [];
    for (const rule of some) {
      const one = rule(evidence);
      if (one) found.push(one);
    }
    return found;
  };
  const { headline, id, certainty = "measured", message = headline, fix } = causeOfOutcome(evidence);
  const further = drawn(causeRules);
  // A form explains nothing for certain, so what to compare stands beside it.
  const forms = drawn(credentialRules(evidence));
  const { finding: general } = outcomes[outcome.kind];
  const own = id === undefined ? [] : [{ id, certainty, message, fix }];
  // What a diagnosis ruled out says less than what was measured. A proof comes first all the same.
  const found = [...own, ...forms, ...further, ...drawn(remarks), ...diagnosed.filter(explains)];
  const inOrder = certainties.flatMap((certainty) => found.filter((one) => one.certainty === certainty));
  // Last: a finding that only repeats the outcome, and findings that explain nothing.
  const isRepeated = general !== null && own.length === 0 && !diagnosed.some(explains);
  const repeated = isRepeated ? [measured(general, headline, fix)] : [];
  const all = [...inOrder, ...repeated, ...diagnosed.filter((one) => !explains(one))];
  // After a lock, nothing is advised that makes more attempts.
  const given = isLocked(evidence) ? afterLock(all, evidence) : all;
  const { inWords } = evidence.hints;
  const worded = given.map((one) => [inWords(one.fix), one] as const);
  const mayDiagnose =
    (further.some((one) => one.id === "maybe-refused") || outcome.kind === "rejected") &&
    diagnosed.length === 0 &&
    !isLocked(evidence) &&
    pauseAskedBy(outcome) === null &&
    exchange.response?.withholds !== true;
  const [first] = inOrder;
  const isTold =
    first !== undefined &&
    (first.certainty === "proved" ||
      (headlined.includes(first.id) && [...forms, ...further].includes(first)));
  return {
    headline: isTold ? `${headline}, and ${first.message}` : headline,
    findings: worded.map(([words, one]) => ({ ...one, fix: words })),
    text: textOf(worded, evidence, mayDiagnose),
  };
}

// Whoever reads one line has the cause: what is proved, and these where they are measured and may be the cause.
const headlined: readonly FindingId[] = ["clock-ahead", "clock-behind", "token-inside"];

/** The findings of a lock, with the only advice after it. */
function afterLock(all: readonly Finding<Fix>[], evidence: Evidence): readonly Finding<Fix>[] {
  const fix = lockDiagnosed(evidence)?.fix ?? lockAdvice(pauseAskedBy(evidence.outcome));
  return all
    .filter(({ certainty, id }) => certainty !== "possible" || id === "account-locked")
    .map((finding) => ({ ...finding, fix }));
}

// A reader tries few things at a time.
const mostAdvice = 3;

/** The text report's parts. Advice is put into words when it is printed, and nothing that it needs holds the response. */
function textOf(
  worded: ReadonlyArray<readonly [words: string, Finding<Fix>]>,
  evidence: Evidence,
  mayDiagnose: boolean,
): TextParts {
  const { outcome, credential, exchange, hints } = evidence;
  const proved = worded.filter(([, { certainty }]) => certainty === "proved");
  // Words that withhold requests change nothing else. Their finding says what to do.
  const rest = exchange.response?.withholds ? worded.filter(([, { id }]) => id !== "account-locked") : worded;
  const best = proved.length > 0 ? proved : rest;
  // What the credential's line and the headline say already.
  const told: string[] = [];
  if (isJudgement(outcome)) told.push(hints.shortPlaceOf(credential.method === "token" ? "token" : "secret"));
  if ("failure" in outcome && exchange.trace.connection.proxy !== null)
    told.push(hints.shortPlaceOf("proxy"));
  return {
    get advice() {
      const all = [...new Map(best.map(([words, { fix }]) => [words, fix]))];
      // What to compare is never left out.
      const [compared] = best.find(([, { id }]) => id === "rejected" || id === "maybe-refused") ?? [];
      const at = all.findIndex(([words]) => words === compared);
      const last = at < mostAdvice ? all.slice(mostAdvice - 1, mostAdvice) : all.slice(at, at + 1);
      const said = new Set(told);
      return [...all.slice(0, mostAdvice - 1), ...last].map(([, fix]) => hints.inWords(fix, said));
    },
    or: afterDiagnosis(evidence),
    diagnosis: mayDiagnose ? diagnosisCost(evidence) : null,
  };
}
