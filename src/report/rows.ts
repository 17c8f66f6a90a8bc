import type { AccountResult, Row } from "./report.ts";

// In ASCII: V8 keeps other texts in two bytes a character.
const anyLine = "line # of --accounts";
const lineOf = (line: number | null): string => (line === null ? anyLine : `line ${line} of --accounts`);

// Enough for what many accounts have in common. Messages that all differ would fill any map.
const mostShared = 10_000;

/**
 * The results of a run for the reports in files. A result takes about 1 kB beside its name and message: texts that are equal, or
 * differ only in the line of `--accounts`, are kept once.
 */
export class Rows {
  readonly #rows: Row[] = [];
  readonly #shared = new Map<string, string>();

  add(result: AccountResult): void {
    const { profile, line, position, isRepeated, method, url, credential, attempts } = result;
    const { checkedAt, durationMs, headline, clock, findings, outcome, connection } = result;
    const response = "response" in outcome ? outcome.response : null;
    const kept = <Text extends string | null>(text: Text): Text => text && (this.#kept(text, line) as Text);
    this.#rows.push({
      ...{ profile, line, position, isRepeated, method, attempts, checkedAt, durationMs, clock },
      url: kept(url),
      credential: kept(credential),
      headline: kept(headline),
      findings: findings.map(({ id, certainty, message, fix }) => ({
        ...{ id, certainty },
        message: kept(message),
        fix: kept(fix),
      })),
      outcome: {
        kind: outcome.kind,
        response: response && {
          contentType: kept(response.contentType),
          message: kept(response.message),
          requestId: kept(response.requestId),
        },
      },
      connection: connection && { certificateExpiresAt: connection.certificateExpiresAt },
    });
  }

  #kept(text: string, line: number | null): string {
    const key = text.replaceAll(lineOf(line), anyLine);
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    // A text that was cut from a longer one, as a message is, would keep all of it in memory.
    const copy: string = JSON.parse(JSON.stringify(key));
    if (this.#shared.size < mostShared) this.#shared.set(copy, copy);
    return copy;
  }

  /** All rows in the order of their accounts' positions: of those that are not added as they come. */
  sort(): void {
    this.#rows.sort((one, other) => one.position - other.position);
  }

  *[Symbol.iterator](): Generator<Row> {
    for (const row of this.#rows) yield row.line === null ? row : withLine(row, lineOf(row.line));
  }
}

/** The row as it was added: its texts name this line again. */
function withLine(row: Row, line: string): Row {
  return {
    ...row,
    credential: row.credential?.replaceAll(anyLine, line) ?? null,
    headline: row.headline.replaceAll(anyLine, line),
    findings: row.findings.map((finding) => ({
      ...finding,
      message: finding.message.replaceAll(anyLine, line),
      fix: finding.fix.replaceAll(anyLine, line),
    })),
  };
}
