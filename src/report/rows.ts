import type { Finding } from "../check/result.ts";
import type { AccountName, AccountResult, Row } from "./report.ts";

/** A result as it is kept: one object of numbers and texts. */
interface KeptRow
  extends AccountName,
    Pick<Row, "method" | "url" | "credential" | "attempts" | "durationMs"> {
  readonly checkedAt: number;
  readonly headline: string;
  readonly findings: readonly Finding[];
  readonly kind: Row["outcome"]["kind"];
  readonly contentType: string | null;
  readonly message: string | null;
  readonly requestId: string | null;
  readonly skewSeconds: number | null;
  readonly certificateExpiresAt: string | null;
}

// In ASCII: V8 keeps other texts in two bytes a character.
const anyLine = "line # of --accounts";
const lineOf = (line: number | null): string => (line === null ? anyLine : `line ${line} of --accounts`);

// Enough for what many accounts have in common. Messages that all differ would fill any map.
const mostShared = 10_000;

/**
 * The results of a run for the reports in files. A result takes about 1 kB beside its name and message: findings and texts that
 * are equal, or differ only in the line of `--accounts`, are kept once.
 */
export class Rows {
  readonly #rows: KeptRow[] = [];
  readonly #shared = new Map<string, unknown>();

  add(result: AccountResult): void {
    const { profile, line, position, isRepeated, method, url, credential, attempts } = result;
    const { checkedAt, durationMs, headline, clock, findings, outcome, connection } = result;
    const response = "response" in outcome ? outcome.response : null;
    this.#rows.push({
      ...{ profile, line, position, isRepeated, method, attempts, durationMs },
      kind: outcome.kind,
      checkedAt: Date.parse(checkedAt),
      url: this.#kept(url, line),
      credential: this.#kept(credential, line),
      headline: this.#kept(headline, line),
      findings: this.#kept(findings, line),
      contentType: this.#kept(response?.contentType ?? null, line),
      message: this.#kept(response?.message ?? null, line),
      requestId: this.#kept(response?.requestId ?? null, line),
      skewSeconds: clock?.skewSeconds ?? null,
      certificateExpiresAt: this.#kept(connection?.certificateExpiresAt ?? null, line),
    });
  }

  /** A copy: a text that was cut from a longer one, as a message is, would keep all of it in memory. */
  #kept<Value>(value: Value, line: number | null): Value {
    const json = JSON.stringify(value).replaceAll(lineOf(line), anyLine);
    const copy = this.#shared.get(json) ?? JSON.parse(json);
    if (this.#shared.size < mostShared) this.#shared.set(json, copy);
    return copy;
  }

  /** Puts the rows into the order of their accounts. */
  sort(): void {
    this.#rows.sort((one, other) => one.position - other.position);
  }

  *[Symbol.iterator](): Generator<Row> {
    for (const row of this.#rows) yield rowOf(row);
  }
}

/** The row as reports read it. Its texts name its own line again. */
function rowOf(kept: KeptRow): Row {
  const { line, checkedAt, credential, headline, findings, kind, skewSeconds, certificateExpiresAt } = kept;
  const { contentType, message, requestId } = kept;
  const own = (text: string): string => text.replaceAll(anyLine, lineOf(line));
  return {
    ...kept,
    checkedAt: new Date(checkedAt).toISOString(),
    credential: credential && own(credential),
    headline: own(headline),
    findings: findings.map((one) => ({ ...one, message: own(one.message), fix: own(one.fix) })),
    outcome: { kind, response: { contentType, message, requestId } },
    clock: skewSeconds === null ? null : { skewSeconds },
    connection: { certificateExpiresAt },
  };
}
