import { InputError } from "../errors.ts";
import type { Context } from "../system/context.ts";
import { FileProblem } from "../system/file-reading.ts";
import { NamedCommands } from "./command.ts";
import { describeFileProblem } from "./file-problem.ts";
import type { SettingText } from "./levels.ts";
import { NamedFiles } from "./named-file.ts";
import { describeSource } from "./source.ts";
import { definitionOf, flagOf, type SettingName } from "./table.ts";
import { trustOf } from "./trust.ts";

/** The path that stands for standard input. */
export const standardInput = "-";

/** Reads what a setting names, at most `maxBytes` of it. Rejects with InputError. */
export interface Inputs {
  read(given: SettingText, maxBytes: number): Promise<Uint8Array>;
}

/**
 * Reads what the settings of one run name: files, standard input and the output of commands. It reads each file and runs
 * each command once, however many accounts name it.
 */
export class RunInputs {
  readonly #context: Context;
  readonly #files: NamedFiles;
  readonly #commands: NamedCommands;
  #standardInput: { readonly setting: SettingName; readonly bytes: Promise<Uint8Array> } | null = null;

  constructor(context: Context) {
    this.#context = context;
    this.#files = new NamedFiles(context);
    this.#commands = new NamedCommands(context);
  }

  /** The inputs of this profile; null if no profile is chosen. */
  forProfile(profile: string | null): Inputs {
    return {
      read: (given, maxBytes) => {
        if (definitionOf(given.setting).kind === "command")
          return this.#commands.run(given, profile, maxBytes);
        return given.text === standardInput && given.setting !== "caCert"
          ? this.#readStandardInput(given, maxBytes)
          : this.#files.read(given, maxBytes);
      },
    };
  }

  async #readStandardInput(given: SettingText, maxBytes: number): Promise<Uint8Array> {
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
      const bytes =
        before?.bytes ?? this.#context.readStdin(maxBytes, setting === "tokenFile" ? "Token" : "Secret");
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
