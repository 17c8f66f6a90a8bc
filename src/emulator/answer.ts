// What the emulator concludes of a request, and the HTTP answer that follows from it.

import { STATUS_CODES } from "node:http";
import type { EmulatorAccount } from "./accounts.ts";

/** A rule that a request breaks, or why it is answered as it is. It holds no secret. */
export interface Reason {
  /** Its short name, such as `stale`. */
  readonly rule: string;
  /** What was found, for people. It may be empty. */
  readonly detail: string;
  /** What to change in the client, if that is known. */
  readonly change?: string;
  /** A command that makes the right PasswordDigest of this request, to paste into a shell as one line. */
  readonly command?: string;
}

/** A reason by the name of its rule, what was found, and what to change. */
export function because(rule: string, detail = "", change = ""): Reason {
  return { rule, detail, ...(change !== "" && { change }) };
}

/** What was found, as text. */
export function foundText({ rule, detail }: Reason): string {
  return detail === "" ? rule : `${rule}: ${detail}`;
}

/** Reasons as text. */
export function reasonText(reasons: readonly Reason[]): string {
  return reasons
    .map((reason) => {
      const change = reason.change === undefined ? "" : `. To change: ${reason.change}`;
      return foundText(reason) + change + (reason.command === undefined ? "" : ` ${reason.command}`);
    })
    .join("; ");
}

/** What the server makes of a request, and why. No reason or note holds a secret. */
export interface Judgement {
  /** Whether the request is accepted for what it sends; false too if it gets a forced status, even one of success. */
  readonly accepted: boolean;
  readonly status: number;
  /** Why it gets its status, and every other rule that it breaks. */
  readonly reasons: readonly Reason[];
  /** What the client is told; null for the usual words of the status. An error ends with its first reason if the emulator explains. */
  readonly message: string | null;
  /** Whose request it claims to be; null if this server knows no such account. */
  readonly account: EmulatorAccount | null;
  /** How its X-WSSE header differs from the specification's shapes. */
  readonly notes: readonly string[];
  /** What replaces parts of the usual answer of the status. */
  readonly instead: Partial<Answer>;
}

/** Makes a judgement. `more` replaces the defaults: the request is refused, and belongs to no known account. */
export function judged(status: number, reasons: readonly Reason[], more: Partial<Judgement> = {}): Judgement {
  return { accepted: false, message: null, account: null, notes: [], instead: {}, ...more, status, reasons };
}

/** An HTTP response without its Date, and how it ends. */
export interface Answer {
  readonly status: number;
  /** A null leaves out a field that the emulator would send. */
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body: string;
  /** Whether the connection is closed after half of the body. */
  readonly cutOff?: boolean | undefined;
  /** How long to wait before it is sent. */
  readonly delaySeconds?: number | undefined;
}

/** The fields of an answer in JSON. */
export const jsonFields = { "Content-Type": "application/json", "Cache-Control": "no-cache" } as const;
const allow = { Allow: "GET, OPTIONS" } as const;

/** RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5: these have no content. */
export const bodiless: readonly number[] = [204, 205, 304];

/** Joins header fields. Of those with the same name in any letter case, the last counts. */
export function combined(...all: readonly Answer["headers"][]): Answer["headers"] {
  const fields = all.flatMap((headers) => Object.entries(headers));
  return Object.fromEntries(new Map(fields.map((field) => [field[0].toLowerCase(), field])).values());
}

// The answer to an accepted request (specification, sections 2 and 4).
const accepted = { "Access-Control-Allow-Origin": "*", ...allow };

// No Access-Control-Allow-Origin on an error: only a page that may ask the API can read one.
const errors: Readonly<Record<number, Answer["headers"]>> = {
  401: { "WWW-Authenticate": 'WSSE realm="referral-auth emulator", profile="UsernameToken"' },
  405: allow,
  429: { "Retry-After": "1" },
  503: { "Retry-After": "1" },
};

/** The answer to a judgement: a success as the specification has it (sections 2, 4), errors of our own. */
export function answerTo(judgement: Judgement, { explain }: { readonly explain: boolean }): Answer {
  const { status, reasons, message, instead } = judgement;
  const isBodiless = bodiless.includes(status);
  const usual = status === 401 ? "The credentials were not accepted" : STATUS_CODES[status];
  const general = message ?? usual ?? `Status ${status}`;
  // The first reason alone: after a wrong digest, nobody may learn which nonces were used.
  const why = explain ? `: ${reasonText(reasons.slice(0, 1))}` : "";
  const words = judgement.accepted ? general : `${general}${why}.`;
  const body = isBodiless ? "" : JSON.stringify({ code: status, message: words });
  const own = judgement.accepted ? (isBodiless ? allow : accepted) : isBodiless ? {} : errors[status];
  const type = isBodiless || instead.body !== undefined ? {} : jsonFields;
  const headers = combined(type, own ?? {}, instead.headers ?? {});
  return { status, body, ...instead, headers, ...(isBodiless && { body: "" }) };
}
