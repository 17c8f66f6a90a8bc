// Reads what settings name: files, standard input, the output of commands, certificates; each once for a run.

import { X509Certificate } from "node:crypto";
import { dirname } from "node:path";
import { InputError, orNull, wrongSettings } from "../errors.ts";
import { CommandProblem } from "../system/commands.ts";
import type { Context } from "../system/context.ts";
import { ifUnreadable, type Permissions } from "../system/file-reading.ts";
import { certificateBlocks } from "../system/pem.ts";
import { isPlaceholder } from "../wsse/placeholders.ts";
import {
  accessOfOthers,
  fileError,
  howToClose,
  namedPath,
  peekSecretFile,
  standardInput,
  withoutLineEnd,
} from "./files.ts";
import { invalid, type SettingText, wordsFor } from "./levels.ts";
import { parsed, type Settings } from "./resolve.ts";
import type { Secret, SecretName } from "./secret.ts";
import { describeSource, trustOf } from "./source.ts";
import { definitionOf, flagOf, type SettingName } from "./table.ts";

const commandSeconds = 30;
const maxSecretBytes = 64 * 1024;
const maxCertificateBytes = 8 * 1024 * 1024;
/** The variable in which Node.js itself finds certificates to add. */
const nodesVariable = "NODE_EXTRA_CA_CERTS";

/** What to do if a command prints no secret: in a terminal it may work, since a password manager can ask there. */
const whyByHand =
  "Run the command yourself to see why: its output is not shown here, and it has no shell, no terminal and no standard input";

/** Reads what settings name. Rejects with InputError. */
export interface Inputs {
  /** At most 64 KiB of a file, of standard input, or of what a command prints for this account. */
  read(given: SettingText, settings: Settings): Promise<Uint8Array>;
  /** The PEM texts of the CA certificates that a setting gives; the same array for the same file. */
  certificates(given: SettingText): Promise<readonly string[]>;
}

/** Reads each file and runs each command of one run once, however many accounts name it. */
export class RunInputs implements Inputs {
  readonly #context: Context;
  readonly #warn: (text: string) => Promise<void>;
  readonly #contents = new Map<string, Promise<unknown>>();
  /** The setting that standard input was read for. */
  #stdinSetting: SettingName | null = null;

  constructor(context: Context, warn: (text: string) => Promise<void>) {
    this.#context = context;
    this.#warn = warn;
  }

  async read(given: SettingText, settings: Settings): Promise<Uint8Array> {
    if (definitionOf(given.setting).kind === "command") return this.#runCommand(given, settings);
    if (given.text === standardInput) return this.#readStandardInput(given);
    return this.#readFile(given, maxSecretBytes);
  }

  certificates(given: SettingText): Promise<readonly string[]> {
    return this.#once(["certificates", given.text, describeSource(given.source)], async () => {
      const bytes = await this.#readFile(given, maxCertificateBytes);
      const inFile = { ...given, text: Buffer.from(bytes).toString("latin1") };
      // Node.js reads this variable too, and only warns.
      if (describeSource(given.source) !== nodesVariable) return certificatesIn(inFile);
      const warnings: string[] = [];
      const certificates = certificatesIn(inFile, (problem, left) =>
        warnings.push(`${nodesVariable} ${problem}; the other certificates of it count (${left})`),
      );
      for (const warning of warnings) await this.#warn(warning);
      return certificates;
    });
  }

  #once<Value>(key: readonly unknown[], read: () => Promise<Value>): Promise<Value> {
    const text = JSON.stringify(key);
    const content = (this.#contents.get(text) as Promise<Value> | undefined) ?? read();
    this.#contents.set(text, content);
    return content;
  }

  async #readFile(given: SettingText, maxBytes: number): Promise<Uint8Array> {
    const { readFile, readNamedFile, interrupted } = this.#context;
    const path = namedPath(given, this.#context);
    // Files that a found rc file names are read by stricter rules.
    const trust = trustOf(given.source);
    try {
      return await this.#once(["file", trust, maxBytes, path], async () => {
        const file =
          trust === "yours" ? await readNamedFile(path, maxBytes, interrupted) : readFile(path, maxBytes);
        if (given.setting !== "extraCertificates") await this.#warnIfOpen(given, path, file);
        return file.bytes;
      });
    } catch (error) {
      throw fileError(given, path, error, this.#context);
    }
  }

  /** Warns of a file of the user's own with a secret that others can read. */
  async #warnIfOpen({ source }: SettingText, path: string, file: Permissions): Promise<void> {
    const { userId, isOnReadOnlySystem } = this.#context;
    if (file.owner !== userId || accessOfOthers(file) === null || isOnReadOnlySystem(path)) return;
    const place = describeSource(source);
    await this.#warn(
      `Other users can read the file that ${place} names. ${howToClose(path, file.owner, "chmod 600", this.#context, "")}`,
    );
  }

  async #readStandardInput(given: SettingText): Promise<Uint8Array> {
    const { setting, source } = given;
    if (trustOf(source) === "found")
      throw invalid(
        given,
        "asks for standard input; an rc file found in the working tree may not do that",
        `Pass ${flagOf(setting)} - yourself`,
      );
    this.#stdinSetting ??= setting;
    if (this.#stdinSetting !== setting)
      throw wrongSettings(
        "The token and the secret cannot both come from standard input",
        "Read one of them from a file",
      );
    const label = setting === "tokenFile" ? "Token" : "Secret";
    try {
      return await this.#once(["standard input"], () => this.#context.readStdin(maxSecretBytes, label));
    } catch (error) {
      throw ifUnreadable(error, (what, code) =>
        code === "NOTHING_ENTERED"
          ? invalid(
              given,
              `asked for the ${label.toLowerCase()}, and nothing was entered`,
              "Paste or type it (nothing is shown), then press Enter",
            )
          : invalid(
              given,
              `asks for standard input, which ${what}`,
              "Check what is piped into referral-auth",
            ),
      );
    }
  }

  /** The output of the command for this profile. Rejects with InputError, which never contains that output. */
  async #runCommand(given: SettingText, settings: Settings): Promise<Uint8Array> {
    const { source } = given;
    // A found rc file with a command is refused when it is read.
    if (source.kind !== "rc" || source.trust === "found")
      throw new Error("only an rc file of yours can name a command");
    const words = wordsFor(given, settings.profile);
    // Run it in the folder of the rc file: the working directory may be somebody else's checkout.
    const folder = dirname(source.file);
    const { environment, interrupted, runCommand } = this.#context;
    const limits = { maxBytes: maxSecretBytes, deadlineSeconds: commandSeconds, interrupted };
    try {
      return await this.#once(["command", folder, ...words], () =>
        runCommand(words, { folder, environment, ...limits }),
      );
    } catch (error) {
      if (!(error instanceof CommandProblem)) throw error;
      const { message, wasStarted } = error;
      const program = settings.redactor().and([], 200)(words[0] ?? "");
      const place = describeSource(source);
      throw wrongSettings(
        `The command of ${place}${wasStarted ? "" : `, ${program},`} ${message}`,
        whyByHand,
      );
    }
  }
}

/**
 * The certificates in the text of PEM files. Throws InputError if there is none, or if one cannot be read: TLS would ignore it and all
 * that follow. Where `skipped` is given, it is told of a broken one, and the others count.
 */
export function certificatesIn(
  given: SettingText,
  skipped?: (problem: string, left: number) => void,
): readonly string[] {
  const isOption = given.source.kind === "option";
  const blocks = certificateBlocks(given.text);
  if (blocks.length === 0)
    throw isOption
      ? invalid(given, "holds no PEM certificate", "Give the content of PEM files")
      : invalid(
          given,
          "names a file without a PEM certificate",
          'Give a file with "-----BEGIN CERTIFICATE-----" in it; openssl x509 -inform der -in FILE -out ca.pem makes one of a DER file',
        );
  const readable = blocks.filter(({ text }) => orNull(() => new X509Certificate(text)) !== null);
  const broken = blocks.findIndex((block) => !readable.includes(block));
  const texts = readable.map(({ text }) => text);
  if (broken < 0) return texts;
  const place = `certificate block ${broken + 1} of ${blocks.length} (line ${blocks[broken]?.line}) cannot be read`;
  const problem = `${isOption ? "holds text" : "names a file"} whose ${place}`;
  if (skipped === undefined)
    throw invalid(
      given,
      problem,
      "Replace this block by the whole certificate, or remove it; openssl x509 -in FILE shows one",
    );
  skipped(problem, texts.length);
  return texts;
}

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
  if (isPlaceholder(text))
    throw wrongSettings(
      `The input from ${describeSource(given.source)} is a placeholder in braces that nothing filled in`,
      `Let it hold the ${name} itself: the content of a file or the output of a command is taken as it is`,
    );
  const value = parsed(name, { ...given, setting: name, text });
  if (!(value instanceof InputError)) return { value, given };
  if (text !== "" || definitionOf(given.setting).kind !== "command") throw value;
  const message = `The command of ${describeSource(given.source)} printed nothing; its exit code is 0`;
  throw wrongSettings(message, whyByHand);
}

async function content(given: SettingText, settings: Settings, inputs: Inputs): Promise<string> {
  const bytes = await inputs.read(given, settings);
  const text = orNull(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  if (text === null)
    throw wrongSettings(
      `The input from ${describeSource(given.source)} is not UTF-8 text`,
      "Let it be UTF-8 text without a byte order mark",
    );
  return withoutLineEnd(text);
}

/** Inputs that wait for nothing: standard input and commands give a text that stands for theirs. */
export function inputsAtHand(context: Context): Inputs {
  const unread = async (): Promise<Uint8Array> => Buffer.from("unread");
  const readNamedFile = async (path: string, maxBytes: number) => context.readFile(path, maxBytes);
  return new RunInputs({ ...context, readNamedFile, readStdin: unread, runCommand: unread }, async () => {});
}

/** The token and the secret of an account; null for one that comes from standard input or a command, since nothing is waited for. */
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
