import { isFields, program, readOption, text, yesOrNo } from "../emulator/readers.ts";
import { wrongSettings } from "../errors.ts";
import { insteadOf, rightShape } from "./guesses.ts";

// A program without types can pass anything. So every function of the library checks the names of its options here, and the
// type of each; the code that reads settings then checks the value.

/**
 * The fields of an object that has these and no others; their values are unknown. Throws InputError for what is no object of
 * fields, such as a list or a signal, and for another name, which would be ignored silently. The hint shows the right `shape`.
 */
export function fieldsNamed(
  names: readonly string[],
  option: string,
  given: unknown,
  shape?: string,
): Readonly<Record<string, unknown>> {
  if (!isFields(given))
    throw wrongSettings(`${option} is not an object with fields`, `Write ${shape ?? rightShape(names)}`);
  // Read each field once, so that the value that was checked is the value that is used.
  const fields: Readonly<Record<string, unknown>> = { ...given };
  const set = Object.keys(fields).filter((name) => fields[name] !== undefined);
  const unknown = set.find((name) => !names.includes(name));
  if (unknown === undefined) return fields;
  const hint = insteadOf(unknown, names, shape ?? rightShape(names, set));
  throw wrongSettings(`${option} has no field ${JSON.stringify(unknown)}`, hint);
}

/** A text. Throws InputError for anything else. */
export function textOption(option: string, given: unknown): string {
  return readOption(text, given, option, program);
}

/** A number as the text of a setting, to nine decimal places. Throws InputError for anything else. */
export function numberOption(option: string, given: unknown): string {
  if (typeof given === "number") return String(Number(given.toFixed(9)));
  throw wrongSettings(`${option} is not a number`, "Leave it out for the default");
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
  throw wrongSettings(`${option} is not an AbortSignal`, "Give the signal of an AbortController");
}
