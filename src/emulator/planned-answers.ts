import { orNull, wrongSettings } from "../errors.ts";
import { meantOrNearest } from "../settings/nearest.ts";
import type { KnownAccounts } from "./accounts.ts";
import {
  type Answer,
  bodiless,
  combined,
  type ForcedAnswer,
  faultNames,
  faults,
  type Replacement,
} from "./decision.ts";
import { isFields, oneOf, program, type Reader, readOption, wholeNumber, yesOrNo } from "./readers.ts";

// The types of this file are public. Their declarations may not need the types of Node.js, which a user of the package may
// not have.

const mostAnswers = 1_000;
const mostFields = 50;
const mostBodyBytes = 1024 * 1024;
const mostDelaySeconds = 600;

/** Numbers alone: a text of digits is a mistake in JSON, and right in a flag. */
function number({ read, ...row }: Reader<number>): Reader<number> {
  return { ...row, read: (given) => (typeof given === "number" ? read(given) : undefined) };
}

/** The place of one of so many accounts. */
function placeOf(accounts: number): Reader<number> {
  return number(wholeNumber(0, accounts - 1, "the place of an account in accounts, such as 0"));
}

/** What an answer may have. Each part may be left out: then it is that of the real answer. */
const parts = {
  /** An answer by its name. Other parts replace those of it; `reset` can only have a delay. */
  kind: oneOf(faultNames),
  /** Without one, the credentials decide. */
  status: number(wholeNumber(200, 599, "a number like 503")),
  /** How many requests get this answer; 1 by default. */
  times: number(wholeNumber(1, 1_000_000, "a number like 2")),
  /** Replaces fields of the same name; null leaves one out. */
  headers: {
    problem: `is not an object of at most ${mostFields} header fields`,
    hint: 'Write an object like { "Retry-After": "5" }',
    read(given: unknown): Answer["headers"] | undefined {
      return isFields(given) && Object.keys(given).length <= mostFields ? { ...given } : undefined;
    },
  },
  /** A text is sent as it is, anything else as JSON. `headers` can name another Content-Type. */
  body: {
    problem: `is neither text nor JSON of at most ${mostBodyBytes} bytes`,
    hint: 'Write a text, or JSON like { "code": 503 }',
    read(given: unknown): { readonly text: string; readonly type: string } | undefined {
      const isText = typeof given === "string";
      // Undefined for a function; null for a circle, and for a nesting of many thousand levels.
      const text = isText ? given : orNull(() => JSON.stringify(given));
      if (typeof text !== "string" || Buffer.byteLength(text) > mostBodyBytes) return undefined;
      return { text, type: isText ? "text/plain; charset=utf-8" : "application/json" };
    },
  },
  /** How long to wait before it is sent. */
  delaySeconds: {
    problem: `is not a number from 0 to ${mostDelaySeconds}`,
    hint: "Write seconds like 1.5",
    read: (given: unknown): number | undefined =>
      typeof given === "number" && given >= 0 && given <= mostDelaySeconds ? given : undefined,
  },
  /** Whether the connection is closed after half of the body. */
  cutOff: yesOrNo as Reader<boolean>,
  /** Only for requests with the token or username of this account: its place in `accounts`. Without one, for all. */
  account: placeOf(1),
} satisfies Record<string, Reader>;

const names = Object.keys(parts);

/** First guesses, which resemble no part or another one. */
const otherWords: Readonly<Record<string, string>> = {
  ...{ delay: "delaySeconds", delayMs: "delaySeconds", latency: "delaySeconds", latencyMs: "delaySeconds" },
  ...{ code: "status", statusCode: "status", count: "times", repeat: "times", fault: "kind", type: "kind" },
};

/** The parts as they are read. */
type Parts = { readonly [Name in keyof typeof parts]?: ReturnType<(typeof parts)[Name]["read"]> };

/** An answer to some of the next requests. `{}` is the real answer. */
export type PlannedAnswer = { readonly [Name in keyof Parts]: Name extends "body" ? unknown : Parts[Name] };

/** A planned answer as it is used. Its status, if it has one, replaces the decision too. */
export interface ListedAnswer extends Replacement {
  /** For whose requests; null for all. */
  readonly account: number | null;
  /** For how many requests. */
  left: number;
  /** What the log calls it; empty if it changes nothing. */
  readonly name: string;
}

function listed(planned: Parts): ListedAnswer {
  const { kind, status, times = 1, headers = {}, body, delaySeconds = 0, cutOff, account = null } = planned;
  const base: Replacement = kind === undefined ? {} : faults[kind];
  const changes = (["headers", "body", "delaySeconds", "cutOff"] as const).filter((name) => planned[name]);
  const main = ["answer", kind ?? [], status ?? []].flat().join(" ");
  return {
    ...base,
    ...(status !== undefined && { status }),
    ...(body && { body: body.text }),
    headers: combined(base.headers ?? {}, body ? { "Content-Type": body.type } : {}, headers),
    ...(cutOff && { end: "cut off" }),
    delaySeconds,
    account,
    left: times,
    name: changes.length > 0 ? `${main} with ${changes.join(", ")}` : main === "answer" ? "" : main,
  };
}

/** What `answer` names, for every request. */
export function forcedAnswer(given: ForcedAnswer | null): ListedAnswer | null {
  if (given === null) return null;
  return listed(typeof given === "number" ? { status: given } : { kind: given });
}

// The emulator ends its answers by these itself.
const framing = /^(?:connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/** Why a header field cannot be sent so; null if it can. */
function fieldProblem(name: string, value: unknown): string | null {
  if (!/^[!#$%&'*+.^_`|~\w-]{1,100}$/.test(name)) return "has a name that no header field can have";
  if (framing.test(name)) return "is set by the emulator itself";
  if (value === null || (typeof value === "string" && /^[\t\x20-\x7e]{0,8192}$/.test(value))) return null;
  return "is not a text of at most 8192 printable ASCII characters";
}

/** The parts of which nothing would reach the client: a reset sends nothing, and some statuses have no body to send or to cut. */
function lostParts({ kind, status = 0 }: Parts): readonly (keyof Parts)[] {
  if (kind === "reset") return ["status", "headers", "body", "cutOff"];
  if (!bodiless.includes(status)) return [];
  return kind === "slow" ? ["kind"] : ["body", "cutOff"];
}

function readAnswer(given: unknown, place: string, { all, shown }: KnownAccounts): ListedAnswer {
  if (!isFields(given)) throw wrongSettings(`${place} is not an object`, 'Write one like { "status": 503 }');
  // Read each key once, so that the value that was checked is the value that is used.
  const fields: Readonly<Record<string, unknown>> = { ...given };
  const set = Object.keys(fields).filter((name) => fields[name] !== undefined);
  const unknown = set.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const meant = Object.hasOwn(otherWords, unknown) ? otherWords[unknown] : undefined;
    const hint = meantOrNearest(unknown, names, meant);
    throw wrongSettings(`${place} has the unknown key "${shown(unknown)}"`, hint);
  }
  const planned: Parts = Object.fromEntries(
    Object.entries<Reader>({ ...parts, account: placeOf(all.length) })
      .filter(([name]) => set.includes(name))
      .map(([name, row]) => [name, readOption(row, fields[name], `${place}.${name}`, program)]),
  );
  for (const [name, value] of Object.entries(planned.headers ?? {})) {
    const problem = fieldProblem(name, value);
    const hint = 'Write fields like { "Retry-After": "5" }; null leaves one out';
    if (problem !== null) throw wrongSettings(`${place}.headers.${shown(name)} ${problem}`, hint);
  }
  const lost = lostParts(planned).find((name) => planned[name]);
  if (lost !== undefined) {
    const whole = planned.kind === "reset" ? "kind reset" : `status ${planned.status}`;
    throw wrongSettings(`${place}.${lost} cannot be sent with ${whole}`, "Leave one of them out");
  }
  return listed(planned);
}

/** The answers of a list. Throws InputError, which names the place, for the first that is invalid. */
export function readAnswers(given: unknown, accounts: KnownAccounts): ListedAnswer[] {
  if (!Array.isArray(given) || given.length > mostAnswers)
    throw wrongSettings(
      `answers is not a list of at most ${mostAnswers} answers`,
      'Give an array like [{ "status": 503, "times": 2 }, {}]',
    );
  return Array.from(given, (one, index) => readAnswer(one, `answers[${index}]`, accounts));
}
