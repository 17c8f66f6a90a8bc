import type { HeaderField, HttpResponse, TimelineEntry } from "../http/exchange.ts";
import { masked, type Redactor } from "../redaction/redact.ts";
import type { SentField } from "./credential.ts";
import type { Attempt } from "./request.ts";
import { shownUrl } from "./shown.ts";

/** A response without secrets. */
interface ShownResponse {
  readonly status: number;
  /** The reason phrase. */
  readonly reason: string;
  readonly headers: readonly HeaderField[];
  /** The beginning of the body. */
  readonly body: string;
}

/** One exchange without secrets: the credential is masked in the request and in the response. */
export interface ExchangeRecord {
  readonly url: string;
  readonly sent: readonly HeaderField[];
  readonly response: ShownResponse | null;
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

// Redact the whole body before it is cut: a secret that is cut in two would not be recognised.
const mostOfBody = 300;

function shownBody({ body }: HttpResponse, redact: Redactor): string {
  const text = redact(new TextDecoder().decode(body));
  return text.length > mostOfBody ? `${text.slice(0, mostOfBody)}…` : text;
}

function shownResponse(response: HttpResponse, redact: Redactor): ShownResponse {
  const { status, reason, headers } = response;
  return {
    status,
    reason: redact(reason),
    headers: headers.map(({ name, value }) => ({ name: redact(name), value: redact(value) })),
    // Searching a long body takes time, and only --verbose shows it.
    get body() {
      return shownBody(response, redact);
    },
  };
}

// The field says which part of it is secret, so a field of any name is shown without it.
function shownField({ name, value, secret }: SentField, redact: Redactor): HeaderField {
  return { name, value: redact(secret === undefined ? value : value.replaceAll(secret, masked)) };
}

/** The record of an attempt, without secrets. */
export function recordOf(
  { sent, exchange }: Pick<Attempt, "sent" | "exchange">,
  url: URL,
  redact: Redactor,
): ExchangeRecord {
  return {
    url: shownUrl(url, redact),
    sent: sent.map((field) => shownField(field, redact)),
    response: exchange.kind === "response" ? shownResponse(exchange.response, redact) : null,
    // The second word of a step can be the host, as in `proxy proxy.example.com port 3128`.
    timeline: exchange.trace.timeline.map(({ step, at }) => ({
      step: step.replace(/(?<= )\S+/, redact),
      at,
    })),
    durationMs: exchange.trace.durationMs,
  };
}
