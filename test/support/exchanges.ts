import { judge } from "../../src/check/judge.ts";
import { ReadResponse, readExchange } from "../../src/check/read/response.ts";
import type { Exchange, HttpResponse, Trace } from "../../src/http/exchange.ts";
import type { Failure, ProxyAnswer } from "../../src/http/failure.ts";
import type { ConnectionRecord } from "../../src/http/record.ts";
import { type Redactor, redactorOf } from "../../src/redaction/redact.ts";
import { shownHost } from "../../src/system/addresses.ts";

/** The base URL of the API, where a test has no other. */
export const ofApi = new URL("https://api.example.com/v1");

/** When answers came, in milliseconds since the epoch: within a second, of which Date fields tell the start. */
export const repliedAt = Date.parse("2026-11-21T12:00:00.510Z");

/** A connection that was made at once to one address; a test says what was different. */
export function connectionOf(more: Partial<ConnectionRecord> = {}): ConnectionRecord {
  const steps = { lookup: 1, connect: 2, proxy: null, tls: 3, request: 1, response: 13 };
  return {
    address: "192.0.2.7",
    port: 443,
    proxy: null,
    tried: [],
    steps,
    certificateExpiresAt: "2027-11-01T00:00:00.000Z",
    ...more,
  };
}

const trace: Trace = {
  durationMs: 20,
  connection: connectionOf(),
  tls: { version: "TLSv1.3", isResumed: false, expiresAt: "2027-11-01T00:00:00.000Z" },
  sentAt: repliedAt - 20,
  respondedAt: repliedAt,
};

/** What a made-up answer is made of; header names in lower case. */
export interface AnswerParts {
  readonly status?: number;
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  readonly bodyEnd?: HttpResponse["bodyEnd"];
  readonly truncated?: boolean;
}

/** The exchange of an answer, JSON with a length unless it says otherwise. */
export function replied(parts: AnswerParts): Extract<Exchange, { kind: "response" }> {
  const { status = 200, reason = "", headers = {}, body = "", bodyEnd = "length", truncated = false } = parts;
  const fields = Object.entries({ "content-type": "application/json", ...headers });
  return {
    kind: "response",
    response: {
      status,
      reason,
      headers: fields.flatMap(([name, value]) =>
        [value].flat().map((one) => ({ name, value: one as string })),
      ),
      body: typeof body === "string" ? Buffer.from(body) : body,
      bodyEnd,
      truncated,
    },
    trace,
  };
}

/** What is read of an answer, if these are the secrets. */
export function read(parts: AnswerParts, ...secrets: readonly string[]): ReadResponse {
  const { response, trace } = replied(parts);
  return new ReadResponse(response, trace, redactorOf(secrets), ofApi);
}

/** A failure of the API's server; a test says what was different. */
export const failureOf = (known: Partial<Failure> = {}): Failure => ({
  step: "connect",
  at: "api",
  code: "ECONNREFUSED",
  reason: "",
  peer: { host: "api.example.com", port: 443 },
  received: null,
  certificate: null,
  answer: null,
  body: null,
  ...known,
});

/** The failure of a proxy at `p.example`, which answered if a part of its answer is given. */
export const proxyFailure = (known: Partial<Failure>, answer: Partial<ProxyAnswer> | null = null): Failure =>
  failureOf({
    ...{ step: "response", at: "proxy", code: "REFUSED", peer: { host: "p.example", port: 3128 } },
    answer: answer && {
      status: 407,
      reason: "",
      location: null,
      challenges: [],
      hadCredentials: false,
      ...answer,
    },
    ...known,
  });

/** The exchange that a failure ended. */
export function failed(known: Partial<Failure>, more: Partial<ConnectionRecord> = {}): Exchange {
  const failure = failureOf(known);
  const { step, at, peer } = failure;
  const isConnected = step !== "lookup" && step !== "connect";
  const proxied = at === "proxy" && {
    proxy: `http://${shownHost(peer.host)}:${peer.port}`,
    port: peer.port,
  };
  const address = isConnected ? (at === "proxy" ? "192.0.2.9" : "192.0.2.7") : null;
  const connection = connectionOf({ address, ...proxied, ...more });
  const sentAt = step === "response" && at === "api" ? trace.sentAt : null;
  return { kind: "failed", failure, trace: { ...trace, sentAt, respondedAt: null, connection } };
}

/** The exchange that the deadline ended. */
export const expired = (known: Partial<Failure>, more: Partial<ConnectionRecord> = {}): Exchange =>
  failed({ received: "nothing", ...known, code: null }, more);

/** What an exchange is judged as. */
export const judged = (exchange: Exchange, seconds: number, redact: Redactor) =>
  judge(readExchange(exchange, redact, ofApi), seconds, redact);
