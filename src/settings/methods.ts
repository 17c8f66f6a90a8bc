import type { Level } from "./levels.ts";
import type { Settings } from "./resolve.ts";
import { alternativesOf } from "./table.ts";

type Method = "token" | "wsse";

// In a file a username alone says that WSSE is meant. As a flag or variable it may be there for another account.
function namesAccount(level: Level): boolean {
  const kind = level.get("username")?.source.kind;
  return kind !== undefined && kind !== "flag" && kind !== "environment";
}

function methodsIn(levels: readonly Level[]): readonly Method[] {
  const names = (name: "token" | "secret"): boolean =>
    levels.some((level) => alternativesOf(name).some((one) => level.has(one)));
  const methods: Method[] = [];
  if (names("token")) methods.push("token");
  if (names("secret") || levels.some(namesAccount)) methods.push("wsse");
  return methods;
}

/**
 * The methods to check if no flag selects one. If an account is chosen, those of the first level that names a credential;
 * without an account, those that any level names.
 */
export function namedMethods({ levels, scope }: Settings): readonly Method[] {
  if (scope.chosenBy === "none") return methodsIn(levels);
  return levels.map((level) => methodsIn([level])).find((methods) => methods.length > 0) ?? [];
}
