import { InputError } from "../errors.ts";
import type { Context } from "../system/context.ts";
import { FileProblem } from "../system/file-reading.ts";
import { looksSwapped } from "../wsse/username.ts";
import { describeFileProblem } from "./file-problem.ts";
import { type Level, type SettingText, textsFor } from "./levels.ts";
import { peekSecretFile, readNamedFile } from "./named-file.ts";
import { readers } from "./readers.ts";
import { Secret } from "./secret.ts";
import { describePart, describeSource } from "./source.ts";
import { fileOf, flagOf, type SettingName } from "./table.ts";
import { type CredentialPart, trustOf } from "./trust.ts";

const maxSecretBytes = 64 * 1024;
/** The path that stands for standard input. */
export const standardInput = "-";

/** A token or secret, and the setting that gave it. */
interface ReadSecret {
  readonly value: Secret;
  readonly part: CredentialPart;
}

/** Reads secrets from where they are; one for a whole run, since standard input can be read only once. */
export class SecretReader {
  readonly #context: Context;
  #standardInput: { readonly setting: SettingName; readonly bytes: Promise<Uint8Array> } | null = null;

  constructor(context: Context) {
    this.#context = context;
  }

  /** The token, or the WSSE secret; null where none is set. Throws InputError. */
  async read(name: keyof typeof fileOf, layers: readonly Level[]): Promise<ReadSecret | null> {
    const setting = readers[name](layers) ?? readers[fileOf[name]](layers);
    if (setting === null) return null;
    const given = setting.value;
    const text = given.setting === name ? given.text : await this.#content(given);
    checkSecret(name, text, given);
    return { value: new Secret(text), part: { setting: given.setting, source: given.source } };
  }

  async #content(given: SettingText): Promise<string> {
    const bytes =
      given.text === standardInput
        ? await this.#readStandardInput(given)
        : await readNamedFile(given, maxSecretBytes, this.#context);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).replace(/\r?\n$/, "");
    } catch {
      throw new InputError(
        "settings",
        `The input from ${describeSource(given.source)} is not UTF-8 text`,
        "Save it as UTF-8 text",
      );
    }
  }

  async #readStandardInput(given: SettingText): Promise<Uint8Array> {
    const { setting, source } = given;
    if (trustOf(source) === "found") {
      throw new InputError(
        "settings",
        `${describeSource(source)} asks for standard input; an rc file found in the working tree may not do that`,
        `Pass ${flagOf(setting)} - yourself`,
      );
    }
    const before = this.#standardInput;
    if (before !== null && before.setting !== setting) {
      throw new InputError(
        "settings",
        "The token and the secret cannot both come from standard input",
        "Read one of them from a file",
      );
    }
    try {
      const bytes = before?.bytes ?? this.#context.readStdin(maxSecretBytes);
      this.#standardInput = { setting, bytes };
      return await bytes;
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      throw new InputError(
        "settings",
        `${describeSource(source)} asks for standard input, which ${describeFileProblem(error)}`,
        "Check what is piped into referral-auth",
      );
    }
  }
}

/**
 * The secrets of an account as far as they can be known without waiting, a swapped username included: what `config` must
 * not show. Standard input is not read.
 */
export function secretsAtHand(layers: readonly Level[], context: Context): readonly string[] {
  const [token, secret] = (["token", "secret"] as const).map((name) => {
    const [given] = textsFor(layers, name);
    if (given === undefined || given.text === standardInput) return null;
    return given.setting === name ? given.text : peekSecretFile(given, maxSecretBytes, context);
  });
  const username = textsFor(layers, "username")[0]?.text ?? null;
  const isSwapped = username !== null && secret && looksSwapped(username, secret);
  return [token, secret, isSwapped ? username : null].flatMap((text) => text ?? []);
}

/** Throws InputError for a token or secret that no header can carry or that white space makes wrong. */
export function checkSecret(
  name: keyof typeof fileOf,
  text: string,
  { source }: Pick<SettingText, "source">,
): void {
  const invalid = (problem: string, hint: string): InputError =>
    new InputError("settings", `The ${describePart(name, source)} ${problem}`, hint);
  if (text === "") throw invalid("is empty", `Check where the ${name} is read from`);
  if (text.trim() !== text) {
    throw invalid(
      "begins or ends with white space",
      `Remove it: another client would send it as part of the ${name}, and could be refused for it`,
    );
  }
  if (Buffer.from(text, "utf8").toString("utf8") !== text) {
    throw invalid("contains half of a surrogate pair, which is not valid text", `Copy the ${name} again`);
  }
  if (name === "token" && !/^[\x20-\x7e]+$/.test(text)) {
    throw invalid(
      "contains a control character or one outside ASCII, which a header cannot carry",
      "Copy the token again",
    );
  }
}
