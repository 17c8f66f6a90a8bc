import { Mistake } from "../mistake.ts";
import { defaultRecipe, type Recipe } from "../wsse/digest.ts";
import type { Credentials } from "./credentials.ts";

/** How an emulator behaves; what is left out is as in `defaults`. */
export interface EmulatorOptions extends Partial<Recipe> {
  readonly credentials: Credentials;
  /** Milliseconds since the epoch: the clock of the log and, but for the offset, of the server. */
  readonly now: () => number;
  /** Takes one line per request, without its end, before the request is answered. */
  readonly log: (line: string) => void;
  /** 0 for any that is free. */
  readonly port?: number;
  /** How far Created may be from the server's clock, either way. */
  readonly windowSeconds?: number;
  /** How many nonces are remembered at once. */
  readonly maximumNonces?: number;
  /** How far the server's clock is ahead of `now`; below 0 it is behind. */
  readonly clockOffsetSeconds?: number;
  /** What is waited before each answer. */
  readonly latencyMilliseconds?: number;
  /** What every request to the endpoint is answered with instead of a judgement. */
  readonly answer?: ForcedAnswer | null;
  /** Whether an error tells the client its reason. */
  readonly explain?: boolean;
  /** Whether the log leaves out what was accepted. */
  readonly refusalsOnly?: boolean;
}

/** What holds where an option is left out. The window is the emulator's own choice (specification, section 5.1, rule 4). */
export const defaults = {
  port: 0,
  ...defaultRecipe,
  windowSeconds: 300,
  maximumNonces: 100_000,
  clockOffsetSeconds: 0,
  latencyMilliseconds: 0,
  answer: null,
  explain: false,
  refusalsOnly: false,
} as const satisfies Omit<Required<EmulatorOptions>, "credentials" | "now" | "log">;

/** The faults that `--answer` can name: a web page, a redirect, an answer that never ends, a connection that is reset. */
export const faultNames = ["html", "redirect", "slow", "reset"] as const;
/** The name of a fault that `--answer` can name. */
type FaultName = (typeof faultNames)[number];

/** What every request to the endpoint gets, whatever it holds: a status from 200 to 599 or a fault that a client must survive. */
export type ForcedAnswer = number | FaultName;

/** The bounds of an option that is a whole number, both included, and a likely one for the hint. */
interface Range {
  readonly minimum: number;
  readonly maximum: number;
  readonly example: number;
}

const century = 100 * 365 * 86_400;

/** The emulator's options that are numbers; a clock that far off still has a year of four digits. */
const ranges = {
  port: { minimum: 0, maximum: 65_535, example: 8080 },
  "clock-offset": { minimum: -century, maximum: century, example: 400 },
  latency: { minimum: 0, maximum: 600_000, example: 250 },
} as const satisfies Record<string, Range>;

/** Reads a whole number. Throws Mistake (usage) where it is none, or out of bounds. */
export function wholeNumber(name: keyof typeof ranges, text: string): number {
  const { minimum, maximum, example } = ranges[name];
  const value = Number(text);
  if (!/^[+-]?\d{1,12}$/.test(text) || value < minimum || value > maximum) {
    throw new Mistake(
      "usage",
      `--${name} is not a whole number from ${minimum} to ${maximum}`,
      `Write it like --${name} ${example}`,
    );
  }
  return value;
}

/** Reads one of a fixed list of names. Throws Mistake (usage) for any other. */
export function choice<Name extends string>(flag: string, text: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === text);
  if (found === undefined) {
    throw new Mistake("usage", `${flag} is not one of ${names.join(", ")}`, "Write one of them");
  }
  return found;
}

/** Reads `--answer`: a status or the name of a fault. Throws Mistake (usage) for anything else. */
export function answerArgument(text: string): ForcedAnswer {
  if (/^[2-5]\d\d$/.test(text)) return Number(text);
  const found: FaultName | undefined = faultNames.find((name) => name === text);
  if (found === undefined) {
    throw new Mistake(
      "usage",
      `--answer is neither a status from 200 to 599 nor one of ${faultNames.join(", ")}`,
      "Write it like --answer 503",
    );
  }
  return found;
}
