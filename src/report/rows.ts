// Keeps the results of a run for the reports in files, in about 1 kB each.

import { responseOf } from "../check/outcome.ts";
import type { AccountResult, ResultRow } from "./report.ts";

// Stands for the number where a text names its own line or row: `a.jsonl:41`, `row 41 of a.csv`. V8 keeps a text with it in one byte
// a character.
const anyLine = "\0";
/** In JSON, in which a number behind a quotation mark and a colon is no text. */
const lineNumbers = /(?<!")(:|line |row )(\d+)/g;

// Enough for what many accounts have in common. Messages that all differ would fill any map.
const mostShared = 10_000;

/**
 * The results of a run for the reports in files. A result takes about 1 kB beside its name and message: findings and texts that
 * are equal, or differ only in the line or row of `--accounts`, are kept once.
 */
export class Rows {
  readonly #rows: ResultRow[] = [];
  readonly #shared = new Map<string, unknown>();

  add(result: AccountResult): void {
    const { profile, line, csv, position, isRepeated, method, attempts } = result;
    const { checkedAt, durationMs, clock, outcome, connection } = result;
    const kept = <Value>(value: Value): Value => this.#kept(JSON.stringify(value));
    const keptForAnyLine = <Value>(value: Value): Value => {
      const own = `${line}`;
      const json = JSON.stringify(value);
      return this.#kept(
        json.replace(lineNumbers, (all, before, number) => (number === own ? `${before}\\u0000` : all)),
      );
    };
    const response = responseOf(outcome);
    this.#rows.push({
      ...{ profile, line, csv, position, isRepeated, method, attempts, checkedAt, durationMs },
      url: kept(result.url),
      credential: keptForAnyLine(result.credential),
      headline: keptForAnyLine(result.headline),
      findings: keptForAnyLine(result.findings),
      outcome: {
        kind: outcome.kind,
        response: response && {
          contentType: kept(response.contentType),
          message: kept(response.message),
          requestId: kept(response.requestId),
        },
      },
      clock: clock && kept({ skewSeconds: clock.skewSeconds }),
      connection: connection && kept({ certificateExpiresAt: connection.certificateExpiresAt }),
    });
  }

  /** A copy: a text that was cut from a longer one, as a message is, would keep all of it in memory. */
  #kept<Value>(json: string): Value {
    const copy = this.#shared.get(json) ?? JSON.parse(json);
    if (this.#shared.size < mostShared) this.#shared.set(json, copy);
    return copy as Value;
  }

  /** Puts the rows into the order of their accounts. */
  sort(): void {
    this.#rows.sort((one, other) => one.position - other.position);
  }

  *[Symbol.iterator](): Generator<ResultRow> {
    for (const row of this.#rows) yield withOwnLine(row);
  }
}

/** The row as reports read it: its texts name its own line again. */
function withOwnLine(row: ResultRow): ResultRow {
  const { line, credential, headline, findings } = row;
  const own = (text: string): string => (line === null ? text : text.replaceAll(anyLine, `${line}`));
  return {
    ...row,
    credential: credential && own(credential),
    headline: own(headline),
    findings: findings.map((one) => ({ ...one, message: own(one.message), fix: own(one.fix) })),
  };
}
