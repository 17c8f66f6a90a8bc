// Apart from the parts of each method: these need the table of settings, which would double a header's bundle.
import type { Level } from "./levels.ts";
import { type Method, methodParts } from "./method-parts.ts";
import type { Settings } from "./resolve.ts";
import { alternativesOf, type SettingName } from "./table.ts";

function names(part: SettingName, level: Level): boolean {
  if (part !== "username") return alternativesOf(part).some((one) => level.has(one));
  // In a file a username alone says that WSSE is meant. As a flag or variable it may be there for another account.
  const kind = level.get(part)?.source.kind;
  return kind !== undefined && kind !== "flag" && kind !== "environment";
}

function methodsIn(levels: readonly Level[]): readonly Method[] {
  return (["token", "wsse"] as const).filter((method) =>
    levels.some((level) => methodParts[method].required.some((part) => names(part, level))),
  );
}

/**
 * The methods to check if no flag selects one. If an account is chosen, those of the first level that names a credential;
 * without an account, those that any level names.
 */
export function namedMethods({ levels, scope }: Settings): readonly Method[] {
  if (scope.chosenBy === "none") return methodsIn(levels);
  return levels.map((level) => methodsIn([level])).find((methods) => methods.length > 0) ?? [];
}
