import { type CheckResult, type Finding, type Outcome, responseOf } from "../check/outcome.ts";
import { escapeText } from "./escape.ts";
import { row, textColumn, wrapped } from "./layout.ts";
import type { Paint } from "./paint.ts";
import { adviceOf, repeatsHeadline } from "./reason.ts";

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
export function verdictOf({ outcome, headline, method, profile }: CheckResult, paint: Paint): string {
  const { kind } = outcome;
  const account = profile === null ? null : escapeText(profile, 60);
  const name =
    method === null || account === null ? (account ?? method ?? "settings") : `${method} of ${account}`;
  const label = kind === "accepted" ? kind : kind.toUpperCase();
  const sentence = `${name}: ${headline}`;
  return `${paint[colours[kind]](label)}${" ".repeat(textColumn - label.length)}${wrapped(sentence, paint)}\n`;
}

function responseLine({ outcome, durationMs }: CheckResult): string | null {
  const response = responseOf(outcome);
  if (response === null) return null;
  const code = response.code === null || response.code === response.status ? "" : `, code ${response.code}`;
  return `HTTP ${response.status}, ${response.contentType ?? "no content type"}${code}, in ${durationMs} ms`;
}

// Remarks that name no problem. They are shown only with --verbose, beside the exchange.
const shownByVerbose: ReadonlySet<Finding["id"]> = new Set(["unusual-headers"]);

// A reader tries few things at a time.
const mostAdvice = 3;

/** One check as text, ending in a line end. */
export function checkReport(result: CheckResult, paint: Paint, verbose = false): string {
  const response = responseLine(result);
  const said = responseOf(result.outcome)?.message ?? null;
  const findings = result.findings.filter(({ id }) => verbose || !shownByVerbose.has(id));
  return [
    verdictOf(result, paint),
    result.url === null ? "" : row("request", `GET ${result.url}`, paint),
    result.credential === null ? "" : row("with", result.credential, paint),
    response === null ? "" : row("response", response, paint),
    said === null ? "" : row("message", escapeText(said), paint),
    ...findings
      .filter((finding) => !repeatsHeadline(finding))
      .map(({ certainty, message }) => row(certainty, message, paint)),
    ...adviceOf({ findings })
      .slice(0, mostAdvice)
      .map((text) => row("try", text, paint)),
  ].join("");
}
