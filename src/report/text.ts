import { answerOf, type CheckResult, type Outcome } from "../check/outcome.ts";
import { escapeText } from "./escape.ts";
import type { Paint } from "./paint.ts";
import { explain } from "./sentences.ts";

// Rules of this file: the verdict first, then what was asked and answered, then findings by certainty, then what to do.
// Everything passes `escapeText` here, whoever wrote it. A line is at most 80 columns where words allow it.

const width = 80;
const labelWidth = 10;
const indent = 2;

function wrap(text: string, room: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

function row(label: string, text: string, paint: Paint): string {
  const hanging = `\n${" ".repeat(indent + labelWidth)}`;
  const lines = wrap(escapeText(text, 1_000), width - indent - labelWidth);
  return `${" ".repeat(indent)}${paint.label(label.padEnd(labelWidth))}${lines.join(hanging)}\n`;
}

function paintedVerdict(outcome: Outcome, paint: Paint): string {
  switch (outcome.kind) {
    case "accepted":
      return paint.good("accepted");
    case "rejected":
      return paint.bad("REJECTED");
    case "unavailable":
    case "unexpected":
    case "unreachable":
    case "timeout":
    case "not-checked":
      return paint.warn(outcome.kind.toUpperCase());
  }
}

function answerLine({ outcome, durationMs }: CheckResult): string | null {
  const answer = answerOf(outcome);
  if (answer === null) return null;
  const code = answer.code === null || answer.code === answer.status ? "" : `, code ${answer.code}`;
  return `HTTP ${answer.status}, ${answer.contentType ?? "no content type"}${code}, in ${durationMs} ms`;
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
  const name =
    result.profile === null ? result.method : `${result.method} of ${escapeText(result.profile, 60)}`;
  const answer = answerLine(result);
  const message = answerOf(outcome)?.message ?? null;
  const verdict = `${paintedVerdict(outcome, paint)}  ${name}: ${escapeText(headline, 1_000)}\n`;
  if (several && outcome.kind === "accepted") return verdict;
  const facts = [
    verdict,
    result.url === null ? "" : row("request", `GET ${result.url}`, paint),
    answer === null ? "" : row("answer", answer, paint),
    message === null ? "" : `  ${paint.label("message".padEnd(labelWidth))}${escapeText(message)}\n`,
  ];
  // What is proved needs no second advice.
  const proved = findings.filter(({ certainty }) => certainty === "proved");
  const fixes = (proved.length > 0 ? proved : findings).map(({ fix }) => fix);
  const [advice = "", ...more] = [...new Set([...fixes, next])]
    .filter((text) => text !== "")
    .map((text) => row("try", text, paint));
  const room = mostLines - [...facts, advice].join("").split("\n").length + 1;
  const shown = fitting(
    findings.map((finding) => row(finding.certainty, finding.message, paint)),
    room,
  );
  const rest =
    proved.length > 0 ? [] : fitting(more.slice(0, 1), room - (shown.join("").split("\n").length - 1));
  return [...facts, ...shown, advice, ...rest].join("");
}
