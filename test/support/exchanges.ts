import type { ConnectionRecord } from "../../src/http/connection-record.ts";
import type { BodyEnd, Exchange, Trace } from "../../src/http/exchange.ts";
import type { ProxyFacts, TransportFailure } from "../../src/http/failure.ts";

/** When answers came, in milliseconds since the epoch: within a second, of which Date fields tell the start. */
export const repliedAt = Date.parse("2026-11-21T12:00:00.510Z");

/** A connection that was made at once to one address; a test says what was different. */
export function connectionOf(more: Partial<ConnectionRecord> = {}): ConnectionRecord {
  const steps = { lookup: 1, connect: 2, proxy: null, tls: 3, request: 1, response: 13 };
  return {
    peer: { host: "api.example.com", port: 443 },
    address: "192.0.2.7",
    tried: [],
    steps,
    step: "response",
    proxyStep: null,
    received: "part",
    tls: { version: "TLSv1.3", isResumed: false, validTo: "Nov  1 00:00:00 2027 GMT" },
    ...more,
  };
}

const trace: Trace = {
  durationMs: 20,
  connection: connectionOf(),
  sentAt: repliedAt - 20,
  respondedAt: repliedAt,
};

/** What a made-up answer is made of; header names in lower case. */
export interface AnswerParts {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  readonly bodyEnd?: BodyEnd;
  readonly truncated?: boolean;
}

/** The exchange of an answer, JSON with a length unless it says otherwise. */
export function replied(parts: AnswerParts): Exchange {
  const { status = 200, headers = {}, body = "", bodyEnd = "length", truncated = false } = parts;
  const fields = Object.entries({ "content-type": "application/json", ...headers });
  return {
    kind: "response",
    response: {
      status,
      reason: "",
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

/** The exchange that a transport failure ended. */
export const failed = (failure: TransportFailure, more: Partial<ConnectionRecord> = {}): Exchange => ({
  kind: "failed",
  failure,
  trace: {
    ...trace,
    sentAt: failure.step === "response" ? trace.sentAt : null,
    respondedAt: null,
    connection: connectionOf({ step: failure.step, ...peerOf(failure), ...more }),
  },
});

/** What the record of a connection says of a failure at the proxy, or without a connection. */
function peerOf(failure: TransportFailure): Partial<ConnectionRecord> {
  if (failure.step === "lookup" || failure.step === "connect") return { address: null };
  if (failure.step !== "proxy") return {};
  const { host, port, failed } = failure;
  const isConnected = failed !== "lookup" && failed !== "connect";
  return { peer: { host, port }, address: isConnected ? "192.0.2.9" : null };
}

/** The exchange that the deadline ended before a response began. */
export const expired = (more: Partial<ConnectionRecord>): Exchange => ({
  kind: "expired",
  trace: { ...trace, respondedAt: null, connection: connectionOf(more) },
});

/** The failure of a proxy at `p.example`, which answered if there is a status. */
export function proxyFailure(parts: Partial<ProxyFacts>): Extract<TransportFailure, { step: "proxy" }> {
  return {
    step: "proxy",
    host: "p.example",
    port: 3128,
    failed: "response",
    code: "REFUSED",
    isMalformed: false,
    hasCredentials: false,
    status: null,
    reason: "",
    schemes: [],
    ...parts,
  };
}
