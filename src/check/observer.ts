import type { HeaderField, TimelineEntry } from "../http/exchange.ts";
import { masked, type Redactor } from "../redaction/redact.ts";
import type { Attempt } from "./attempt.ts";
import { headerNames } from "./credential.ts";
import { shownUrl } from "./shown.ts";

/** One exchange without secrets: the credential is masked in the request and in the response. */
export interface ExchangeRecord {
  readonly url: string;
  readonly sent: readonly HeaderField[];
  readonly status: number | null;
  readonly received: readonly HeaderField[];
  readonly timeline: readonly TimelineEntry[];
  readonly durationMs: number;
}

/** Is called for each request of a check. */
export interface CheckObserver {
  /** Called before each further request with its reason. */
  announce(message: string): Promise<void>;
  /** Called after each request. Call `record` to make the record. */
  observed(record: () => ExchangeRecord): Promise<void>;
  /** Called before a refused credential is diagnosed. Resolves with whether to diagnose it. */
  mayDiagnose(): Promise<boolean>;
}

// The username tells which account was checked. A digest is masked because it stays valid for a while.
function shownField(name: string, value: string, redact: Redactor): string {
  if (name === headerNames.token) return masked;
  if (name !== headerNames.wsse) return value;
  return value.replace(/"(.*?)".*/, (_, username) => `"${redact(username)}", PasswordDigest="${masked}", …`);
}

/** The record of an attempt, without secrets. */
export function recordOf(
  { sent, exchange }: Pick<Attempt, "sent" | "exchange">,
  url: URL,
  redact: Redactor,
): ExchangeRecord {
  const response = exchange.kind === "response" ? exchange.response : null;
  return {
    url: shownUrl(url, redact),
    sent: Object.entries(sent).map(([name, value]) => ({ name, value: shownField(name, value, redact) })),
    status: response?.status ?? null,
    received: (response?.headers ?? []).map(({ name, value }) => ({
      name: redact(name),
      value: redact(value),
    })),
    // The second word of a step can be the host, as in `proxy proxy.example.com port 3128`.
    timeline: exchange.trace.timeline.map(({ step, at }) => ({
      step: step.replace(/(?<= )\S+/, redact),
      at,
    })),
    durationMs: exchange.trace.durationMs,
  };
}
