// What a row of the table of settings is made of, and what a credential of each method needs.

import { type InputError, wrongSettings } from "../errors.ts";
import type { Reader } from "../options/readers.ts";

/** The most characters of a username or of a profile's name: every report shows them, and a command gets a name as a word. */
export const maxNameLength = 1_000;

/** The error of a profile whose name is longer; `place` is the file, line or row that has it. */
export const longProfile = (place: string): InputError =>
  wrongSettings(`${place} has a profile of more than ${maxNameLength} characters`, "Shorten the name");

/** The headings of the options in the help, in its order. */
export const headings = {
  api: "API and credentials:",
  credentials: "Credentials:",
  request: "Request:",
  accounts: "Accounts:",
  output: "Output:",
  conventions: "WSSE conventions:",
} as const;

/** One setting: how it is given and parsed, and how help shows it. Files are read and commands run only when they are needed. */
export interface Definition<Value = unknown> extends Reader<Value, string> {
  /** How it is read from YAML, and how it is shown. */
  readonly kind: "url" | "text" | "secret" | "path" | "number" | "choice" | "command";
  readonly heading: keyof typeof headings;
  /** Its key, where that is not its name. */
  readonly key?: string;
  /** The flag as commander declares it. Only rc files can set a command, so it has no flag. */
  readonly flag?: string;
  readonly variables: readonly string[];
  readonly summary: string;
  /** A remark that only the flag's help shows. */
  readonly flagNote?: string;
  /** What help says of the variables, if that is more than their names. */
  readonly variablesNote?: string;
  readonly fallback?: string;
  /** Bounds of a number, both included; whole numbers only unless `fraction` is set. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly fraction?: boolean;
}

/** The part of a row that all paths share. The file is read only when it is needed. */
export const path = {
  kind: "path",
  parse: (text: string): string => text,
} as const;

/** The row of a command that prints a credential. Only rc files can set one, so it has no flag and no variable. */
export const commandFor = (credential: string) =>
  ({
    kind: "command",
    heading: "credentials",
    variables: [],
    summary: `command that prints the ${credential}, as a list of words`,
    parse: (text: string): string => text,
  }) as const;

/** What a credential of each method needs, and the conventions that decide how it is sent. */
export const methodParts = {
  token: { required: ["token"], conventions: [] },
  wsse: { required: ["username", "secret"], conventions: ["digest", "hash", "authorization"] },
} as const satisfies Record<string, Record<"required" | "conventions", readonly string[]>>;
/** How a request is authenticated: by the token or by WSSE (specification, section 5). */
export type Method = keyof typeof methodParts;
