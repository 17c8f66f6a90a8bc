import { InputError } from "../errors.ts";
import type { AuthorizationMode } from "../wsse/authorization.ts";
import { type DigestAlgorithm, defaultAlgorithm } from "../wsse/digest.ts";
import type { Credentials } from "./accepted-credentials.ts";

/** How an emulator behaves. `defaults` has the values of options that are left out. */
export interface EmulatorOptions extends Partial<DigestAlgorithm> {
  readonly credentials: Credentials;
  /** Milliseconds since the epoch. The log shows this time; the server's clock is ahead of it by the offset. */
  readonly now: () => number;
  /** Called with one line for each request, without line end, before the request is answered. */
  readonly log: (line: string) => void;
  /** 0 means any free port. */
  readonly port?: number;
  /** How far Created may be before or after the server's clock. */
  readonly windowSeconds?: number;
  /** How many nonces are remembered at once. */
  readonly maximumNonces?: number;
  /** Whether to refuse nonces, times and layouts of X-WSSE that the specification does not show. */
  readonly strict?: boolean;
  /** What a request must have in `Authorization` beside X-WSSE. */
  readonly authorization?: AuthorizationMode;
  /** How far the server's clock is ahead of `now`; a negative number means behind. */
  readonly clockOffsetSeconds?: number;
  /** How long to wait before each answer. */
  readonly latencyMilliseconds?: number;
  /** What to answer every request to the endpoint with, whatever its credentials. */
  readonly answer?: ForcedAnswer | null;
  /** Whether an error tells its reason to the client. */
  readonly explain?: boolean;
  /** Whether the log leaves out accepted requests, except the first with each note. */
  readonly refusalsOnly?: boolean;
}

/** The default options. The specification does not show the window (section 5.1, rule 4). */
export const defaults = {
  port: 0,
  ...defaultAlgorithm,
  windowSeconds: 300,
  maximumNonces: 100_000,
  strict: false,
  authorization: "none",
  clockOffsetSeconds: 0,
  latencyMilliseconds: 0,
  answer: null,
  explain: false,
  refusalsOnly: false,
} as const satisfies Omit<Required<EmulatorOptions>, "credentials" | "now" | "log">;

/** The faults that `--answer` can name: a web page, a redirect, an answer that never ends, a connection that is reset. */
export const faultNames = ["html", "redirect", "slow", "reset"] as const;
type FaultName = (typeof faultNames)[number];

/** What `--answer` asks for: an error with a status from 200 to 599, or a fault. */
export type ForcedAnswer = number | FaultName;

const century = 100 * 365 * 86_400;

// With these clock offsets, the year still has four digits. The examples are for the hint.
const ranges = {
  port: { minimum: 0, maximum: 65_535, example: 8080 },
  "clock-offset": { minimum: -century, maximum: century, example: 400 },
  latency: { minimum: 0, maximum: 600_000, example: 250 },
} as const;

/** Returns a reader of a whole number. It throws InputError (usage) for another text, or a number out of range. */
export function wholeNumber(name: keyof typeof ranges): (text: string) => number {
  const { minimum, maximum, example } = ranges[name];
  return (text) => {
    const value = Number(text);
    if (/^[+-]?\d{1,12}$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new InputError(
      "usage",
      `--${name} is not a whole number from ${minimum} to ${maximum}`,
      `Write it like --${name} ${example}`,
    );
  };
}

/** Reads one of a fixed list of names. Throws InputError (usage) for any other. */
export function choice(flag: string, text: string, names: readonly string[]): string {
  if (names.includes(text)) return text;
  throw new InputError("usage", `${flag} is not one of ${names.join(", ")}`, "Write one of them");
}

/** Reads `--answer`: a status or the name of a fault. Throws InputError (usage) for another text. */
export function answerArgument(text: string): ForcedAnswer {
  if (/^[2-5]\d\d$/.test(text)) return Number(text);
  const found: FaultName | undefined = faultNames.find((name) => name === text);
  if (found === undefined) {
    throw new InputError(
      "usage",
      `--answer is neither a status from 200 to 599 nor one of ${faultNames.join(", ")}`,
      "Write it like --answer 503",
    );
  }
  return found;
}
