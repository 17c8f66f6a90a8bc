import { InputError, wrongSettings } from "../errors.ts";
import { nearestAndOthers } from "../settings/nearest.ts";
import { isPlaceholder } from "../wsse/placeholders.ts";

/** How the value of an option is read, from a program's value or the text of a flag. */
export interface Reader<Value = unknown> {
  /** The value; undefined if it is invalid. */
  readonly read: (given: unknown) => Value | undefined;
  /** What is wrong with an invalid value: the end of a sentence that begins with the option. It never holds the value. */
  readonly problem: string;
  /** What to write instead. */
  readonly hint: string;
  /** Names that completion suggests. */
  readonly choices?: readonly string[];
}

/** Who gives an option: how an error names the option, and the kind of the error. */
export interface Giver {
  readonly kind: InputError["kind"];
  nameOf(option: string): string;
}

/** A program that gives an option by its name. */
export const program: Giver = { kind: "settings", nameOf: (option) => option };

/** The error of a value that is a placeholder as a whole. */
export const unexpanded = (option: string): InputError =>
  wrongSettings(
    `${option} is a placeholder in braces that nothing filled in`,
    "Write the value itself: a shell expands nothing in single quotes, JavaScript only between backticks",
  );

/** Reads a value. Throws InputError if it is invalid. */
export function readOption<Value>(
  { read, problem, hint }: Reader<Value>,
  given: unknown,
  option: string,
  { kind, nameOf }: Giver,
): Value {
  if (typeof given === "string" && isPlaceholder(given)) throw unexpanded(nameOf(option));
  const value = read(given);
  if (value !== undefined) return value;
  throw new InputError(kind, `${nameOf(option)} ${problem}`, hint);
}

/** Whether it is an object whose fields can be read: no list, and nothing that holds its values elsewhere, such as a Map. */
export function isFields(given: unknown): given is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(given) === "[object Object]";
}

/** One of a fixed list of names. */
export function oneOf<Name extends string>(choices: readonly Name[]) {
  return {
    choices,
    problem: `is not one of ${choices.join(", ")}`,
    hint: "Write one of them",
    read: (given: unknown) => choices.find((one) => one === given),
  };
}

/** A text. */
export const text = {
  problem: "is not a text",
  hint: "Give a string",
  read: (given: unknown) => (typeof given === "string" ? given : undefined),
};

/** True or false; false if it is left out. */
export const yesOrNo = {
  fallback: false as boolean,
  problem: "is neither true nor false",
  hint: "Write true or false, without quotes",
  read: (given: unknown) => (typeof given === "boolean" ? given : undefined),
};

/** A whole number in this range, from a number or its text; 0 if it is left out. The example is for who gives another. */
export function wholeNumber(minimum: number, maximum: number, example: string) {
  return {
    fallback: 0 as number,
    problem: `is not a whole number from ${minimum} to ${maximum}`,
    hint: `Write ${example}`,
    read(given: unknown) {
      const number = typeof given === "string" && /^[+-]?\d{1,12}$/.test(given) ? Number(given) : given;
      const fits = Number.isInteger(number) && Number(number) >= minimum && Number(number) <= maximum;
      return fits ? Number(number) : undefined;
    },
  };
}

/** The same for a number alone: a text of digits is a mistake in JSON, and right in a flag. */
export function number<Value>({ read, ...row }: Reader<Value>): Reader<Value> {
  return { ...row, read: (given) => (typeof given === "number" ? read(given) : undefined) };
}

// A program without types can pass anything. So every function of the library and the emulator checks the names of its options
// here, and the type of each; the code that reads settings then checks the value.

/**
 * The fields of an object that has these and no others; their values are unknown. Throws InputError for what is no object of
 * fields, such as a list or a signal, and for another name, which would be ignored silently. `shape` is what to write instead;
 * `shown` makes a name fit for a message, where others may have written it.
 */
export function fieldsNamed(
  names: readonly string[],
  option: string,
  given: unknown,
  shape: string = `{ ${names.join(", ")} }`,
  shown: (name: string) => string = (name) => name,
): Readonly<Record<string, unknown>> {
  if (!isFields(given)) throw wrongSettings(`${option} is not an object with fields`, `Write ${shape}`);
  // Read each field once, so that the value that was checked is the value that is used.
  const fields: Readonly<Record<string, unknown>> = { ...given };
  const unknown = Object.keys(fields).find((name) => fields[name] !== undefined && !names.includes(name));
  if (unknown === undefined) return fields;
  throw wrongSettings(`${option} has no field "${shown(unknown)}"`, nearestAndOthers(unknown, names));
}

/** A text that is not empty. Throws InputError for anything else. */
export function textOption(option: string, given: unknown): string {
  if (given === "") throw wrongSettings(`${option} is empty`, "Give a value, or leave it out");
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
