import { InputError } from "../errors.ts";
import type { Context } from "../system/context.ts";
import { fieldValueProblem } from "../wsse/header.ts";
import { looksSwapped } from "../wsse/username.ts";
import { type Inputs, standardInput } from "./inputs.ts";
import { type Level, type SettingText, textFor } from "./levels.ts";
import { peekSecretFile } from "./named-file.ts";
import { Secret } from "./secret.ts";
import { describePart, describeSource, type Source } from "./source.ts";
import { definitionOf } from "./table.ts";
import type { CredentialPart } from "./trust.ts";

const maxSecretBytes = 64 * 1024;

/** The two settings that are secret. */
export type SecretName = "token" | "secret";

/** A token or secret, and the setting that gave it. */
export interface ReadSecret extends CredentialPart {
  readonly value: Secret;
}

/** The token or the WSSE secret; null if none is set. Rejects with InputError. */
export async function readSecret(
  name: SecretName,
  levels: readonly Level[],
  inputs: Inputs,
): Promise<ReadSecret | null> {
  const given = textFor(levels, name);
  if (given === undefined) return null;
  return secretFrom(name, given, given.setting === name ? given.text : await content(given, inputs));
}

/** Wraps the text of a secret and records its setting. Throws InputError as `checkSecret` does. */
export function secretFrom(name: SecretName, { setting, source }: SettingText, text: string): ReadSecret {
  checkSecret(name, text, source);
  return { value: new Secret(text), setting, source };
}

async function content(given: SettingText, inputs: Inputs): Promise<string> {
  const bytes = await inputs.read(given, maxSecretBytes);
  const wrong = (problem: string, hint: string): InputError =>
    new InputError("settings", `The input from ${describeSource(given.source)} ${problem}`, hint);
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw wrong("begins with the byte order mark of UTF-16", "Save it as UTF-8 without a byte order mark");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).replace(/\r?\n$/, "");
  } catch {
    throw wrong("is not UTF-8 text", "Save it as UTF-8 text");
  }
}

/**
 * The secrets of an account, and its username if that seems to be the secret: `config` must not show them. To avoid waiting,
 * it reads no standard input and runs no command.
 */
export function secretsAtHand(levels: readonly Level[], context: Context): readonly string[] {
  const [token, secret] = (["token", "secret"] as const).map((name) => {
    const given = textFor(levels, name);
    if (given === undefined || given.text === standardInput) return null;
    if (definitionOf(given.setting).kind === "command") return null;
    return given.setting === name ? given.text : peekSecretFile(given, maxSecretBytes, context);
  });
  const username = textFor(levels, "username")?.text ?? null;
  const isSwapped = username !== null && secret && looksSwapped(username, secret);
  return [token, secret, isSwapped ? username : null].flatMap((text) => text ?? []);
}

/** Throws InputError for a token or secret that no header can carry, or that begins or ends with white space. */
function checkSecret(name: SecretName, text: string, source: Source): void {
  const wrong = (problem: string, hint: string): InputError =>
    new InputError("settings", `The ${describePart(name, source)} ${problem}`, hint);
  if (text === "") throw wrong("is empty", `Check where the ${name} is read from`);
  // For `trim` this is white space too, but it needs a hint of its own.
  if (text.includes("\ufeff")) {
    throw wrong(
      "contains a byte order mark (U+FEFF), an invisible character",
      "Save it as UTF-8 without a byte order mark, or copy it again",
    );
  }
  // JavaScript does not count a zero-width space (U+200B) and similar characters as white space.
  if (/^[\s\p{Cf}]|[\s\p{Cf}]$/u.test(text)) {
    throw wrong(
      "begins or ends with white space",
      `Remove it: another client would send it as part of the ${name}`,
    );
  }
  if (Buffer.from(text, "utf8").toString("utf8") !== text) {
    throw wrong("contains half of a surrogate pair, which is not valid text", `Copy the ${name} again`);
  }
  const problem = name === "token" ? fieldValueProblem(text) : null;
  if (problem !== null) throw wrong(problem, "Copy the token again");
}
