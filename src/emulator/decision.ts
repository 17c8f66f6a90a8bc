import type { EmulatorAccount } from "./accounts.ts";

// The types of this file are public. Their declarations may not need the types of Node.js, which a user of the package may
// not have.

/** An HTTP response without its Date, and how it ends. */
export interface Answer {
  readonly status: number;
  /** A null leaves out a field that the emulator would send. */
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body: string;
  /**
   * `never` sends the body and waits; `reset` sends nothing and resets the connection; `cut off` closes it after half of the
   * body. A complete answer has none.
   */
  readonly end?: "never" | "reset" | "cut off";
}

/** The faults that `answer` and `kind` can name: a web page, a redirect, an answer that never ends, a connection that is reset. */
export const faults = {
  // The kind of response that a captive portal or a wrong base URL gives.
  html: {
    status: 200,
    headers: { "Content-Type": "text/html; charset=utf-8" },
    body: "<!doctype html>\n<title>Sign in to this network</title>\n<p>This is not the API.</p>\n",
  },
  // The emulator has no such path.
  redirect: { status: 302, headers: { Location: "/sign-in" }, body: "" },
  slow: {
    status: 200,
    headers: { "Content-Type": "application/json" },
    body: '{"code": 200, ',
    end: "never",
  },
  reset: { status: 200, headers: {}, body: "", end: "reset" },
} as const satisfies Record<string, Answer>;

/** The names of the faults. */
export const faultNames = Object.keys(faults) as ReadonlyArray<keyof typeof faults>;

/** RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5: these have no content. */
export const bodiless: readonly number[] = [204, 205, 304];

/** Fields together; of those with the same name in any letter case, the last. */
export function combined(...all: readonly Answer["headers"][]): Answer["headers"] {
  const fields = all.flatMap((headers) => Object.entries(headers));
  return Object.fromEntries(new Map(fields.map((field) => [field[0].toLowerCase(), field])).values());
}

/** What every request to the endpoint is answered with: a status from 200 to 599, or a fault. */
export type ForcedAnswer = number | keyof typeof faults;

/** What replaces parts of the usual answer of a status, and how long to wait before it. */
export interface Replacement extends Partial<Answer> {
  readonly delaySeconds?: number;
}

/** A rule that a request breaks, or why it is answered as it is. It holds no secret. */
export interface Reason {
  /** Its short name, such as `stale`. */
  readonly rule: string;
  /** What was found, for people. It may be empty. */
  readonly detail: string;
}

/** What the server makes of a request, and why. No reason or note holds a secret. */
export interface Decision {
  /** Whether the request is accepted for what it sends; false too if it gets a forced status, even one of success. */
  readonly accepted: boolean;
  readonly status: number;
  /** Why it gets its status, and every other rule that it breaks. */
  readonly reasons: readonly Reason[];
  /** What the client is told; null for the usual words of the status. An error ends with its first reason if the emulator explains. */
  readonly message: string | null;
  /** Whose request it claims to be; null if this server knows no such account. */
  readonly account: EmulatorAccount | null;
  /** How its X-WSSE header differs from the specification's shapes, and whether its nonce came with a forced status before. */
  readonly notes: readonly string[];
  readonly instead: Replacement;
}

/** A decision: to refuse a request of no account, unless `more` says otherwise. */
export function decided(
  status: number,
  reasons: Reason | readonly Reason[],
  more: Partial<Decision> = {},
): Decision {
  const all = [reasons].flat();
  const usual = { accepted: false, message: null, account: null, notes: [], instead: {} };
  return { ...usual, status, reasons: all, ...more };
}

/** A reason by the name of its rule and what was found. */
export function because(rule: string, detail = ""): Reason {
  return { rule, detail };
}

/** Reasons as text. */
export function reasonText(reasons: readonly Reason[]): string {
  return reasons.map(({ rule, detail }) => (detail === "" ? rule : `${rule}: ${detail}`)).join("; ");
}

/** One request that arrived, and how it was answered. No text holds a credential of an account, or a digest. */
export interface ReceivedRequest extends Pick<Decision, "accepted" | "reasons" | "notes"> {
  /** When it had arrived, in milliseconds since the epoch. */
  readonly time: number;
  /** Null, like `path`, for bytes that are no HTTP request. */
  readonly method: string | null;
  /** Without its query. */
  readonly path: string | null;
  /** The header fields by their names in lower case; `[secret]` stands for credentials and digests. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the answer does not reach its end. */
  readonly status: number | null;
  /** The place in `accounts` of the account whose token or username it has, even if it is refused; null if none has it. */
  readonly account: number | null;
}
