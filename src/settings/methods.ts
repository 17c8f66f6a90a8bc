import { type Level, type SettingText, textFor, textsFor } from "./levels.ts";
import type { Precedence } from "./precedence.ts";

const isInFile = ({ source: { kind } }: SettingText): boolean => kind !== "flag" && kind !== "environment";

// In a file a username alone says that WSSE is meant. As a flag or variable it may be there for another account.
function methodsIn(levels: readonly Level[]): ReadonlyArray<"token" | "wsse"> {
  const methods: Array<"token" | "wsse"> = [];
  if (textFor(levels, "token")) methods.push("token");
  if (textFor(levels, "secret") || textsFor(levels, "username").some(isInFile)) methods.push("wsse");
  return methods;
}

/**
 * The methods to check if no flag selects one. If an account is chosen, those of the first level that names a credential;
 * without an account, those that any level names.
 */
export function namedMethods({ levels, accountChosen }: Precedence): ReadonlyArray<"token" | "wsse"> {
  if (!accountChosen) return methodsIn(levels);
  for (const level of levels) {
    const methods = methodsIn([level]);
    if (methods.length > 0) return methods;
  }
  return [];
}
