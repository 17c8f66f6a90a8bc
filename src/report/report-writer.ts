import type { Outcome } from "../check/outcome.ts";
import type { CheckResult } from "../check/result.ts";
import type { ExitCode } from "../exit-codes.ts";

/** The account that a check belongs to. */
export interface AccountName {
  readonly profile: string | null;
  /** The line of `--accounts`, counted from 1; null for an account of the settings. */
  readonly line: number | null;
  /** Its place among the accounts to check, counted from 1; for a line, its number. */
  readonly position: number;
  /** Whether the name may be that of another account too. */
  readonly isRepeated: boolean;
}

/** The result of one check, as reports show it. */
export interface ReportedCheck extends CheckResult, AccountName {}

/** Why a run ended before all its checks were made: exit codes 1, 2 and 3. */
export interface RunError {
  readonly code: ExitCode;
  readonly message: string;
  readonly hint: string;
}

/** What a report contains at its end. */
export interface RunEnd {
  readonly exitCode: ExitCode;
  /** How many checks there are of each outcome. */
  readonly counts: ReadonlyMap<Outcome["kind"], number>;
  readonly interrupted: boolean;
  /** The accounts that an interrupted run did not finish. Of a stream, only those that had been read. */
  readonly left: readonly AccountName[];
  /** How many lines of `--accounts` were read; null without it. */
  readonly linesRead: number | null;
  /** Whether all accounts were read, which an interruption can prevent. */
  readonly allRead: boolean;
  readonly error: RunError | null;
}

/** Writes a report in one format. It writes while the checks are made, so that memory does not grow with their number. */
export interface ReportWriter {
  /** Adds a result before it returns, and resolves when the result is written. */
  add(check: ReportedCheck): Promise<void> | void;
  /** Is told that an account has no further results. */
  accountFinished?(account: AccountName): Promise<void>;
  /** Completes the report. */
  finish(end: RunEnd): Promise<void>;
  /** Removes temporary files, whether or not the report is complete. */
  dispose?(): void;
}

/** The text of a report in sections. The texts of the checks come between the head and the foot of each section. */
export interface FileReport {
  /** The text of a check in each section. */
  add(check: ReportedCheck): readonly string[];
  /** The head and foot of each section; `now` is in milliseconds since the epoch. */
  finish(end: RunEnd, now: number): readonly { readonly head: string; readonly foot: string }[];
}

/** The name of an account in a report: `acme`, `line 12 (acme)` or `line 12`; null for the only account. */
export function shownAccount({ profile, line }: Pick<AccountName, "profile" | "line">): string | null {
  if (line === null) return profile;
  return profile === null ? `line ${line}` : `line ${line} (${profile})`;
}
