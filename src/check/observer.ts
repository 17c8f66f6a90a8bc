import type { HeaderField, TimelineEntry } from "../http/exchange.ts";
import type { Attempt } from "./attempt.ts";
import { headerNames } from "./credential.ts";
import { type Redactor, redacted } from "./redact.ts";

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
function masked(name: string, value: string): string {
  if (name === headerNames.token) return redacted;
  if (name !== headerNames.wsse) return value;
  const username = /^UsernameToken (Username="[^"]*")/.exec(value)?.[1] ?? "";
  return `UsernameToken ${username}, PasswordDigest="${redacted}", …`;
}

/** The record of an attempt, with no secret in it. */
export function recordOf({ sent, exchange }: Attempt, url: URL, redact: Redactor): ExchangeRecord {
  const reply = exchange.kind === "reply" ? exchange.reply : null;
  return {
    url: url.href,
    sent: Object.entries(sent).map(([name, value]) => ({ name, value: masked(name, value) })),
    status: reply?.status ?? null,
    received: redact(reply?.headers ?? []),
    timeline: exchange.trace.timeline,
    durationMs: exchange.trace.durationMs,
  };
}
