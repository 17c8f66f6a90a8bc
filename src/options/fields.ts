import { wrongSettings } from "../errors.ts";
import { meantOrNearest, nearest } from "../settings/nearest.ts";
import { isFields, program, readOption, text, yesOrNo } from "./readers.ts";

// A program without types can pass anything. So every function of the library and the emulator checks the names of its options
// here, and the type of each; the code that reads settings then checks the value.

/** The name that is near; or one that contains the word or its beginning, as in `timeoutMs`, or that it contains. */
function nameMeant(word: string, names: readonly string[]): string | undefined {
  const folded = (text: string): string => text.toLowerCase().replace(/[-_]/g, "");
  const [whole, beginning = whole] = [folded(word), /^[a-z]{4,}/.exec(word)?.[0]];
  const contains = (name: string): boolean => folded(name).includes(whole) || whole.includes(folded(name));
  const isShort = whole.length < 2;
  return (
    nearest(word, names) ??
    (isShort ? undefined : (names.find(contains) ?? names.find((name) => folded(name).startsWith(beginning))))
  );
}

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
  throw wrongSettings(
    `${option} has no field "${shown(unknown)}"`,
    meantOrNearest(unknown, names, nameMeant(unknown, names)),
  );
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
