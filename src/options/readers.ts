// The one kit that reads values of settings and options. A reader gives the value, or says what is wrong with it in words that
// never hold it.

import { InputError, wrongSettings } from "../errors.ts";
import { unseenIn } from "../wsse/characters.ts";
import { isPlaceholder } from "../wsse/placeholders.ts";
import { didYouMean } from "./nearest.ts";

/** Why something is no value of its option (the end of a sentence), and what to write instead. Neither holds the value. */
export class Invalid {
  readonly problem: string;
  readonly hint: string;
  /** It marks our own objects: the body of a planned answer may have the same fields. */
  protected readonly isOurs = true;

  constructor(problem: string, hint: string) {
    this.problem = problem;
    this.hint = hint;
  }
}

/** Makes an Invalid. */
export const faulty = (problem: string, hint: string): Invalid => new Invalid(problem, hint);

/** How a value is read: that of a setting from its text, that of an option from what a program or a flag gives. */
export interface Reader<Value = unknown, Given = unknown> {
  readonly parse: (given: Given) => Value | Invalid;
  /** Its names, if it is one of a fixed list. */
  readonly choices?: readonly string[];
}

/** Who gives an option: how an error names the option, and the kind of the error. */
export interface Giver {
  readonly kind: InputError["kind"];
  nameOf(option: string): string;
}

/** A program that gives an option by its name. */
export const program: Giver = { kind: "settings", nameOf: (option) => option };

/** Somebody who types an option as a flag. */
export const commandLine: Giver = { kind: "usage", nameOf: (flag) => flag };

/** The error of a value that is a placeholder as a whole. */
export const unexpandedOption = (option: string): InputError =>
  wrongSettings(
    `${option} is a placeholder in braces that nothing filled in`,
    "Write the value itself: a shell expands nothing in single quotes, JavaScript only between backticks",
  );

/** Reads a value. Throws InputError if it is invalid. */
export function readOption<Value>(
  { parse }: Reader<Value>,
  given: unknown,
  option: string,
  { kind, nameOf }: Giver,
): Value {
  if (typeof given === "string" && isPlaceholder(given)) throw unexpandedOption(nameOf(option));
  const value = parse(given);
  if (!(value instanceof Invalid)) return value;
  const { problem, hint } = (typeof given === "string" ? unseenIn(given) : null) ?? value;
  throw new InputError(kind, `${nameOf(option)} ${problem}`, hint);
}

/** Whether it is an object whose fields can be read: no list, and nothing that holds its values elsewhere, such as a Map. */
export function isFields(given: unknown): given is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(given) === "[object Object]";
}

/** One of a fixed list of names. */
export function choice<Name extends string>(choices: readonly Name[]) {
  return {
    kind: "choice" as const,
    choices,
    parse: (given: unknown): Name | Invalid =>
      choices.find((one) => one === given) ??
      faulty(
        `is not one of ${choices.join(", ")}`,
        didYouMean(String(given), choices) || "Write one of them",
      ),
  };
}

/** A text. */
export const text: Reader<string> = {
  parse: (given) => (typeof given === "string" ? given : faulty("is not a text", "Give a string")),
};

/** True or false. */
export const yesOrNo: Reader<boolean> = {
  parse: (given) =>
    typeof given === "boolean"
      ? given
      : faulty("is neither true nor false", "Write true or false, without quotes"),
};

const unsigned = /^\d{1,9}(?:\.\d{1,9})?$/;
const signed = /^[+-]?\d{1,10}(?:\.\d{1,9})?$/;

/** A number in this range, from its text or a number; whole unless `fraction` is set. The example is for who gives another. */
export function number(
  minimum: number,
  maximum: number,
  { fraction = false, example = "" }: { readonly fraction?: boolean; readonly example?: string } = {},
) {
  const what = fraction ? "a number" : "a whole number";
  const form = minimum < 0 ? signed : unsigned;
  return {
    kind: "number" as const,
    minimum,
    maximum,
    fraction,
    parse(given: unknown): number | Invalid {
      const isNumeral = typeof given === "string" && form.test(given) && (fraction || !given.includes("."));
      const value = isNumeral ? Number(given) : given;
      const fits = typeof value === "number" && value >= minimum && value <= maximum;
      if (fits && (fraction || Number.isInteger(value))) return value;
      const hint = `Write ${example || `${what} like ${Math.max(minimum, 5)}`}`;
      return faulty(`is not ${what} from ${minimum} to ${maximum}`, hint);
    },
  };
}

/** The same without a text: digits in quotes are a mistake in JSON, and right in a flag. */
export function unquoted<Value>({ parse }: Reader<Value>): Reader<Value> {
  return { parse: (given) => parse(typeof given === "string" ? null : given) };
}

// A program without types can pass anything. So every function of the library and the emulator checks the names of its options
// here, and the type of each; the code that reads settings then checks the value.

/**
 * The fields of an object. Throws InputError if it is no object with fields (a list or an AbortSignal is none), or has one not in `names`,
 * which would be ignored silently. `shape` is what to write instead; `shown` masks a name that others may have written.
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
  const hint = [didYouMean(unknown, names), `Write ${shape}`].filter((part) => part !== "").join(" ");
  throw wrongSettings(`${option} has no field "${shown(unknown)}"`, hint);
}

/** A text that is not empty. Throws InputError for anything else. */
export function textOption(option: string, given: unknown): string {
  if (given === "") throw wrongSettings(`${option} is empty`, "Give a value, or leave it out");
  return readOption(text, given, option, program);
}

/** A number as the text of a setting, to nine decimal places. Throws InputError for anything else. */
export function numberOption(option: string, given: unknown): string {
  if (typeof given === "number") return String(Number(given.toFixed(9)));
  const hint =
    typeof given === "string" ? "Write a number like 5, without quotes" : "Leave it out for the default";
  throw wrongSettings(`${option} is not a number`, hint);
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
  // `fetch` takes null too.
  if (given === undefined || given === null) return undefined;
  if (isSignal) return given as AbortSignal;
  throw wrongSettings(`${option} is not an AbortSignal`, "Give the signal of an AbortController");
}
