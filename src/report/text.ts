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

/** One check as text, ending in a line end; fewer than 12 lines. */
export function checkReport(result: CheckResult, paint: Paint): string {
  const { outcome, findings } = result;
  const { headline, next } = explain(outcome);
  const name =
    result.profile === null ? result.method : `${result.method} of ${escapeText(result.profile, 60)}`;
  const answer = answerLine(result);
  const message = answerOf(outcome)?.message ?? null;
  const fixes = [...new Set(findings.map(({ fix }) => fix))];
  const advice = fixes.length > 0 ? fixes : [next].filter((text) => text !== "");
  return [
    `${paintedVerdict(outcome, paint)}  ${name}: ${escapeText(headline, 1_000)}\n`,
    result.url === null ? "" : row("request", `GET ${result.url}`, paint),
    answer === null ? "" : row("answer", answer, paint),
    message === null ? "" : `  ${paint.label("message".padEnd(labelWidth))}${escapeText(message)}\n`,
    ...findings.map((finding) => row(finding.certainty, finding.message, paint)),
    ...advice.slice(0, 3).map((fix) => row("try", fix, paint)),
  ].join("");
}
