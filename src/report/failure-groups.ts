import { responseOf } from "../check/outcome.ts";
import { escapeText } from "../redaction/escape.ts";
import { row } from "./layout.ts";
import type { Paint } from "./paint.ts";
import { type AccountResult, shownAccount } from "./report.ts";

/** Failed checks with the same headline: how many there are, and the names of their accounts, of which `unnamed` are not kept. */
interface FailureGroup {
  count: number;
  readonly names: Set<string>;
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
    const headline = outcome.kind === "not-checked" ? own.replace(/\bline \d+/g, "line …") : own;
    const key = groupKey(check, headline);
    const count = (this.#ways.get(key) ?? 0) + 1;
    // Only the outcome is common to the failures beyond the limit, so each shows its details.
    const isOther = count === 1 && this.#ways.size >= mostWays;
    if (!isOther) this.#ways.set(key, count);
    this.#addTo(isOther ? `${outcome.kind} in other ways` : headline, check);
    return count;
  }

  #addTo(headline: string, check: AccountResult): void {
    const name = escapeText(shownAccount(check) ?? "", longestName);
    const group = this.#groups.get(headline) ?? { count: 0, names: new Set(), unnamed: 0 };
    this.#groups.set(headline, group);
    group.count += 1;
    if (group.names.has(name)) return;
    if (this.#names < mostNames) {
      group.names.add(name);
      this.#names += 1;
    } else group.unnamed += 1;
  }

  /** What happened, and to which accounts. */
  text(paint: Paint): string {
    return [...this.#groups].map(([headline, group]) => groupText(headline, group, paint)).join("");
  }
}

function groupText(headline: string, { count, names, unnamed }: FailureGroup, paint: Paint): string {
  const all = unnamed > 0 ? [...names, `and ${unnamed} more`] : [...names];
  const rows = [`${count} × ${headline}:`];
  for (const [index, name] of all.entries()) {
    const part = index < all.length - 1 ? `${name},` : name;
    const longer = `${rows.at(-1)} ${part}`;
    if (longer.length > namesInRow) rows.push(part);
    else rows[rows.length - 1] = longer;
  }
  return rows.map((text, index) => row(index === 0 ? "failed" : "", text, paint)).join("");
}
