import { explain } from "../check/explanation/explain.ts";
import { escapeText } from "./escape.ts";
import { row } from "./layout.ts";
import type { Paint } from "./paint.ts";
import { type ReportedCheck, shownAccount } from "./report-writer.ts";

/** Checks that failed in the same way. */
interface FailureGroup {
  readonly headline: string;
  count: number;
  readonly names: Set<string>;
}

// A stream can bring any number of failures, and memory must not grow with it.
const mostGroups = 100;
const mostNames = 1_000;
const longestName = 60;
// A row is cut at 1,000 characters.
const namesInRow = 900;

/** The numbers of lines and positions. Failures that differ only in these are equal. */
const places = /\b(line|position) \d+/g;

function keyOf({ method, url, outcome, findings }: ReportedCheck): string {
  const { headline } = explain(outcome);
  return JSON.stringify([
    outcome.kind,
    method,
    url,
    headline.replace(places, "$1"),
    findings.map(({ id, certainty }) => [id, certainty]),
  ]);
}

/** Sorts failed checks into groups of equal failures. */
export class FailureGroups {
  readonly #groups = new Map<string, FailureGroup>();
  #names = 0;

  /** Adds a failed check and returns how many checks failed in the same way so far, this one included. */
  add(check: ReportedCheck): number {
    const { headline } = explain(check.outcome);
    const exact = keyOf(check);
    const isKnown = this.#groups.has(exact) || this.#groups.size < mostGroups;
    const key = isKnown ? exact : check.outcome.kind;
    const group = this.#groups.get(key) ?? { headline, count: 0, names: new Set() };
    this.#groups.set(key, group);
    group.count += 1;
    const name = escapeText(shownAccount(check) ?? "", longestName);
    if (this.#names < mostNames && !group.names.has(name)) {
      group.names.add(name);
      this.#names += 1;
    }
    // A group of different failures does not share its details, so show those of each check.
    return isKnown ? group.count : 1;
  }

  /** The text of all groups: what happened, and to which accounts. */
  text(paint: Paint): string {
    return [...this.#groups.values()].map((group) => groupText(group, paint)).join("");
  }
}

function groupText({ headline, count, names }: FailureGroup, paint: Paint): string {
  const more = count > names.size ? [`and ${count - names.size} more`] : [];
  const rows: string[] = [];
  let text = `${count} × ${headline.replace(places, "$1 …")}:`;
  for (const [index, name] of [...names, ...more].entries()) {
    const part = index < names.size + more.length - 1 ? `${name},` : name;
    if (text.length + part.length > namesInRow) {
      rows.push(text);
      text = part;
    } else text = `${text} ${part}`;
  }
  return [...rows, text].map((part, index) => row(index === 0 ? "failed" : "", part, paint)).join("");
}
