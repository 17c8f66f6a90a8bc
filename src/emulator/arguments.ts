import { Mistake } from "../mistake.ts";
import { type FaultName, type ForcedAnswer, faultNames } from "./forced-answer.ts";

/** The bounds of an option that is a whole number, both included, and a likely one for the hint. */
interface Range {
  readonly minimum: number;
  readonly maximum: number;
  readonly example: number;
}

const century = 100 * 365 * 86_400;

/** The emulator's options that are numbers; a clock that far off still has a year of four digits. */
export const ranges = {
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
