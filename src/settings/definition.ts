import { unseenIn } from "../wsse/characters.ts";

/** Why a text is no value of its setting (the end of a sentence), and what to write instead. */
export interface Invalid {
  readonly problem: string;
  readonly hint: string;
}

/** Quotation marks around a value, or null. Ask for a path or a refused value: a valid one may be in quotes. */
export const quotesAround = (text: string): Invalid | null =>
  /^(["']).*\1$/s.test(text)
    ? faulty(
        "begins and ends with a quotation mark",
        "Remove both: a shell takes them away, other readers of such a file (docker run --env-file) do not",
      )
    : null;

/** What no path ends with or stands between: a carriage return, and quotation marks. Names of files have spaces and dashes of all kinds. */
export const pathProblem = (text: string): Invalid | null =>
  (text.endsWith("\r") ? unseenIn(text, /\r/) : null) ?? quotesAround(text);

/** The most characters of a username or of a profile's name: every report shows them, and a command gets a name as a word. */
export const maxNameLength = 1_000;

/** Makes an Invalid. */
export const faulty = (problem: string, hint: string): Invalid => ({ problem, hint });

/** Whether a setting could not be parsed. */
export function isInvalid(value: unknown): value is Invalid {
  return typeof value === "object" && value !== null && "problem" in value;
}

/** The headings of the options in the help, in its order. */
export const headings = {
  api: "API and credentials:",
  credentials: "Credentials:",
  request: "Request:",
  accounts: "Accounts:",
  output: "Output:",
  conventions: "WSSE conventions:",
} as const;

/** One setting: how it is given and parsed, and how help shows it. */
export interface Definition<Value = unknown> {
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
  readonly choices?: readonly string[];
  readonly fallback?: string;
  /** Bounds of a number, both included; whole numbers only unless `fraction` is set. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly fraction?: boolean;
  /** Whether a line of `--accounts` may set it. */
  readonly ofLine?: true;
  /** The value that a text means. Files are read and commands run only when they are needed. */
  readonly parse: (text: string) => Value | Invalid;
}

/** The part of a row that all numbers share. */
export function number(minimum: number, maximum: number, fraction = false) {
  const what = fraction ? "a number" : "a whole number";
  return {
    kind: "number",
    minimum,
    maximum,
    fraction,
    parse(text: string): number | Invalid {
      const wellFormed = (fraction ? /^\d{1,9}(?:\.\d{1,9})?$/ : /^\d{1,9}$/).test(text);
      const value = Number(text);
      if (wellFormed && value >= minimum && value <= maximum) return value;
      return faulty(
        `is not ${what} from ${minimum} to ${maximum}`,
        `Write ${what} like ${Math.max(minimum, 5)}`,
      );
    },
  } as const;
}

/** The part of a row that all settings with a fixed list of values share. */
export function choice<Choice extends string>(choices: readonly Choice[]) {
  return {
    kind: "choice",
    choices,
    parse(text: string): Choice | Invalid {
      return (
        choices.find((one) => one === text) ??
        faulty(`is not one of ${choices.join(", ")}`, "Write one of them")
      );
    },
  } as const;
}

/** The part of a row that all paths share. The file is read only when it is needed. */
export const path = {
  kind: "path",
  parse: (text: string): string | Invalid => pathProblem(text) ?? text,
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
