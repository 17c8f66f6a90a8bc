import { InputError } from "../errors.ts";

// A program without types can pass anything, so whatever it passes is unknown until one of these has checked it.

/** The mistake of an option, named as the program passes it. */
export function invalidOption(option: string, problem: string, hint: string): InputError {
  return new InputError("settings", `${option} ${problem}`, hint);
}

/** The fields of an object, whose values are unknown. Throws InputError if it is no object. */
export function fieldsOf(option: string, given: unknown): Readonly<Record<string, unknown>> {
  if (typeof given === "object" && given !== null) return given as Record<string, unknown>;
  throw invalidOption(option, "is not an object", "Give an object, as the documentation shows");
}

/** A text; empty if it is left out. Throws InputError for anything else. */
export function textFor(option: string, given: unknown): string {
  if (given === undefined) return "";
  if (typeof given === "string") return given;
  throw invalidOption(option, "is not a text", "Give a string");
}

/** True or false; false if it is left out. Throws InputError for anything else, since every text is true. */
export function booleanFor(option: string, given: unknown): boolean {
  if (given === undefined) return false;
  if (typeof given === "boolean") return given;
  throw invalidOption(option, "is neither true nor false", "Write true or false, without quotes");
}

/** A list; empty if it is left out. Throws InputError for anything else. */
export function listFor(option: string, given: unknown): readonly unknown[] {
  if (given === undefined) return [];
  if (Array.isArray(given)) return [...given];
  throw invalidOption(option, "is not a list", "Give an array");
}

/** What a number has to be; both bounds are included. */
export interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
  /** Whether it may have a fraction. */
  readonly fraction?: boolean;
}

/** A number within its bounds. Throws InputError for anything else. */
export function numberFor(
  option: string,
  given: unknown,
  { minimum = 0, maximum = Number.MAX_SAFE_INTEGER, fraction = false }: Bounds,
): number {
  const wellFormed = fraction ? Number.isFinite(given) : Number.isInteger(given);
  if (typeof given === "number" && wellFormed && given >= minimum && given <= maximum) return given;
  const what = fraction ? "a number" : "a whole number";
  throw invalidOption(option, `is not ${what} from ${minimum} to ${maximum}`, "Leave it out for the default");
}

/** One of the names; the default if it is left out. Throws InputError for anything else. */
export function choiceFor<Name extends string>(
  option: string,
  given: unknown,
  names: readonly Name[],
  standard: Name,
): Name {
  const chosen = given === undefined ? standard : names.find((name) => name === given);
  if (chosen !== undefined) return chosen;
  throw invalidOption(option, `is not one of ${names.join(", ")}`, "Write one of them");
}

/** A signal; undefined if it is left out. Throws InputError for anything else. */
export function signalFor(option: string, given: unknown): AbortSignal | undefined {
  if (given === undefined || given instanceof AbortSignal) return given;
  throw invalidOption(option, "is not an AbortSignal", "Give the signal of an AbortController");
}
