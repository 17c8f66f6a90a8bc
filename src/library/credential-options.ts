// Reads a credential that a program gives. It stands apart from the table of settings, so that the bundle of a header stays
// small.

import type { SentCredential } from "../check/credential.ts";
import { wrongSettings } from "../errors.ts";
import { fieldsNamed, Invalid, textOption, unexpandedOption } from "../options/readers.ts";
import { type Method, methodParts } from "../settings/definition.ts";
import { partReaders } from "../settings/secret.ts";
import { describePart } from "../settings/source.ts";
import { defaultAlgorithm } from "../wsse/digest.ts";
import { isPlaceholder } from "../wsse/placeholders.ts";

/** A credential may have the parts of both methods, and `profile`, so that an account of the emulator can be given as it is. */
const fieldNames = [
  "method",
  ...Object.values(methodParts).flatMap(({ required, conventions }) => [...required, ...conventions]),
  "profile",
];

/** What to write where no credential can be read. */
export const credentialShape = '{ method: "token", token } or { method: "wsse", username, secret }';

/**
 * The given parts of a credential. Throws InputError for a missing or unknown one, and for one that is no text. With `onlyMethod` a
 * credential may leave its method out, and may have no other.
 */
export function credentialOptions(option: string, given: unknown, onlyMethod?: Method) {
  const shape = onlyMethod === undefined ? credentialShape : "wsseHeader({ username, secret })";
  if (given === undefined) throw wrongSettings(`${option} is missing`, `Write ${shape}`);
  const fields = fieldsNamed(fieldNames, option, given, shape);
  const { method = onlyMethod } = fields;
  if ((method !== "token" && method !== "wsse") || method !== (onlyMethod ?? method)) {
    const problem =
      method === undefined
        ? "is missing"
        : onlyMethod === undefined
          ? "is neither token nor wsse"
          : `is not ${onlyMethod}`;
    throw wrongSettings(`${option}.method ${problem}`, `Write ${shape}`);
  }
  const { required, conventions } = methodParts[method];
  const missing = required.find((name) => fields[name] === undefined);
  if (missing !== undefined)
    throw wrongSettings(`${option}.${missing} is missing`, `Give the ${missing} as a string`);
  const set = [...required, ...conventions].filter((name) => fields[name] !== undefined);
  return {
    method: method satisfies Method as Method,
    given: set.map((setting) => {
      const source = { kind: "option", option: `${option}.${setting}` } as const;
      const text = textOption(source.option, fields[setting]);
      if (isPlaceholder(text)) throw unexpandedOption(source.option);
      return { setting, text, source };
    }),
  };
}

/** The credential that these options describe. Throws InputError for those that a check refuses, with the same message. */
export function credentialFrom(option: string, given: unknown, onlyMethod?: "wsse"): SentCredential {
  const options = credentialOptions(option, given, onlyMethod);
  const entries = options.given.map(({ setting, text, source }) => {
    const value = partReaders[setting].parse(text);
    if (!(value instanceof Invalid)) return [setting, value];
    const isConvention = ["digest", "hash", "authorization"].includes(setting);
    const subject = isConvention ? source.option : `The ${describePart(setting, source)}`;
    throw wrongSettings(`${subject} ${value.problem}`, value.hint);
  });
  const defaults = options.method === "wsse" && { ...defaultAlgorithm, authorization: "none" };
  return { method: options.method, ...defaults, ...Object.fromEntries(entries) } as SentCredential;
}
