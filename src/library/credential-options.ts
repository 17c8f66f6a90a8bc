import { fieldsOf, invalidOption, textOption } from "./option-values.ts";

/** The options that make up a credential of each method. */
const parts = {
  token: { required: ["token"], optional: [] },
  wsse: { required: ["username", "secret"], optional: ["digest", "hash", "authorization"] },
} as const;
/** The name of an option that is a part of a credential. */
export type PartName = (typeof parts)["token" | "wsse"]["required" | "optional"][number];

/** One option of a credential: its name as the program writes it, and its text. */
export interface PartOption {
  readonly name: PartName;
  readonly option: string;
  readonly text: string;
}

/** The error for a required option without a value. */
export const missingOption = (option: string, hint: string) => invalidOption(option, "is missing", hint);

/**
 * The parts of a credential that are given. Throws InputError for a required one that is missing, and for one that is not a
 * text. `onlyMethod` is the method of a credential that names none.
 */
export function credentialOptions(
  option: string,
  given: unknown,
  onlyMethod?: keyof typeof parts,
): { readonly method: keyof typeof parts; readonly given: readonly PartOption[] } {
  if (given === undefined) throw missingOption(option, 'Give an object like { method: "token", token }');
  const fields = fieldsOf(option, given);
  const method = onlyMethod ?? fields.method;
  if (method !== "token" && method !== "wsse")
    throw invalidOption(`${option}.method`, "is neither token nor wsse", "Write one of them");
  const { required, optional } = parts[method];
  const missing = required.find((name) => fields[name] === undefined);
  if (missing !== undefined) throw missingOption(`${option}.${missing}`, `Give the ${missing} as a string`);
  const all: readonly PartName[] = [...required, ...optional];
  return {
    method,
    given: all.flatMap((name) => {
      const place = `${option}.${name}`;
      return fields[name] === undefined
        ? []
        : [{ name, option: place, text: textOption(place, fields[name]) }];
    }),
  };
}
