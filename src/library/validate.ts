import { program, readOption, yesOrNo } from "../emulator/readers.ts";
import { type InputError, wrongSettings } from "../errors.ts";
import { nearestFirst } from "../settings/nearest.ts";

// A program without types can pass anything. So every function of the library checks the names of its options here, and the
// type of each; the code that reads settings then checks the value.

/** The error for an option, with the name that the program uses. */
export function invalidOption(option: string, problem: string, hint: string): InputError {
  return wrongSettings(`${option} ${problem}`, hint);
}

/**
 * The fields of an object that has these and no others; their values are unknown. Throws InputError for what is no object, and
 * for another name, which would be ignored silently; the hint names the nearest.
 */
export function fieldsNamed(
  names: readonly string[],
  option: string,
  given: unknown,
): Readonly<Record<string, unknown>> {
  if (typeof given !== "object" || given === null)
    throw invalidOption(option, "is not an object", "Give an object, as the documentation shows");
  // Read each field once, so that the value that was checked is the value that is used.
  const fields: Readonly<Record<string, unknown>> = { ...given };
  const unknown = Object.keys(fields).find((name) => !names.includes(name) && fields[name] !== undefined);
  if (unknown === undefined) return fields;
  const [nearest, ...others] = nearestFirst(unknown, names);
  throw invalidOption(
    option,
    `has no field ${JSON.stringify(unknown)}`,
    `Did you mean ${nearest}? The others are ${others.join(", ")}`,
  );
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
  return given === undefined ? false : readOption(yesOrNo, given, option, program);
}

/** A signal; undefined if it is left out. Throws InputError for anything else. */
export function signalOption(option: string, given: unknown): AbortSignal | undefined {
  // No `instanceof`: a test environment such as jsdom has an AbortSignal of its own.
  const members = ["aborted", "addEventListener", "removeEventListener"];
  const isSignal = typeof given === "object" && given !== null && members.every((name) => name in given);
  if (given === undefined || isSignal) return given as AbortSignal | undefined;
  throw invalidOption(option, "is not an AbortSignal", "Give the signal of an AbortController");
}
