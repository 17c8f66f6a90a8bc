import type { InputError } from "../errors.ts";
import type { AccountSource } from "../settings/run-settings.ts";

/** An account to check: a profile of the rc file, or a line of `--accounts`. */
export interface Account extends AccountSource {
  /** The number of its line, counted from 1, empty lines included; null for a profile. */
  readonly line: number | null;
  /** Its place among the accounts to check, counted from 1; for a line, its number. */
  readonly position: number;
  /** Whether an account before it has the same name. */
  readonly isRepeated: boolean;
  /** Why the line is invalid; null for any other account. */
  readonly error: InputError | null;
}
