import { explain } from "../check/explanation/explain.ts";
import { type CheckResult, type Finding, type Outcome, responseOf } from "../check/outcome.ts";
import { escapeText } from "./escape.ts";
import { row, textColumn, wrapped } from "./layout.ts";
import type { Paint } from "./paint.ts";
import { adviceOf } from "./reason.ts";

// Order of a report: verdict, request and response, findings by certainty, next step. Every text is escaped here.

const colours = {
  accepted: "good",
  rejected: "bad",
  failed: "bad",
  unavailable: "warn",
  unexpected: "warn",
  unreachable: "warn",
  timeout: "warn",
  "not-checked": "warn",
} as const satisfies Record<Outcome["kind"], keyof Paint>;

/** The first line of a report: which check it was, its outcome and what that means. It can be wrapped. */
export function verdictOf({ outcome, method, profile }: CheckResult, paint: Paint): string {
  const { kind } = outcome;
  const check = method ?? "settings";
  const name = profile === null ? check : `${check} of ${escapeText(profile, 60)}`;
  const label = kind === "accepted" ? kind : kind.toUpperCase();
  const sentence = `${name}: ${explain(outcome).headline}`;
  return `${paint[colours[kind]](label)}${" ".repeat(textColumn - label.length)}${wrapped(sentence, paint)}\n`;
}

function responseLine({ outcome, durationMs }: CheckResult): string | null {
  const response = responseOf(outcome);
  if (response === null) return null;
  const code = response.code === null || response.code === response.status ? "" : `, code ${response.code}`;
  return `HTTP ${response.status}, ${response.contentType ?? "no content type"}${code}, in ${durationMs} ms`;
}

const mostLines = 11;

const linesOf = (text: string): number => text.split("\n").length - 1;

/** The rows that fit into this many lines. */
function fitting(rows: readonly string[], lines: number): readonly string[] {
  let left = lines;
  return rows.filter((text) => {
    left -= linesOf(text);
    return left >= 0;
  });
}

// Remarks that name no problem. They are shown only with --verbose, beside the exchange.
const shownByVerbose: ReadonlySet<Finding["id"]> = new Set(["unusual-headers"]);

/** One check as text, ending in a line end. It has fewer than 12 lines; if not all findings fit, the first ones are shown. */
export function checkReport(result: CheckResult, paint: Paint, verbose = false): string {
  const { outcome } = result;
  const { headline } = explain(outcome);
  const response = responseLine(result);
  const message = responseOf(outcome)?.message ?? null;
  const facts = [
    verdictOf(result, paint),
    result.url === null ? "" : row("request", `GET ${result.url}`, paint),
    result.credential === null ? "" : row("with", result.credential, paint),
    response === null ? "" : row("response", response, paint),
    message === null ? "" : row("message", escapeText(message), paint),
  ];
  const findings = result.findings.filter(({ id }) => verbose || !shownByVerbose.has(id));
  const [advice = "", ...more] = adviceOf({ outcome, findings }).map((text) => row("try", text, paint));
  const room = mostLines - linesOf([...facts, advice].join(""));
  const shown = fitting(
    findings
      .filter(({ message }) => message !== headline)
      .map((finding) => row(finding.certainty, finding.message, paint)),
    room,
  );
  const rest = fitting(more.slice(0, 1), room - linesOf(shown.join("")));
  return [...facts, ...shown, advice, ...rest].join("");
}
