// A report is read at two in the morning. Its lines: headline, request, response with its time, what the response says, what was sent,
// findings by certainty, what to do, what else can be done. It says nothing twice. Every text is escaped here.

import { isJudgement, outcomes, responseOf } from "../check/outcome.ts";
import { escapeText, shellWord } from "../redaction/escape.ts";
import { shownHost } from "../system/addresses.ts";
import { FailureGroups } from "./failure-groups.ts";
import { Annotations } from "./github-actions.ts";
import { row, textColumn, wrapped } from "./layout.ts";
import type { Paint } from "./paint.ts";
import { headlineWithQuote, longestInLine, quotesIn, repeatsHeadline } from "./reason.ts";
import {
  type AccountResult,
  countOutcomes,
  isPartial,
  lineNoun,
  type PrintedReport,
  shownAccount,
} from "./report.ts";

/** The first line of a check: its outcome, which check it was, and what that means. Among several, people look for a name. */
function verdictOf(result: AccountResult, paint: Paint, several: boolean): string {
  const { outcome, method, namesLine, line, csv, isRepeated } = result;
  const { kind } = outcome;
  const said = several ? headlineWithQuote(result) : result.headline;
  const profile = result.profile && escapeText(result.profile, 60);
  const subject =
    several || method === null || profile === null
      ? shownAccount({ profile, line, csv, isRepeated }, method) || "settings"
      : `${method} of ${profile}`;
  const label = kind === "accepted" ? kind : kind.toUpperCase();
  const text = namesLine && profile === null ? said : `${subject}: ${said}`;
  return `${paint[outcomes[kind].tone](label)}${" ".repeat(textColumn - label.length)}${wrapped(text, paint)}\n`;
}

/** The request and its response, each on a line. The last line has the time and the server's id of the request. */
function exchangeRows(
  { url, resolved, attempts, checkedAt, durationMs, outcome }: AccountResult,
  paint: Paint,
): readonly string[] {
  const response = responseOf(outcome);
  const time = response === null ? `, at ${checkedAt}` : "";
  const to = resolved === undefined ? "" : ` to ${shownHost(resolved)} (--resolve)`;
  const request = url === null || attempts === 0 ? [] : [row("request", `GET ${url}${to}${time}`, paint)];
  if (response === null) return request;
  const { status, contentType, code, requestId } = response;
  const parts = [`HTTP ${status}`, contentType ?? "no content type"];
  if (code !== null && code !== status) parts.push(`code ${code}`);
  parts.push(`${durationMs} ms`, `at ${checkedAt}`);
  if (requestId !== null) parts.push(`request id ${requestId}`);
  return [...request, row("response", parts.join(", "), paint)];
}

/** The findings that say more than the first line. */
const findingRows = ({ findings, headline }: AccountResult, paint: Paint): readonly string[] =>
  findings
    .filter((finding) => !repeatsHeadline(finding, headline))
    .map(({ certainty, message }) => row(certainty, message, paint));

/** A name as one word of a POSIX shell, behind its option. */
function profileOption(name: string): string {
  const word = /^[\w@.+:,/-]+$/.test(name) ? name : shellWord(name);
  return name.startsWith("-") ? `--profile=${word}` : `--profile ${word}`;
}

/** How to diagnose one account alone. */
function diagnoseOption({ profile, line, csv, isRepeated }: AccountResult, several: boolean): string {
  if (!several) return "--diagnose";
  if (line !== null) return `--diagnose, over a file of this ${lineNoun(csv)} alone`;
  // A name that had to be masked cannot be given.
  return profile === null || isRepeated
    ? "--diagnose, for this profile alone"
    : `${profileOption(profile)} --diagnose`;
}

/** One check as text, ending in a line end. `several`: it is one of several accounts. */
export function checkText(result: AccountResult, paint: Paint, several = false): string {
  const { outcome, credential, diagnosisRequests: requests } = result;
  // Among several, the first line has a message that is short.
  const isInLine = (name: string, quote: string): boolean =>
    several && name === "message" && quote.length <= longestInLine && outcome.kind !== "accepted";
  const quotes = quotesIn(responseOf(outcome)).filter(([name, quote]) => !isInLine(name, quote));
  const isCompared = outcome.kind === "accepted" || isJudgement(outcome);
  const cost = `at most ${requests} further requests; each may count as a failed login`;
  const other = requests === null ? [] : [`${diagnoseOption(result, several)}: ${cost}`];
  return [
    verdictOf(result, paint, several),
    ...exchangeRows(result, paint),
    ...quotes.map(([name, quote]) => row(name, quote, paint)),
    result.received === null ? "" : row("received", result.received, paint),
    credential === null || !isCompared ? "" : row("with", credential, paint),
    ...findingRows(result, paint),
    ...result.advice.map((advice) => row("try", advice, paint)),
    ...[...result.alternatives, ...other].map((way) => row("or", way, paint)),
  ].join("");
}

// Each line of a stream can have an origin of its own, and memory must not grow with their number.
const mostCounted = 10_000;

/** The origins that a run has sent requests to. */
export class Origins {
  readonly #origins = new Set<string>();

  add({ url, attempts }: AccountResult): void {
    if (url === null || attempts === 0 || this.#origins.size > mostCounted) return;
    this.#origins.add(/^[^/]*\/\/[^/]*/.exec(url)?.[0] ?? url);
  }

  /** The end of a sentence: the origin, or how many there are. Empty if there is none. */
  text(): string {
    const [first = "", second] = this.#origins;
    if (second === undefined) return first && `; at ${first}`;
    const { size } = this.#origins;
    return size > mostCounted ? `; at more than ${mostCounted} origins` : `; at ${size} origins`;
  }
}

// If a server is down, the checks of all its accounts fail. More equal lines would hide other failures.
const mostEqualLines = 10;

/**
 * The text report. For several accounts: a line for each check, but only for the first ten of equal failures, whose details stand once;
 * at the end the names of the accounts that failed, the counts and the server.
 */
export function textReport(
  paint: Paint,
  { several, failedOnly, annotate }: Readonly<Record<"several" | "failedOnly" | "annotate", boolean>>,
): PrintedReport {
  const groups = new FailureGroups();
  const annotations = new Annotations();
  const origins = new Origins();
  let count = 0;

  function textOf(result: AccountResult): string {
    if (failedOnly && result.outcome.kind === "accepted") return "";
    count += 1;
    if (!several) return `${count > 1 ? "\n" : ""}${checkText(result, paint)}`;
    if (result.outcome.kind === "accepted")
      return [verdictOf(result, paint, several), ...findingRows(result, paint)].join("");
    const equal = groups.add(result);
    if (equal > mostEqualLines) return "";
    return equal === 1 ? checkText(result, paint, several) : verdictOf(result, paint, several);
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
      if (annotate) parts.push(annotations.text(isPartial(end) ? counts : null));
      // The last line has the counts and the origin.
      if (several || isPartial(end))
        parts.push(`${wrapped(several ? counts + origins.text() : counts, paint, 2)}\n`);
      return parts.join("");
    },
  };
}
