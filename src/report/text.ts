import { type ApiResponse, outcomes, responseOf } from "../check/outcome.ts";
import type { CheckResult } from "../check/result.ts";
import { escapeText } from "../redaction/escape.ts";
import { shownHost } from "../system/addresses.ts";
import { FailureGroups } from "./failure-groups.ts";
import { Annotations, errorAnnotation } from "./github-actions.ts";
import { row, textColumn, wrapped } from "./layout.ts";
import type { Paint } from "./paint.ts";
import { adviceOf, lastRequest, repeatsHeadline } from "./reason.ts";
import { type AccountResult, countOutcomes, isPartial, type PrintedReport, shownAccount } from "./report.ts";

// The text report. One check is told in this order: verdict, request and response, findings by certainty, what to try. Every text
// is escaped here, by `row`, `wrapped` or `escapeText`.

/** The first line of a report: which check it was, its outcome and what that means. It can be wrapped. */
function verdictOf({ outcome, headline, method, profile }: CheckResult, paint: Paint): string {
  const { kind } = outcome;
  const account = profile === null ? null : escapeText(profile, 60);
  const name =
    method === null || account === null ? (account ?? method ?? "settings") : `${method} of ${account}`;
  const label = kind === "accepted" ? kind : kind.toUpperCase();
  const sentence = `${name}: ${headline}`;
  return `${paint[outcomes[kind].tone](label)}${" ".repeat(textColumn - label.length)}${wrapped(sentence, paint)}\n`;
}

function responseLine({ status, contentType, code }: ApiResponse, durationMs: number): string {
  const other = code === null || code === status ? "" : `, code ${code}`;
  return `HTTP ${status}, ${contentType ?? "no content type"}${other}, in ${durationMs} ms`;
}

// A reader tries few things at a time.
const mostAdvice = 3;

/** The findings that say more than the headline. */
const findingRows = ({ findings, headline }: CheckResult, paint: Paint): readonly string[] =>
  findings
    .filter((finding) => !repeatsHeadline(finding, headline))
    .map(({ certainty, message }) => row(certainty, message, paint));

/** Says whether the last attempt sent the credential. */
const credentialLabel = ({ attempts, connection }: CheckResult): string =>
  attempts === 0 || connection?.steps.response === null ? "unsent" : "with";

const resolvedTo = ({ resolved }: CheckResult): string =>
  resolved === undefined ? "" : ` to ${shownHost(resolved)} (--resolve)`;

/** One check as text, ending in a line end. `isTold`: the report has already said what a diagnosis can do. */
export function checkText(result: CheckResult, paint: Paint, isTold = false): string {
  const response = responseOf(result.outcome);
  const said = response?.message ?? null;
  const last = lastRequest(result);
  const isQuoted = result.findings.some(({ message }) => message.includes(`"${said}"`));
  const advice = adviceOf(result).slice(0, mostAdvice);
  const more = isTold ? undefined : result.more;
  return [
    verdictOf(result, paint),
    result.url === null
      ? ""
      : row("request", `GET ${result.url}${resolvedTo(result)}${last && ` at ${last}`}`, paint),
    result.credential === null ? "" : row(credentialLabel(result), result.credential, paint),
    response === null ? "" : row("response", responseLine(response, result.durationMs), paint),
    said === null || isQuoted ? "" : row("message", said, paint),
    ...findingRows(result, paint),
    ...advice.map((text, index) =>
      row("try", more && index === advice.length - 1 ? `${text}. ${more}` : text, paint),
    ),
  ].join("");
}

// Each line of a stream can have an origin of its own, and memory must not grow with their number.
const mostOrigins = 10_000;

/** The origins that a run has sent requests to. */
export class Origins {
  readonly #origins = new Set<string>();

  add({ url, attempts }: AccountResult): void {
    if (url === null || attempts === 0 || this.#origins.size > mostOrigins) return;
    this.#origins.add(/^[^/]*\/\/[^/]*/.exec(url)?.[0] ?? url);
  }

  /** The end of a sentence: the origin, or how many there are. Empty if there is none. */
  text(): string {
    const [first = "", second] = this.#origins;
    if (second === undefined) return first && `; at ${first}`;
    const { size } = this.#origins;
    return size > mostOrigins ? `; at more than ${mostOrigins} origins` : `; at ${size} origins`;
  }
}

// If a server is down, the checks of all its accounts fail. More equal lines would hide other failures.
const mostEqualLines = 10;

/**
 * The text report. For several accounts: a line for each check, the details of equal failures once, and at the end the names
 * of the accounts that failed, the counts and the server. Only the first ten of equal failures have a line of their own.
 * `failedOnly` leaves accepted checks out, and `annotate` adds annotations for GitHub Actions.
 */
export function textReport(
  paint: Paint,
  { several, failedOnly, annotate }: Readonly<Record<"several" | "failedOnly" | "annotate", boolean>>,
): PrintedReport {
  const groups = new FailureGroups();
  const annotations = new Annotations();
  const origins = new Origins();
  let count = 0;
  let isTold = false;

  function textOf(result: AccountResult): string {
    if (failedOnly && result.outcome.kind === "accepted") return "";
    count += 1;
    const named = { ...result, profile: shownAccount(result) };
    const whole = (): string => {
      const text = checkText(named, paint, isTold);
      isTold ||= named.more !== undefined;
      return text;
    };
    if (!several) return `${count > 1 ? "\n" : ""}${whole()}`;
    if (result.outcome.kind === "accepted")
      return [verdictOf(named, paint), ...findingRows(named, paint)].join("");
    const equal = groups.add(result);
    if (equal > mostEqualLines) return "";
    return equal === 1 ? whole() : verdictOf(named, paint);
  }

  return {
    add: (result) => {
      origins.add(result);
      if (result.outcome.kind !== "accepted") annotations.add(result);
      return textOf(result);
    },
    end: (end) => {
      const counts = countOutcomes(end);
      const parts = [groups.text(paint)];
      if (annotate) parts.push(annotations.text());
      if (annotate && isPartial(end) && end.emptyShard === null)
        parts.push(errorAnnotation("referral-auth", counts));
      // The last line has the counts and the origin.
      if (several || isPartial(end))
        parts.push(`${wrapped(several ? counts + origins.text() : counts, paint, 2)}\n`);
      return parts.join("");
    },
  };
}
