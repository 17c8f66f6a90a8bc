import { InputError } from "../errors.ts";
import { nearestFirst } from "../settings/nearest.ts";

// A program without types can pass anything. So the names and the type of each option are checked first; the code that reads
// settings then checks the value.

/** The error for an option, with the name that the program uses. */
export function invalidOption(option: string, problem: string, hint: string): InputError {
  return new InputError("settings", `${option} ${problem}`, hint);
}

/**
 * The fields of an object, whose values are unknown. Throws InputError if it is not an object, and for a field that does not
 * exist: it would be ignored silently.
 */
export function fieldsOf(
  option: string,
  given: unknown,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  if (typeof given !== "object" || given === null)
    throw invalidOption(option, "is not an object", "Give an object, as the documentation shows");
  const fields = { ...given } as Record<string, unknown>;
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
