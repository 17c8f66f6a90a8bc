// Where values come from: in words, and whether that place is yours or was found.

import { relative } from "node:path";
import { isMisspelt, nearest } from "../options/nearest.ts";
import type { Context } from "../system/context.ts";

/** Who set a value: you, or an rc file found in the working tree, which any checkout may contain. */
export type Trust = "yours" | "found";

/** What to do about an rc file that is refused only because it was found in the working tree. */
export const ifTrusted = (path: string): string =>
  `If you trust it, name it with --config ${path}; otherwise use --no-config`;

const ordinals = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");

/** An index as a word that counts from one: `second` for 1. */
export const inOrder = (index: number): string => ordinals[index] ?? `${index + 1}th`;

/** Where a value was set. The line is counted from 1. */
export type Source =
  | { readonly kind: "flag"; readonly flag: string }
  | { readonly kind: "environment"; readonly variable: string }
  | {
      readonly kind: "rc";
      readonly file: string;
      /** The path as messages name it; `file` if it is absent. */
      readonly shown?: string;
      readonly line: number;
      readonly key: string;
      readonly trust: Trust;
    }
  /** An option of a program that uses the library, as the program writes it: `credential.token`. */
  | { readonly kind: "option"; readonly option: string }
  /** A line or row of `--accounts`: `accounts.jsonl:12`, `line 12 of --accounts` on standard input, `row 12 of accounts.csv`. */
  | { readonly kind: "account-line"; readonly place: string; readonly key: string }
  | { readonly kind: "default" };

/** Everything is yours except an rc file that was found in the working tree. */
export function trustOf(source: Source): Trust {
  return source.kind === "rc" ? source.trust : "yours";
}

/** The place of an account of `--accounts`: `line 12 of --accounts`; in a CSV file of this name, `row 12 of accounts.csv`. */
export const placeInAccounts = (line: number, csv: string | null): string =>
  csv === null ? `line ${line} of --accounts` : `row ${line} of ${csv}`;

/** A path as messages name it: relative to the working folder, or with `~/`, where that is shorter. No file has to exist. */
export function shortPath(
  path: string,
  { workingFolder, homeFolder }: Pick<Context, "workingFolder" | "homeFolder">,
): string {
  const ways = [path];
  if (homeFolder !== null && path.startsWith(`${homeFolder}/`))
    ways.push(`~${path.slice(homeFolder.length)}`);
  if (workingFolder !== null) ways.push(relative(workingFolder, path));
  return ways.reduce((one, other) => (other.length < one.length ? other : one));
}

/** The line of a file that sets a value, as compilers print it: `rc.yaml:3`, or the row of a spreadsheet; null for any other source. */
export function placeInFile(source: Source): string | null {
  if (source.kind === "account-line") return source.place;
  return source.kind === "rc" ? `${source.shown ?? source.file}:${source.line}` : null;
}

/** The source as messages name it: `--token`, `REFERRAL_TOKEN`, `token at rc.yaml:3`. */
export function describeSource(source: Source): string {
  switch (source.kind) {
    case "flag":
      return source.flag;
    case "environment":
      return source.variable;
    case "rc":
      return `${source.key} at ${placeInFile(source)}`;
    case "account-line":
      return `${source.key} in ${source.place}`;
    case "option":
      return source.option;
    case "default":
      return "the default";
  }
}

/** `A and B are set`, or `A is set`. */
export const areSet = (names: readonly string[]): string =>
  `${names.join(" and ")} ${names.length === 1 ? "is" : "are"} set`;

/** Says which of these variables are set and empty, and so count as unset: `A and B are set and empty`; null for none. */
export function describeEmpty(
  variables: readonly string[],
  environment: Context["environment"],
): string | null {
  const empty = variables.filter((variable) => environment[variable] === "");
  return empty.length === 0 ? null : `${areSet(empty)} and empty`;
}

const mostStrange = 5;

const prefix = "REFERRAL_";

/**
 * The set variables that begin with REFERRAL_, or nearly are one of `known`, and are none; first those with a near name, `meant`. A name of
 * another form is left out: it may be a secret.
 */
export function strangeVariables(
  known: readonly string[],
  environment: Context["environment"],
): ReadonlyArray<{ readonly name: string; readonly meant: string | null }> {
  const ours = known.filter((name) => name.startsWith(prefix));
  const ends = ours.map((name) => name.slice(prefix.length));
  const meantBy = (name: string): string | null => {
    const end = name.startsWith(prefix) ? nearest(name.slice(prefix.length), ends) : undefined;
    return end === undefined ? (ours.find((one) => isMisspelt(name, [one])) ?? null) : prefix + end;
  };
  return Object.keys(environment)
    .filter((name) => /^\w{1,50}$/.test(name) && environment[name] && !known.includes(name))
    .map((name) => ({ name, meant: meantBy(name) }))
    .filter(({ name, meant }) => meant !== null || name.startsWith(prefix))
    .sort((a, b) => Number(b.meant !== null) - Number(a.meant !== null))
    .slice(0, mostStrange);
}

/** The same in words: `REFERRAL_TOKN is set and is no setting: did you mean REFERRAL_TOKEN?`; null for none. */
export function describeStrange(variables: ReturnType<typeof strangeVariables>): string | null {
  const each = variables.map(
    ({ name, meant }) =>
      `${name} is set and is no setting${meant === null ? "" : ` (did you mean ${meant}?)`}`,
  );
  return each.join("; ") || null;
}

/** A part of a credential and its source: `token from REFERRAL_TOKEN`, `token at rc.yaml:3`. */
export function describePart(name: string, source: Source): string {
  const place = describeSource(source);
  return "key" in source && source.key === name ? place : `${name} from ${place}`;
}
