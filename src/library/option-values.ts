import { InputError } from "../errors.ts";
import { nearestFirst } from "../settings/nearest.ts";

// A program without types can pass anything. So the names and the type of each option are checked first; the code that reads
// settings then checks the value.

/** The error for an option, with the name that the program uses. */
export function invalidOption(option: string, problem: string, hint: string): InputError {
  return new InputError("settings", `${option} ${problem}`, hint);
}

/** The fields of an object, whose values are unknown. Throws InputError if it is not an object. */
export function fieldsOf(option: string, given: unknown): Readonly<Record<string, unknown>> {
  // Read each field once, so that the value that was checked is the value that is used.
  if (typeof given === "object" && given !== null) return { ...given };
  throw invalidOption(option, "is not an object", "Give an object, as the documentation shows");
}

/**
 * The fields of an object that has these and no others. Throws InputError for another name, which would be ignored silently, and
 * names the nearest. An account may have more fields: programs pass their own objects.
 */
export function fieldsNamed(
  names: readonly string[],
  option: string,
  given: unknown,
): Readonly<Record<string, unknown>> {
  const fields = fieldsOf(option, given);
  for (const name of Object.keys(fields)) {
    if (names.includes(name) || fields[name] === undefined) continue;
    const [nearest, ...others] = nearestFirst(name, names);
    throw invalidOption(
      option,
      `has no field ${JSON.stringify(name)}`,
      `Did you mean ${nearest}? The others are ${others.join(", ")}`,
    );
  }
  return fields;
}

/** A text. Throws InputError for anything else. */
export function textOption(option: string, given: unknown): string {
  if (typeof given === "string") return given;
  throw invalidOption(option, "is not a text", "Give a string");
}

/** A number as the text of a setting, to nine decimal places. Throws InputError for anything else. */
export function numberOption(option: string, given: unknown): string {
  if (typeof given === "number") return String(Number(given.toFixed(9)));
  throw invalidOption(option, "is not a number", "Leave it out for the default");
}

/** True or false; false if it is left out. Throws InputError for anything else, since JavaScript treats every non-empty text as true. */
export function booleanOption(option: string, given: unknown): boolean {
  if (given === undefined) return false;
  if (typeof given === "boolean") return given;
  throw invalidOption(option, "is neither true nor false", "Write true or false, without quotes");
}

/** A signal; undefined if it is left out. Throws InputError for anything else. */
export function signalOption(option: string, given: unknown): AbortSignal | undefined {
  // No `instanceof`: a test environment such as jsdom has an AbortSignal of its own.
  const isSignal =
    typeof given === "object" &&
    given !== null &&
    "aborted" in given &&
    "addEventListener" in given &&
    "removeEventListener" in given;
  if (given === undefined || isSignal) return given as AbortSignal | undefined;
  throw invalidOption(option, "is not an AbortSignal", "Give the signal of an AbortController");
}
