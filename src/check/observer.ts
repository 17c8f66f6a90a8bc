import type { HeaderField, TimelineEntry } from "../http/exchange.ts";
import { masked, type Redactor } from "../redaction/redact.ts";
import type { Attempt } from "./attempt.ts";
import { headerNames } from "./credential.ts";
import { shownUrl } from "./shown.ts";

/** One exchange as it may be shown: the credential masked, and whatever the server sent of it back. */
export interface ExchangeRecord {
  readonly url: string;
  readonly sent: readonly HeaderField[];
  readonly status: number | null;
  readonly received: readonly HeaderField[];
  readonly timeline: readonly TimelineEntry[];
  readonly durationMs: number;
}

/** Who is told of what happens while a check runs. */
export interface Observer {
  /** Before a further request: which, and why. */
  announce(message: string): Promise<void>;
  /** After each request. The record is made when it is asked for; no secret is in it. */
  observed(record: () => ExchangeRecord): Promise<void>;
}

// The username tells whose credential went out; a digest could be used for a while by whoever reads a log.
function shownField(name: string, value: string, redact: Redactor): string {
  if (name === headerNames.token) return masked;
  if (name !== headerNames.wsse) return value;
  const username = /^UsernameToken Username="([^"]*)"/.exec(value)?.[1] ?? "";
  return `UsernameToken Username="${redact(username)}", PasswordDigest="${masked}", …`;
}

/** The record of an attempt, with no secret in it. */
export function recordOf({ sent, exchange }: Attempt, url: URL, redact: Redactor): ExchangeRecord {
  const response = exchange.kind === "response" ? exchange.response : null;
  return {
    url: shownUrl(url, redact),
    sent: Object.entries(sent).map(([name, value]) => ({ name, value: shownField(name, value, redact) })),
    status: response?.status ?? null,
    received: (response?.headers ?? []).map(({ name, value }) => ({
      name: redact(name),
      value: redact(value),
    })),
    // The second word of a step is the host that it reached.
    timeline: exchange.trace.timeline.map(({ step, at }) => ({
      step: step.replace(/(?<=^\S+ )\S+/, redact),
      at,
    })),
    durationMs: exchange.trace.durationMs,
  };
}
