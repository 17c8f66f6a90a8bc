import { type Level, type SettingText, textsFor } from "./levels.ts";
import type { Precedence } from "./precedence.ts";

const isInFile = ({ source: { kind } }: SettingText): boolean => kind !== "flag" && kind !== "environment";

// In a file a username alone says that WSSE is meant. As a flag or variable it may be there for another account.
function methodsIn(levels: readonly Level[]): ReadonlyArray<"token" | "wsse"> {
  const given = (name: "token" | "username" | "secret") => textsFor(levels, name);
  const wsse = given("secret").length > 0 || given("username").some(isInFile);
  return [...(given("token").length > 0 ? (["token"] as const) : []), ...(wsse ? (["wsse"] as const) : [])];
}

/**
 * The methods to check if no flag selects one. If an account is chosen, those of the first level that names a credential;
 * without an account, those that any level names.
 */
export function namedMethods({ levels, accountChosen }: Precedence): ReadonlyArray<"token" | "wsse"> {
  const groups = accountChosen ? levels.map((level) => [level]) : [levels];
  return groups.map(methodsIn).find((methods) => methods.length > 0) ?? [];
}
