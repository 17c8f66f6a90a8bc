import { InputError } from "../errors.ts";

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

/** Reads a value. Throws InputError if it is invalid. */
export function readOption<Value>(
  { read, problem, hint }: Reader<Value>,
  given: unknown,
  option: string,
  { kind, nameOf }: Giver,
): Value {
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
