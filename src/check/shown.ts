import { type Exchange, headerValues } from "../http/exchange.ts";
import { masked, type Redactor } from "../redaction/redact.ts";
import { type Outcome, responseOf } from "./outcome.ts";

// Words and numbers of our own, of the system and of the settings. Everything else in an outcome came from outside.
const ours: ReadonlySet<string> = new Set([
  "kind",
  "phase",
  "step",
  "seconds",
  "port",
  "received",
  "problem",
]);

// What the specification has every answer say.
const expectedText = "application/json";

// What an outcome holds in lower case, and the fields that it was read from: base64 can be decoded only as it came.
const lowered: Readonly<Record<string, readonly string[]>> = {
  contentType: ["content-type"],
  encoding: ["content-encoding", "transfer-encoding"],
  scheme: ["www-authenticate"],
};

/** A whole number as it may be shown. Beyond 2^53 it lost digits, so a secret of digits would not be found in it. */
function shownInteger(value: number, redact: Redactor): number | null {
  const text = String(value);
  return Number.isSafeInteger(value) && redact(text) === text ? value : null;
}

/** An outcome in which no text and no number from outside holds a secret. Our own sentences stay as they are. */
export function shownOutcome(outcome: Outcome, exchange: Exchange, redact: Redactor): Outcome {
  const fieldsHold = (names: readonly string[]): boolean =>
    exchange.kind === "response" &&
    names.flatMap((name) => headerValues(exchange.response, name)).some((value) => redact(value) !== value);

  function shownValue(key: string, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => shownValue("", item));
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shownValue(name, item)]));
    }
    if (ours.has(key) || value === expectedText) return value;
    if (typeof value === "number") return shownInteger(value, redact);
    // The code of a failure is the system's own name for it.
    if (typeof value !== "string" || key === "code") return value;
    return fieldsHold(lowered[key] ?? []) ? masked : redact(value);
  }

  const shown = shownValue("", outcome) as Outcome;
  const code = responseOf(outcome)?.code ?? null;
  if (code === null || responseOf(shown)?.code === code) return shown;
  if (shown.kind !== "unexpected" || !("problem" in shown.reason)) return shown;
  // The one sentence of ours that quotes a number of the answer.
  const problem = shown.reason.problem.replaceAll(String(code), masked);
  return { ...shown, reason: { ...shown.reason, problem } };
}

/** The URL of a request as it may be shown. Its scheme and its end are no part of the setting. */
export function shownUrl({ protocol, host, pathname }: URL, redact: Redactor): string {
  const [, base = "", end = ""] = /^(.*?)(\/test-authentication)?$/.exec(host + pathname) ?? [];
  return `${protocol}//${redact(base)}${end}`;
}
