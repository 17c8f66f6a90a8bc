import {
  type Certainty,
  type CheckResult,
  type Finding,
  type Outcome,
  responseOf,
} from "../check/outcome.ts";
import { explain } from "../check/sentences.ts";
import { escapeText } from "./escape.ts";
import { labelWidth, row } from "./layout.ts";
import type { Paint } from "./paint.ts";

// Rules of this file: the verdict first, then what was asked and answered, then findings by certainty, then what to do.
// Everything passes `escapeText` here, whoever wrote it. A line is at most 80 columns where words allow it.

function paintedVerdict(outcome: Outcome, paint: Paint): string {
  switch (outcome.kind) {
    case "accepted":
      return paint.good("accepted");
    case "rejected":
    case "failed":
      return paint.bad(outcome.kind.toUpperCase());
    case "unavailable":
    case "unexpected":
    case "unreachable":
    case "timeout":
    case "not-checked":
      return paint.warn(outcome.kind.toUpperCase());
  }
}

function answerLine({ outcome, durationMs }: CheckResult): string | null {
  const answer = responseOf(outcome);
  if (answer === null) return null;
  const code = answer.code === null || answer.code === answer.status ? "" : `, code ${answer.code}`;
  return `HTTP ${answer.status}, ${answer.contentType ?? "no content type"}${code}, in ${durationMs} ms`;
}

// What is proved needs no second advice, and what is measured none that is general.
function adviceFor(findings: readonly Finding[], next: string): readonly string[] {
  const of = (wanted: Certainty): readonly string[] =>
    findings.filter(({ certainty }) => certainty === wanted).map(({ fix }) => fix);
  const [proved, measured, possible] = [of("proved"), of("measured"), of("possible")];
  const advice =
    proved.length > 0 ? proved : measured.length > 0 ? [...measured, ...possible] : [...possible, next];
  return [...new Set(advice)].filter((text) => text !== "");
}

const mostLines = 11;

/** The rows that fit, whole ones only. */
function fitting(rows: readonly string[], lines: number): readonly string[] {
  let left = lines;
  return rows.filter((text) => {
    left -= text.split("\n").length - 1;
    return left >= 0;
  });
}

/**
 * One check as text, ending in a line end; fewer than 12 lines, of the findings those that say most. As one of `several`
 * an accepted check is its verdict alone.
 */
export function checkReport(result: CheckResult, paint: Paint, several = false): string {
  const { outcome, findings } = result;
  const { headline, next } = explain(outcome);
  const what = result.method ?? "settings";
  const name = result.profile === null ? what : `${what} of ${escapeText(result.profile, 60)}`;
  const answer = answerLine(result);
  const message = responseOf(outcome)?.message ?? null;
  const verdict = `${paintedVerdict(outcome, paint)}  ${name}: ${escapeText(headline, 1_000)}\n`;
  if (several && outcome.kind === "accepted") return verdict;
  const facts = [
    verdict,
    result.url === null ? "" : row("request", `GET ${result.url}`, paint),
    result.credential === null ? "" : row("with", result.credential, paint),
    answer === null ? "" : row("answer", answer, paint),
    message === null ? "" : `  ${paint.label("message".padEnd(labelWidth))}${escapeText(message)}\n`,
  ];
  const [advice = "", ...more] = adviceFor(findings, next).map((text) => row("try", text, paint));
  const room = mostLines - [...facts, advice].join("").split("\n").length + 1;
  const shown = fitting(
    findings
      .filter(({ message }) => message !== headline)
      .map((finding) => row(finding.certainty, finding.message, paint)),
    room,
  );
  const rest = fitting(more.slice(0, 1), room - (shown.join("").split("\n").length - 1));
  return [...facts, ...shown, advice, ...rest].join("");
}
