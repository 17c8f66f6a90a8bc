import { responseOf } from "../check/outcome.ts";
import { escapeText, row } from "./escape.ts";
import type { Paint } from "./paint.ts";
import { type AccountResult, shownAccount } from "./report.ts";

/** Checks that failed in the same way. */
interface FailureGroup {
  readonly headline: string;
  count: number;
  readonly names: Set<string>;
  /** How many of the checks have a name that is not kept. */
  unnamed: number;
}

function newGroup(headline: string): FailureGroup {
  return { headline, count: 0, names: new Set(), unnamed: 0 };
}

// A stream can bring any number of failures, and memory must not grow with it.
const mostGroups = 100;
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
  readonly #groups = new Map<string, FailureGroup>();
  #names = 0;

  /** Adds a failed check and returns how many checks failed in the same way so far, this one included. */
  add(check: AccountResult): number {
    const headline = check.general ?? check.headline;
    const exact = keyOf(check, headline);
    const isKnown = this.#groups.has(exact) || this.#groups.size < mostGroups;
    const key = isKnown ? exact : check.outcome.kind;
    const group = this.#groups.get(key) ?? newGroup(headline);
    this.#groups.set(key, group);
    group.count += 1;
    const name = escapeText(shownAccount(check) ?? "", longestName);
    if (!group.names.has(name)) {
      if (this.#names < mostNames) {
        group.names.add(name);
        this.#names += 1;
      } else group.unnamed += 1;
    }
    // A group of different failures does not share its details, so show those of each check.
    return isKnown ? group.count : 1;
  }

  /** What happened, and to which accounts. Groups that read the same, such as those of two methods, are one here. */
  text(paint: Paint): string {
    const shown = new Map<string, FailureGroup>();
    for (const { headline, count, names, unnamed } of this.#groups.values()) {
      const same = shown.get(headline) ?? newGroup(headline);
      shown.set(headline, same);
      same.count += count;
      same.unnamed += unnamed;
      for (const name of names) same.names.add(name);
    }
    return [...shown.values()].map((group) => groupText(group, paint)).join("");
  }
}

function groupText({ headline, count, names, unnamed }: FailureGroup, paint: Paint): string {
  const all = unnamed > 0 ? [...names, `and ${unnamed} more`] : [...names];
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
