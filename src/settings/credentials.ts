import { dirname, resolve, sep } from "node:path";
import type { Context } from "../context.ts";
import { FileProblem } from "../file-system.ts";
import { Mistake } from "../mistake.ts";
import { usernameProblem } from "../wsse/header.ts";
import { describeFileProblem } from "./file-problem.ts";
import { type Given, givenFor, type Layer } from "./layers.ts";
import { Secret } from "./secret.ts";
import { describePart, describeSource } from "./source.ts";
import { alternatives, definitionOf, type SettingName } from "./table.ts";
import { trustOf } from "./trust.ts";
import type { Setting } from "./values.ts";

const maxSecretBytes = 64 * 1024;
const standardInput = "-";

/** The absolute path that a setting names. What was found in the working tree names files only beneath its own folder. */
function namedPath(given: Given, context: Context): string {
  const { text, source } = given;
  const folder = source.kind === "rc" ? dirname(source.file) : context.workingFolder;
  if (folder === null && !text.startsWith(sep)) {
    throw new Mistake(
      "settings",
      "The working directory no longer exists",
      "Change to an existing one, or write absolute paths",
    );
  }
  const path = resolve(folder ?? sep, text);
  if (source.kind !== "rc" || source.trust === "yours") return path;
  const own = dirname(source.file);
  const refused = new Mistake(
    "settings",
    `${describeSource(source)} names a file outside its own folder; an rc file found in the working tree may not do that`,
    `Keep the file beneath ${own}, or name the rc file with --config ${source.file}`,
  );
  try {
    const real = context.realPath(path);
    if (!real.startsWith(`${context.realPath(own)}${sep}`)) throw refused;
    return real;
  } catch (error) {
    throw error instanceof FileProblem ? fileMistake(given, path, error) : error;
  }
}

/** Whether what is given as a path looks like the secret itself: one long word, neither with folders nor with an ending. */
export function looksLikeSecret(path: string): boolean {
  return /^[^/\\.\s]{16,}$/.test(path);
}

function fileMistake(
  { source, text }: Pick<Given, "source" | "text">,
  path: string,
  problem: FileProblem,
): Mistake {
  if (problem.code === "ENOENT" && looksLikeSecret(text)) {
    return new Mistake(
      "settings",
      `${describeSource(source)} names a file that does not exist; is it the token or secret itself?`,
      "Give a path here; to give the value itself, set REFERRAL_TOKEN or REFERRAL_SECRET",
    );
  }
  const message = `${describeSource(source)} names ${path}, which ${describeFileProblem(problem)}`;
  return new Mistake("settings", message, "Check the path and its permissions");
}

/** The bytes of a file that a setting names. Throws Mistake. */
export async function readNamedFile(given: Given, maxBytes: number, context: Context): Promise<Uint8Array> {
  const path = namedPath(given, context);
  try {
    return trustOf(given.source) === "yours"
      ? await context.readNamedFile(path, maxBytes, context.interrupted)
      : context.readFile(path, maxBytes).bytes;
  } catch (error) {
    throw error instanceof FileProblem ? fileMistake(given, path, error) : error;
  }
}

/** Reads secrets from where they are; one for a whole run, since standard input can be read only once. */
export class SecretReader {
  readonly #context: Context;
  #standardInput: { readonly setting: SettingName; readonly bytes: Promise<Uint8Array> } | null = null;

  constructor(context: Context) {
    this.#context = context;
  }

  /** The token, or the WSSE secret; null where none is set. Throws Mistake. */
  async read(name: "token" | "secret", layers: readonly Layer[]): Promise<Setting<Secret> | null> {
    const names = alternatives.find(([first]) => first === name) ?? [name];
    const given = givenFor(layers, names)[0];
    if (given === undefined) return null;
    const text = definitionOf(given.setting).kind === "secret" ? given.text : await this.#content(given);
    checkSecret(name, text, given);
    return { value: new Secret(text), source: given.source };
  }

  async #content(given: Given): Promise<string> {
    const bytes =
      given.text === standardInput
        ? await this.#readStandardInput(given)
        : await readNamedFile(given, maxSecretBytes, this.#context);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).replace(/\r?\n$/, "");
    } catch {
      throw new Mistake(
        "settings",
        `The input from ${describeSource(given.source)} is not UTF-8 text`,
        "Save it as UTF-8 text",
      );
    }
  }

  async #readStandardInput(given: Given): Promise<Uint8Array> {
    const { setting, source } = given;
    if (trustOf(source) === "found") {
      throw new Mistake(
        "settings",
        `${describeSource(source)} asks for standard input; an rc file found in the working tree may not do that`,
        `Pass --${setting === "tokenFile" ? "token" : "secret"}-file - yourself`,
      );
    }
    const before = this.#standardInput;
    if (before !== null && before.setting !== setting) {
      throw new Mistake(
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
      throw error instanceof FileProblem ? fileMistake(given, "standard input", error) : error;
    }
  }
}

/** Throws Mistake for a token or secret that no header can carry or that white space makes wrong. */
export function checkSecret(name: "token" | "secret", text: string, { source }: Pick<Given, "source">): void {
  const invalid = (problem: string, hint: string): Mistake =>
    new Mistake("settings", `The ${describePart(name, source)} ${problem}`, hint);
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

/** The WSSE username; null where none is set. Throws Mistake where the header cannot carry it. */
export function usernameSetting(layers: readonly Layer[]): Setting<string> | null {
  const given = givenFor(layers, ["username"])[0];
  if (given === undefined) return null;
  const problem = usernameProblem(given.text);
  if (problem !== null) {
    throw new Mistake(
      "settings",
      `The ${describePart("username", given.source)} ${problem}`,
      "Write it exactly as the account shows it",
    );
  }
  return { value: given.text, source: given.source };
}
