import { readFileSync } from "node:fs";
import type { DigestAlgorithm } from "../../src/wsse/digest.ts";
import type { UsernameToken } from "../../src/wsse/header.ts";

/** A PasswordDigest that a public implementation computed, or that its documentation shows; `source` names it. */
export interface Vector extends DigestAlgorithm, UsernameToken {
  readonly secret: string;
  readonly source: string;
  readonly case: string;
}

/** All vectors. Each secret is made up or a published sample; `nonce` is the attribute as it stands on the wire. */
export const vectors: readonly Vector[] = readFileSync(new URL("vectors.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));
