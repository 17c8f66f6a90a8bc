import { InputError, orNull } from "../errors.ts";
import type { Context } from "../system/context.ts";
import { type Inputs, standardInput, whyByHand } from "./inputs.ts";
import type { SettingText } from "./levels.ts";
import { peekSecretFile } from "./named-file.ts";
import { parsed, type Settings } from "./resolve.ts";
import { type Secret, type SecretName, textProblem } from "./secret.ts";
import { placedError } from "./source.ts";
import { definitionOf } from "./table.ts";

const maxSecretBytes = 64 * 1024;

/** The token or the WSSE secret, and the text of the setting that gave it; null if none is set. Rejects with InputError. */
export async function readSecret(
  name: SecretName,
  settings: Settings,
  inputs: Inputs,
): Promise<{ readonly value: Secret; readonly given: SettingText } | null> {
  const { given } = settings.get(name);
  if (given === null || given.setting === name) {
    const value = settings.value(name);
    return given && value && { value, given };
  }
  const text = await content(given, settings, inputs);
  const value = parsed(name, { ...given, setting: name, text });
  if (value instanceof InputError) throw unusable(name, given, text) ?? value;
  return { value, given };
}

/** The error of a command that prints nothing, and of a text with several lines: a password manager may print more. Else null. */
function unusable(name: SecretName, { setting, source }: SettingText, text: string): InputError | null {
  const isCommand = definitionOf(setting).kind === "command";
  if (text === "" && isCommand)
    return placedError(
      (place) => `The command of ${place(source)} printed nothing; its exit code is 0`,
      whyByHand,
    );
  if (!/[\r\n]/.test(text.replace(/\r$/, ""))) return null;
  const emptyLine = /^\r?\n/.test(text) ? "begins with an empty line" : "has a second, empty line";
  const problem = `${isCommand ? "its output" : "the input"} ${textProblem(text) ?? emptyLine}`;
  return placedError(
    (place) => `The ${name} cannot be read from ${place(source)}: ${problem}`,
    isCommand ? `Make the command print the ${name} alone` : `Leave only the ${name} in it`,
  );
}

async function content(given: SettingText, settings: Settings, inputs: Inputs): Promise<string> {
  const bytes = await inputs.read(given, settings, maxSecretBytes);
  const wrong = (problem: string, hint: string): InputError =>
    placedError((place) => `The input from ${place(given.source)} ${problem}`, hint);
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw wrong("begins with the byte order mark of UTF-16", "Save it as UTF-8 without a byte order mark");
  const text = orNull(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  if (text === null) throw wrong("is not UTF-8 text", "Save it as UTF-8 text");
  return text.replace(/\r?\n$/, "");
}

/** The token and the secret of an account, as far as they can be read without waiting: from no standard input, by no command. */
export function secretsAtHand(
  settings: Settings,
  context: Context,
): Readonly<Record<SecretName, string | null>> {
  const textOf = (name: SecretName): string | null => {
    const { given } = settings.get(name);
    if (given === null || given.text === standardInput) return null;
    if (definitionOf(given.setting).kind === "command") return null;
    return given.setting === name ? given.text : peekSecretFile(given, maxSecretBytes, context);
  };
  return { token: textOf("token"), secret: textOf("secret") };
}
