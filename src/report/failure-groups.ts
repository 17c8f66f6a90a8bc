// Equal failures of many accounts, told once.

import { responseOf } from "../check/outcome.ts";
import { escapeText } from "../redaction/escape.ts";
import { row } from "./layout.ts";
import type { Paint } from "./paint.ts";
import { type AccountResult, lineNoun, shownAccount } from "./report.ts";

/** Failed checks with the same headline: how many there are, and the names of their accounts, of which `unnamed` are not kept. */
interface FailureGroup {
  count: number;
  readonly names: Set<string>;
  /** The lines of accounts without a name: the first and the last one of each range. */
  readonly lines: [number, number][];
  readonly noun: string;
  unnamed: number;
}

// A stream can bring any number of failures, and memory must not grow with it.
const mostWays = 100;
const mostNames = 1_000;
const longestName = 60;
// A row is cut at 1,000 characters.
const namesInRow = 900;

/** What a text says, without numbers and names: times, quoted words and addresses differ by account. */
function gist(text: string): string {
  return text.replace(/"[^"]*"|'[^']*'|[^\s"']+/g, (part) => (/["'\d@]/.test(part) ? "…" : part));
}

/** Checks with the same key failed in the same way. It has the sure findings and the words of the server. */
function groupKey({ method, url, outcome, findings }: AccountResult, headline: string): string {
  return JSON.stringify([
    outcome.kind,
    method,
    url,
    headline,
    findings.map(({ id, certainty, message }) => [id, certainty === "possible" || gist(message)]),
    gist(responseOf(outcome)?.message ?? ""),
  ]);
}

/** Sorts failed checks into groups of equal failures. */
export class FailureGroups {
  /** How many checks have failed in each way. */
  readonly #ways = new Map<string, number>();
  /** What is shown, by headline. Ways that read the same, such as those of two methods, are one group. */
  readonly #groups = new Map<string, FailureGroup>();
  #names = 0;

  /** Adds a failed check and returns how many checks failed in the same way so far, this one included. */
  add(check: AccountResult): number {
    const { headline: own, outcome } = check;
    // The same mistake in several lines of a file. A server's words keep their numbers.
    const headline = outcome.kind === "not-checked" ? own.replace(/\b(line|row) \d+/g, "$1 …") : own;
    const key = groupKey(check, headline);
    const count = (this.#ways.get(key) ?? 0) + 1;
    // Only the outcome is common to the failures beyond the limit, so each shows its details.
    const isOther = count === 1 && this.#ways.size >= mostWays;
    if (!isOther) this.#ways.set(key, count);
    this.#addTo(isOther ? `${outcome.kind} in other ways` : headline, check);
    return count;
  }

  #addTo(headline: string, check: AccountResult): void {
    const { profile, line, csv } = check;
    const group = this.#groups.get(headline) ?? {
      count: 0,
      names: new Set(),
      lines: [],
      noun: lineNoun(csv),
      unnamed: 0,
    };
    this.#groups.set(headline, group);
    group.count += 1;
    const last = group.lines.at(-1);
    const isNextLine = profile === null && line !== null && last !== undefined && line - last[1] <= 1;
    const name = escapeText(shownAccount(check), longestName);
    if (isNextLine && line >= last[1]) last[1] = line;
    else if (group.names.has(name)) return;
    else if (this.#names === mostNames) group.unnamed += 1;
    else {
      this.#names += 1;
      if (profile === null && line !== null) group.lines.push([line, line]);
      else group.names.add(name);
    }
  }

  /** What happened more than once, and to which accounts; then the other accounts. Each of these has its details above. */
  text(paint: Paint): string {
    const groups = [...this.#groups];
    const single = groups.filter(([, { count }]) => count === 1).flatMap(([, group]) => namesOf(group));
    return [
      ...groups
        .filter(([, { count }]) => count > 1)
        .map(([headline, group]) => namesText(`${group.count} × ${headline}: `, namesOf(group), paint)),
      single.length === 0 ? "" : namesText("", single, paint),
    ].join("");
  }
}

/** The names and lines of a group. */
function namesOf({ names, lines, noun, unnamed }: FailureGroup): readonly string[] {
  const ranges: [number, number][] = [];
  // Accounts are finished in any order.
  for (const [first, end] of lines.toSorted(([one], [other]) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && first <= last[1] + 1) last[1] = Math.max(last[1], end);
    else ranges.push([first, end]);
  }
  const inWords = ranges.map(([first, end]) =>
    first === end ? `${noun} ${first}` : `${noun}s ${first} to ${end}`,
  );
  return [...names, ...inWords, ...(unnamed > 0 ? [`and ${unnamed} more`] : [])].filter(
    (name) => name !== "",
  );
}

function namesText(head: string, names: readonly string[], paint: Paint): string {
  const rows = [head];
  for (const [index, name] of names.entries()) {
    const part = index < names.length - 1 ? `${name}, ` : name;
    const longer = rows.at(-1) + part;
    if (longer.length > namesInRow) rows.push(part);
    else rows[rows.length - 1] = longer;
  }
  return rows.map((text, index) => row(index === 0 ? "failed" : "", text.trimEnd(), paint)).join("");
}
