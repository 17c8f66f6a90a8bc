// Equal failures of many accounts, told once.

import { responseOf } from "../check/outcome.ts";
import { escapeText } from "../redaction/escape.ts";
import { row } from "./layout.ts";
import type { Paint } from "./paint.ts";
import { type AccountResult, shownAccount } from "./report.ts";

// A stream can bring any number of failures, and memory must not grow with it.
const mostWays = 100;
const mostNames = 1_000;
const longestName = 60;
// A row is cut at 1,000 characters.
const namesInRow = 900;

/** A text without the words that differ by account: those with a digit or quotation marks, and addresses. */
function gist(text: string): string {
  return text.replace(/"[^"]*"|'[^']*'|[^\s"']+/g, (part) => (/["'\d@]/.test(part) ? "…" : part));
}

/** Checks with the same key failed in the same way: it holds the sure findings and the words of the server. */
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
  /** By headline: how many checks failed so, and the names of their accounts; `unnamed` are not kept. Two methods can have one headline. */
  readonly #groups = new Map<string, { count: number; readonly names: Set<string>; unnamed: number }>();
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
    const shown = isOther ? `${outcome.kind} in other ways` : headline;
    const group = this.#groups.get(shown) ?? { count: 0, names: new Set(), unnamed: 0 };
    this.#groups.set(shown, group);
    group.count += 1;
    const name = escapeText(shownAccount(check), longestName);
    if (name !== "" && !group.names.has(name)) {
      if (this.#names === mostNames) group.unnamed += 1;
      else group.names.add(name);
      this.#names = Math.min(mostNames, this.#names + 1);
    }
    return count;
  }

  /** What happened more than once, and to which accounts; then the other accounts. Each of these has its details above. */
  text(paint: Paint): string {
    const rows: string[] = [];
    const single: string[] = [];
    for (const [headline, { count, names, unnamed }] of this.#groups) {
      const all = [...names, ...(unnamed > 0 ? [`and ${unnamed} more`] : [])];
      if (count > 1) rows.push(namesText(`${count} × ${headline}: `, all, paint));
      else for (const name of all) single.push(name);
    }
    return rows.join("") + (single.length === 0 ? "" : namesText("", single, paint));
  }
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
