import { chmodSync } from "node:fs";
import { join } from "node:path";
import { folderWith } from "../support/folder.ts";

/** A file of accounts, one line each, that only its owner can read. */
export function accountsFile(lines: readonly (object | string)[]): string {
  const text = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
  const file = join(folderWith({ "accounts.jsonl": text }), "accounts.jsonl");
  chmodSync(file, 0o600);
  return file;
}

interface CheckLine {
  readonly profile: string | null;
  readonly method: string | null;
  readonly line: number | null;
  readonly outcome: string;
  readonly failure: { readonly code: string } | null;
}

/** The checks that `--ndjson` printed. Throws if the output is not lines of JSON. */
export function linesOf(stdout: string): readonly CheckLine[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
