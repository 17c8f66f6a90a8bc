import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type AnswerParts, judged, replied } from "../../support/exchanges.ts";
import { explained, unredacted, wsse } from "./found.ts";

/** A response as frameworks, gateways, firewalls, filters and platforms send it, with its outcome. */
interface Collected extends AnswerParts {
  readonly from: string;
  readonly type: string;
  /** Whether WSSE was refused, and not a token. */
  readonly wsse?: true;
  readonly is: string;
}

const rows: readonly Collected[] = readFileSync(new URL("collected.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

test("there are more than a hundred, and each shape stands once", () => {
  expect(rows.length).toBeGreaterThan(100);
  expect(new Set(rows.map(({ status, body, headers }) => JSON.stringify([status, body, headers]))).size).toBe(
    rows.length,
  );
});

test.each(rows.map((row) => [row.from, row] as const))("%s", (_, { type, is, wsse: isWsse, ...parts }) => {
  const exchange = replied({ ...parts, headers: { "content-type": type, ...parts.headers } });
  expect(judged(exchange, 10, unredacted).kind).toBe(is);
  const { findings } = explained({ exchange, ...(isWsse && { credential: wsse() }) });
  const said = findings.map(({ message }) => message);
  expect(said).toEqual([...new Set(said)]);
});
