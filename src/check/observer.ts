// What a check tells while it runs, and the record of an exchange for `--verbose`. Every text in a record is searched for
// secrets.

import {
  type Exchange,
  type HeaderField,
  type HttpResponse,
  pathBelow,
  type Trace,
} from "../http/exchange.ts";
import type { ConnectionRecord } from "../http/record.ts";
import { cut } from "../redaction/cut.ts";
import { longestText } from "../redaction/escape.ts";
import { masked, type Redactor } from "../redaction/redact.ts";
import { endpointPath } from "../settings/urls.ts";
import type { SentField } from "./credential.ts";
import { beginningOf } from "./read/body.ts";
import { hiddenInFields, readBroken } from "./read/quotes.ts";
import { requestIdFields } from "./read/response.ts";

/** One exchange without secrets: the credential is masked in the request and in the response. */
export interface ExchangeRecord extends Pick<Trace, "connection" | "tls" | "durationMs"> {
  readonly url: string;
  /** The header fields; empty if the request was not sent. */
  readonly sent: readonly HeaderField[];
  /** With the beginning of its body. */
  readonly response: ReturnType<typeof responseRecord> | null;
  /** The status line and the fields of a response that breaks a rule of HTTP, as they came. */
  readonly brokenHead: readonly string[];
}

/** Is called for each request of a check. */
export interface CheckObserver {
  /** Called before the first request of a diagnosis. Each may count as a failed login, so nothing silences or cuts this. */
  announceCost(message: string): Promise<void>;
  /** Called before each request of a diagnosis with its reason. */
  announce(message: string): Promise<void>;
  /** Called when an origin limits requests, so that its accounts wait, and when nothing more is sent to it. Nothing silences this. */
  limited(news: string): Promise<void>;
  /** Called before another attempt with the end of the last one. */
  retrying(message: string): Promise<void>;
  /** Called after each request. Call `record` to make the record. */
  observed(record: () => ExchangeRecord): Promise<void>;
  /** Called before a refused credential is diagnosed. Resolves with whether to diagnose it. */
  mayDiagnose(): Promise<boolean>;
}

const mostOfBody = 300;

function responseRecord(response: HttpResponse, known: Redactor) {
  const redact = known.forResponse();
  const { status, reason, headers, body } = response;
  const whole = redact.and([], Number.POSITIVE_INFINITY);
  return {
    status,
    reason: redact(reason),
    headers: headers.map(({ name, value }) => ({
      name: redact(name),
      value: requestIdFields.includes(name.toLowerCase())
        ? known.and([], longestText)(value)
        : cut(hiddenInFields(`${name}: ${whole(value)}`).slice(name.length + 2), longestText),
    })),
    body: beginningOf(body, status, mostOfBody, redact),
  };
}

// The field says which part of it is secret, so a field of any name is shown without it.
function withoutSecret({ name, value, secret }: SentField, redact: Redactor): HeaderField {
  return { name, value: redact(secret === undefined ? value : value.replaceAll(secret, masked)) };
}

/** The record of an attempt, without secrets. */
export function recordOf(
  { sent, exchange }: { readonly sent: readonly SentField[]; readonly exchange: Exchange },
  baseUrl: URL,
  redact: Redactor,
): ExchangeRecord {
  const { connection, tls, durationMs, sentAt } = exchange.trace;
  return {
    url: shownUrl(baseUrl, redact),
    sent: sentAt === null ? [] : sent.map((field) => withoutSecret(field, redact)),
    response: exchange.kind === "response" ? responseRecord(exchange.response, redact) : null,
    brokenHead:
      exchange.kind !== "response" && exchange.broken ? readBroken(exchange.broken, redact).lines : [],
    connection: shownConnection(connection, redact),
    tls,
    durationMs,
  };
}

/** The URL of a request below this base URL, without secrets. The scheme and `/test-authentication` are never secret, so they stay. */
export function shownUrl(baseUrl: URL, redact: Redactor): string {
  return `${baseUrl.protocol}//${redact(baseUrl.host + pathBelow(baseUrl, ""))}${endpointPath}`;
}

/** A connection without secrets. */
export function shownConnection(connection: ConnectionRecord, redact: Redactor): ConnectionRecord {
  const { proxy } = connection;
  return proxy === null ? connection : { ...connection, proxy: proxy.replace(/(?<=:\/\/).+/, redact) };
}
