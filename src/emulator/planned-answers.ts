// The answers that a test plans for the next requests, and how they are read and refused.

import { orNull, wrongSettings } from "../errors.ts";
import {
  faulty,
  fieldsNamed,
  type Invalid,
  isFields,
  number,
  program,
  type Reader,
  readOption,
  unquoted,
  yesOrNo,
} from "../options/readers.ts";
import type { KnownAccounts } from "./accounts.ts";
import { type Answer, combined } from "./answer.ts";

const mostAnswers = 1_000;
const mostFields = 50;
const mostBodyBytes = 1024 * 1024;
const mostDelaySeconds = 600;

// The emulator itself sets these fields of framing.
const framing = /^(?:connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

function canBeSent(name: string, value: unknown): boolean {
  const isText = typeof value === "string" && /^[\t\x20-\x7e]{0,8192}$/.test(value);
  return /^[!#$%&'*+.^_`|~\w-]{1,100}$/.test(name) && !framing.test(name) && (isText || value === null);
}

function accountPlace(accounts: number): Reader<number> {
  return unquoted(number(0, accounts - 1, { example: "the place of an account in accounts, such as 0" }));
}

/** What an answer may have. Each part may be left out: then it is that of the real answer. */
const parts = {
  /** Without one, the credentials decide. */
  status: unquoted(number(200, 599, { example: "a number like 503" })),
  /** How many requests get this answer; 1 by default. */
  times: unquoted(number(1, 1_000_000, { example: "a number like 2" })),
  /** Replaces fields of the same name; null leaves one out. */
  headers: {
    parse(given: unknown): Answer["headers"] | Invalid {
      // No field has an empty name.
      const headers: Readonly<Record<string, unknown>> = isFields(given) ? { ...given } : { "": given };
      const names = Object.keys(headers);
      return names.length <= mostFields && names.every((name) => canBeSent(name, headers[name]))
        ? (headers as Answer["headers"])
        : faulty(
            `is not an object of at most ${mostFields} header fields in printable ASCII, without those of framing`,
            'Write an object like { "Retry-After": "5" }; null leaves a field out',
          );
    },
  },
  /** A text is sent as it is, anything else as JSON. `headers` can name another Content-Type. */
  body: {
    parse(given: unknown): unknown {
      // Undefined for a function; null for a circle, and for a nesting of many thousand levels.
      const json = orNull(() => JSON.stringify(given));
      const text = typeof given === "string" ? given : json;
      const fits = typeof text === "string" && Buffer.byteLength(text) <= mostBodyBytes;
      // A copy, which the program cannot change later.
      return fits && typeof json === "string"
        ? JSON.parse(json)
        : faulty(
            `is neither text nor JSON of at most ${mostBodyBytes} bytes`,
            'Write a text, or JSON like { "code": 503 }',
          );
    },
  },
  /** How long to wait before it is sent. */
  delaySeconds: unquoted(number(0, mostDelaySeconds, { fraction: true, example: "seconds like 1.5" })),
  /** Whether the connection is closed after half of the body. */
  cutOff: yesOrNo,
  /** Only for requests with the token or username of this account: its place in `accounts`. Without one, for all. */
  account: accountPlace(1),
} satisfies Record<string, Reader>;

const names = Object.keys(parts);

/** An answer to some of the next requests. `{}` is the real answer. */
export type PlannedAnswer = {
  readonly [Name in keyof typeof parts]?: Exclude<ReturnType<(typeof parts)[Name]["parse"]>, Invalid>;
};

/** What replaces parts of the usual answer, and what the log calls it; the name is empty if nothing changes. */
export function replacementOf(planned: PlannedAnswer): {
  readonly name: string;
  readonly instead: Partial<Answer>;
} {
  const { status, headers = {}, body, delaySeconds = 0, cutOff } = planned;
  const isText = typeof body === "string";
  const type = { "Content-Type": isText ? "text/plain; charset=utf-8" : "application/json" };
  const main = status === undefined ? [] : [`answer ${status}`];
  const others = ["headers", "body", "delaySeconds", "cutOff"].filter((name) => Object.hasOwn(planned, name));
  return {
    name: [...main, ...others].join(", "),
    instead: {
      ...(status !== undefined && { status }),
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
      cutOff,
      headers: combined(body === undefined ? {} : type, headers),
      delaySeconds,
    },
  };
}

function readAnswer(given: unknown, place: string, { all, shown }: KnownAccounts): PlannedAnswer {
  const fields = fieldsNamed(names, place, given, 'one like { "status": 503 }', shown);
  return Object.fromEntries(
    Object.entries<Reader>({ ...parts, account: accountPlace(all.length) })
      .filter(([name]) => fields[name] !== undefined)
      .map(([name, row]) => [name, readOption(row, fields[name], `${place}.${name}`, program)]),
  );
}

/** The answers of a list. Throws InputError, which names the place, for the first that is invalid. */
export function readAnswers(given: unknown, accounts: KnownAccounts): PlannedAnswer[] {
  if (!Array.isArray(given) || given.length > mostAnswers)
    throw wrongSettings(
      `answers is not a list of at most ${mostAnswers} answers`,
      'Give an array like [{ "status": 503, "times": 2 }, {}]',
    );
  return Array.from(given, (one, index) => readAnswer(one, `answers[${index}]`, accounts));
}
