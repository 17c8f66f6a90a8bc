/** Who set a value: you, or an rc file found in the working tree, which any checkout may contain. */
export type Trust = "yours" | "found";

/** What to do about an rc file that is refused only because it was found in the working tree. */
export const ifTrusted = (path: string): string =>
  `If you trust it, name it with --config ${path}; otherwise use --no-config`;

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a value was set. The line is counted from 1. */
export type Source =
  | { readonly kind: "flag"; readonly flag: string }
  | { readonly kind: "environment"; readonly variable: string }
  | {
      readonly kind: "rc";
      readonly file: string;
      readonly line: number;
      readonly key: string;
      readonly trust: Trust;
    }
  /** An option of a program that uses the library, as the program writes it: `credential.token`. */
  | { readonly kind: "option"; readonly option: string }
  /** A line of the stream that `--accounts` names. */
  | { readonly kind: "account-line"; readonly line: number; readonly key: string }
  | { readonly kind: "default" };

/** Everything is yours except an rc file that was found in the working tree. */
export function trustOf(source: Source): Trust {
  return source.kind === "rc" ? source.trust : "yours";
}

/** The source as messages name it: `--token`, `REFERRAL_TOKEN`, `token in /home/me/.referralrc, line 3`. */
export function describeSource(source: Source): string {
  switch (source.kind) {
    case "flag":
      return source.flag;
    case "environment":
      return source.variable;
    case "rc":
      return `${source.key} in ${source.file}, line ${source.line}`;
    case "option":
      return source.option;
    case "account-line":
      return `${source.key} in line ${source.line} of --accounts`;
    case "default":
      return "the default";
  }
}

/** Says which of these variables are set and empty, and so count as unset: `A and B are set and empty`; null for none. */
export function describeEmpty(variables: readonly string[], environment: Environment): string | null {
  const empty = variables.filter((variable) => environment[variable] === "");
  return empty.length === 0
    ? null
    : `${empty.join(" and ")} ${empty.length === 1 ? "is" : "are"} set and empty`;
}

/** A part of a credential and its source: `token from REFERRAL_TOKEN`, `token in /home/me/.referralrc, line 3`. */
export function describePart(name: string, source: Source): string {
  const place = describeSource(source);
  return "key" in source && source.key === name ? place : `${name} from ${place}`;
}
