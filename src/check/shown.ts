import type { Redactor } from "../redact.ts";
import { masked } from "../redact.ts";
import { answerOf, type Outcome } from "./outcome.ts";

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

/** A whole number as it may be shown. Beyond 2^53 it lost digits, so a secret of digits would not be found in it. */
function shownInteger(value: number, redact: Redactor): number | null {
  const text = String(value);
  return Number.isSafeInteger(value) && redact(text) === text ? value : null;
}

function shownValue(key: string, value: unknown, redact: Redactor): unknown {
  if (typeof value === "object" && value !== null) return shownFields(value, redact);
  if (ours.has(key) || value === expectedText) return value;
  // The code of a failure is the system's own name for it.
  if (typeof value === "string") return key === "code" ? value : redact(value);
  return typeof value === "number" ? shownInteger(value, redact) : value;
}

function shownFields(data: object, redact: Redactor): unknown {
  if (Array.isArray(data)) return data.map((item) => shownValue("", item, redact));
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, shownValue(key, value, redact)]),
  );
}

/** An outcome in which no text and no number from outside holds a secret. Our own sentences stay as they are. */
export function shownOutcome(outcome: Outcome, redact: Redactor): Outcome {
  const shown = shownFields(outcome, redact) as Outcome;
  const code = answerOf(outcome)?.code ?? null;
  if (code === null || answerOf(shown)?.code === code) return shown;
  if (shown.kind !== "unexpected" || !("problem" in shown.surprise)) return shown;
  // The one sentence of ours that quotes a number of the answer.
  const problem = shown.surprise.problem.replaceAll(String(code), masked);
  return { ...shown, surprise: { ...shown.surprise, problem } };
}

/** The URL of a request as it may be shown. Its scheme and its end are no part of the setting. */
export function shownUrl({ protocol, host, pathname }: URL, redact: Redactor): string {
  const [, base = "", end = ""] = /^(.*?)(\/test-authentication)?$/.exec(host + pathname) ?? [];
  return `${protocol}//${redact(base)}${end}`;
}
