import { InputError } from "../errors.ts";
import type { SettingText } from "./levels.ts";
import { describePart, describeSource } from "./source.ts";
import { definitionOf } from "./table.ts";

/** The error of a value that cannot be used; `problem` is the end of a sentence. */
export function invalid(
  { setting, source }: Pick<SettingText, "setting" | "source">,
  problem: string,
  hint: string,
): InputError {
  // An invalid number or choice in a flag is a usage error. Everything else is an invalid setting.
  const { kind } = definitionOf(setting);
  const usage = source.kind === "flag" && (kind === "number" || kind === "choice");
  const isPart = kind === "secret" || kind === "text";
  const place = isPart ? `The ${describePart(setting, source)}` : describeSource(source);
  return new InputError(usage ? "usage" : "settings", `${place} ${problem}`, hint);
}
