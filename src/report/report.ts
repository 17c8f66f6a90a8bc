// What reports are made of: accounts, results, rows and the end of a run; and what every report says the same way.

import type { OutcomeKind } from "../check/outcome.ts";
import type { CheckResult } from "../check/result.ts";
import { bySeverity, type ExitCode } from "../exit-codes.ts";
import type { Account } from "../settings/accounts-file.ts";

/** An account as reports name it: `profile` is its name as it may be shown, which may be that of another account (`isRepeated`). */
export type AccountName = Pick<Account, "profile" | "line" | "csv" | "position" | "isRepeated">;

/** The result of one check, and the account that it belongs to. */
export interface AccountResult extends CheckResult, AccountName {
  /** The headline names the account's line: what is wrong with the line itself. */
  readonly namesLine?: boolean;
}

/** A copy of a result without what no report in a file says: 3 kB at most. Without a copy, a part of a text keeps all of it in memory. */
export function keptResult(result: AccountResult): AccountResult {
  const connection = result.connection && { ...result.connection, tried: [] };
  const kept: Record<string, unknown> = { connection, received: null, advice: [], alternatives: [] };
  // Not `...result`, which would put the advice into words.
  for (const name of Object.keys(result) as ReadonlyArray<keyof AccountResult>)
    if (!(name in kept)) kept[name] = result[name];
  return JSON.parse(JSON.stringify(kept));
}

/** Why a run ended before all its checks were made, or which report could not be written: exit codes 1, 2 and 3. */
export interface RunError {
  readonly code: ExitCode;
  readonly message: string;
  readonly hint: string;
}

/** What a report says at its end: the counts, what was not checked and why. A mistake of an account's own is a result, `not-checked`. */
export interface RunEnd {
  /** The accounts that the end of the run left: after a signal or an error. Of a stream, only those that had been read. */
  readonly left: readonly AccountName[];
  /** How many lines or rows of `--accounts` were read; null without it. */
  readonly linesRead: number | null;
  /** Whether they are rows of CSV. */
  readonly isCsv: boolean;
  /** Whether all accounts were read, which a signal or an error can prevent. */
  readonly allRead: boolean;
  /** How many checks sent nothing because the server limits requests. They are among the counts, as `unavailable`. */
  readonly notSent: number;
  /** The exit code of the run, as far as it is known when the report ends. */
  readonly exitCode: ExitCode;
  /** How many checks there are of each outcome. */
  readonly counts: ReadonlyMap<OutcomeKind, number>;
  readonly interrupted: boolean;
  /** Why the run ended, or which report could not be written. */
  readonly error: RunError | null;
  /** In milliseconds since the epoch. */
  readonly endedAt: number;
}

/** A report that is printed as the results come. */
export interface PrintedReport {
  /** The text of a result, at once. */
  add(result: AccountResult): string;
  end(end: RunEnd): string;
}

/** A report that is made of all results at the end of the run, in pieces. `path` is that of its file. */
export type FileReport = (results: Iterable<AccountResult>, end: RunEnd, path: string) => Iterable<string>;

/** What the lines of a file of accounts are called: spreadsheets have rows. */
export const lineNoun = (csv: string | null): "line" | "row" => (csv === null ? "line" : "row");

/** An account in a report: `acme`; `line 12` without a name, `acme (line 12)` where others may have it; with more words, `acme (token)`. */
export function shownAccount(
  { profile, line, csv, isRepeated }: Pick<AccountName, "profile" | "line" | "csv" | "isRepeated">,
  ...more: readonly (string | null)[]
): string {
  const isNumbered = line !== null && (profile === null || isRepeated);
  const [name, ...rest] = [profile, isNumbered ? `${lineNoun(csv)} ${line}` : null, ...more].filter(
    (one) => one !== null,
  );
  return rest.length === 0 ? (name ?? "") : `${name} (${rest.join(", ")})`;
}

/** Whether accounts were left or not read: then the counts of the checks do not tell the whole. */
export function isPartial({ interrupted, left, allRead }: RunEnd): boolean {
  return interrupted || left.length > 0 || !allRead;
}

/** `998 accepted, 2 rejected`, the worst first; after an interruption, `interrupted: 4 accepted, 16 not checked; 20 lines read`. */
export function countOutcomes(end: RunEnd): string {
  const { counts, interrupted, left, linesRead, isCsv, allRead, notSent } = end;
  const failed = bySeverity(counts.keys()).filter((kind) => kind !== "accepted");
  const unsent = notSent === 0 ? "" : ` (${notSent} not sent: the server limits requests)`;
  const counted = (["accepted", ...failed] as const)
    .map((kind) => `${counts.get(kind) ?? 0} ${kind}${kind === "unavailable" ? unsent : ""}`)
    .join(", ");
  if (!isPartial(end)) return counted;
  const rest = allRead ? "" : `${linesRead === null ? "; the accounts were" : ", the rest was"} not read`;
  const lines =
    linesRead === null ? "" : `; ${linesRead} ${isCsv ? "row" : "line"}${linesRead === 1 ? "" : "s"} read`;
  const why = interrupted ? "interrupted" : "ended early";
  // After an interruption the count stands there also if it is 0: scripts may look for it.
  const more = interrupted || left.length > 0 ? `, ${left.length} not checked` : "";
  return `${why}: ${counted}${more}${lines}${rest}`;
}
