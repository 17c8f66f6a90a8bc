import { readFileSync } from "node:fs";
import { type AnswerParts, replied } from "../../support/exchanges.ts";
import { type Case, wsse } from "./found.ts";

/** A response as frameworks, gateways, firewalls, filters and platforms send it, with its outcome. */
export interface Collected extends AnswerParts {
  readonly from: string;
  readonly type: string;
  /** Whether WSSE was refused, and not a token. */
  readonly wsse?: true;
  readonly is: string;
}

/** All of them. */
export const collected: readonly Collected[] = readFileSync(
  new URL("collected.jsonl", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

/** The check that got such a response. */
export const caseOf = ({ type, wsse: isWsse, ...parts }: Collected): Case => ({
  exchange: replied({ ...parts, headers: { "content-type": type, ...parts.headers } }),
  ...(isWsse && { credential: wsse() }),
});
