import { responseOf } from "../check/outcome.ts";
import { escapeText } from "./escape.ts";
import { row } from "./layout.ts";
import type { Paint } from "./paint.ts";
import { type AccountResult, shownAccount } from "./report.ts";

/** Failed checks with the same headline: how many there are, and their accounts. */
interface FailureGroup {
  count: number;
  /** The names that are kept, each with the number of the way in which its check failed first. */
  readonly names: Map<string, number>;
  /** How many of the checks have a name that is not kept. */
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

/** Checks with the same key failed in the same way. What is sure and what the server says is in it, so that a report shows each. */
function keyOf({ method, url, outcome, findings }: AccountResult, headline: string): string {
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
  /** The ways to fail, in the order of their first checks, and how many checks have failed so. */
  readonly #ways = new Map<string, { readonly index: number; count: number }>();
  /** What is shown, by headline. Ways that read the same, such as those of two methods, are one group. */
  readonly #groups = new Map<string, FailureGroup>();
  #names = 0;

  /** Adds a failed check and returns how many checks failed in the same way so far, this one included. */
  add(check: AccountResult): number {
    const { headline: own, outcome } = check;
    // The same mistake in several lines of a file. A server's words keep their numbers.
    const headline = outcome.kind === "not-checked" ? own.replace(/\bline \d+/g, "line …") : own;
    const key = keyOf(check, headline);
    const name = escapeText(shownAccount(check) ?? "", longestName);
    const way = this.#ways.get(key) ?? { index: this.#ways.size, count: 0 };
    way.count += 1;
    // Only the outcome is common to these failures, so each shows its details.
    const isOther = way.index >= mostWays;
    if (!isOther) this.#ways.set(key, way);
    this.#addTo(isOther ? `${check.outcome.kind} in other ways` : headline, name, way.index);
    return way.count;
  }

  #addTo(headline: string, name: string, way: number): void {
    const group = this.#groups.get(headline) ?? { count: 0, names: new Map(), unnamed: 0 };
    this.#groups.set(headline, group);
    group.count += 1;
    if (group.names.has(name)) return;
    if (this.#names < mostNames) {
      group.names.set(name, way);
      this.#names += 1;
    } else group.unnamed += 1;
  }

  /** What happened, and to which accounts. */
  text(paint: Paint): string {
    return [...this.#groups].map(([headline, group]) => groupText(headline, group, paint)).join("");
  }
}

function groupText(headline: string, { count, names, unnamed }: FailureGroup, paint: Paint): string {
  const shown = [...names].toSorted(([, one], [, other]) => one - other).map(([name]) => name);
  const all = unnamed > 0 ? [...shown, `and ${unnamed} more`] : shown;
  const rows: string[] = [];
  let text = `${count} × ${headline}:`;
  for (const [index, name] of all.entries()) {
    const part = index < all.length - 1 ? `${name},` : name;
    if (text.length + part.length > namesInRow) {
      rows.push(text);
      text = part;
    } else text = `${text} ${part}`;
  }
  return [...rows, text].map((part, index) => row(index === 0 ? "failed" : "", part, paint)).join("");
}
