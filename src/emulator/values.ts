import { isIP } from "node:net";
import { InputError } from "../errors.ts";

/** The faults that `answer` can name: a web page, a redirect, an answer that never ends, a connection that is reset. */
export const faultNames = ["html", "redirect", "slow", "reset"] as const;

/** The name of a fault. */
export type FaultName = (typeof faultNames)[number];

/** What every request to the endpoint is answered with: a status from 200 to 599, or a fault. */
export type ForcedAnswer = number | FaultName;

// This type stands here because its declaration may not need the types of Node.js, which a user of the package may not have.
/** One request that arrived, and how it was answered. No text holds a credential of an account, or a digest. */
export interface ReceivedRequest {
  /** When it was answered, in milliseconds since the epoch. */
  readonly time: number;
  /** Null, like `path`, for bytes that are no HTTP request. */
  readonly method: string | null;
  /** Without its query. */
  readonly path: string | null;
  /** The header fields by their names in lower case; `[secret]` stands for credentials and digests. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null for a connection that was reset, or an answer that never ends. */
  readonly status: number | null;
  /** Whether it was answered with success. */
  readonly accepted: boolean;
  /** The place in `accounts` of the account that it is from; null if it authenticated as none. */
  readonly account: number | null;
  /** Why it was answered so, as in the log: `stale: Created is 400 s behind this server; 300 s are allowed`. */
  readonly reason: string;
  /** How its X-WSSE header differs from the shapes of the API's specification. */
  readonly notes: readonly string[];
}

const century = 100 * 365 * 86_400;

// With these clock offsets, the year still has four digits.
const ranges = {
  port: [0, 65_535],
  clockOffsetSeconds: [-century, century],
  latencyMs: [0, 600_000],
} as const;

/**
 * A whole number in the range of this option, from a number or its text. Throws InputError (usage) for another value, with
 * the name by which the user knows the option.
 */
export function wholeNumber(option: keyof typeof ranges, value: unknown, name: string = option): number {
  const [minimum, maximum] = ranges[option];
  const number = typeof value === "string" && /^[+-]?\d{1,12}$/.test(value) ? Number(value) : value;
  if (typeof number === "number" && Number.isInteger(number) && number >= minimum && number <= maximum) {
    return number;
  }
  const message = `${name} is not a whole number from ${minimum} to ${maximum}`;
  throw new InputError("usage", message, "Write digits alone, such as 400");
}

/** One of a fixed list of names. Throws InputError (usage) for another value. */
export function choice<Name extends string>(value: unknown, name: string, names: readonly Name[]): Name {
  const found = names.find((one) => one === value);
  if (found !== undefined) return found;
  throw new InputError("usage", `${name} is not one of ${names.join(", ")}`, "Write one of them");
}

/** A status, as a number or its text, or the name of a fault. Throws InputError (usage) for another value. */
export function answerOf(value: unknown, name: string): ForcedAnswer {
  if (/^[2-5]\d\d$/.test(String(value))) return Number(value);
  const fault = faultNames.find((one) => one === value);
  if (fault !== undefined) return fault;
  const message = `${name} is neither a status from 200 to 599 nor one of ${faultNames.join(", ")}`;
  throw new InputError("usage", message, "Write it like 503");
}

/** An IP address to listen on. Throws InputError (usage) for another value. */
export function addressOf(value: unknown, name: string): string {
  if (typeof value === "string" && isIP(value) !== 0) return value;
  const hint = "Write it like 0.0.0.0, which lets every machine that reaches this one in";
  throw new InputError("usage", `${name} is not an IP address`, hint);
}

/** A name that `Host` may have, in lower case. Throws InputError (usage) for another value. */
export function hostNameOf(value: unknown, name: string): string {
  if (typeof value === "string" && /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(value)) {
    return value.toLowerCase();
  }
  throw new InputError("usage", `${name} is not a host name`, "Write it like api or api:8080");
}
