import type { Credential } from "../../../src/check/credential.ts";
import type { Exchange } from "../../../src/http/exchange.ts";
import type { CertificateFacts, Received } from "../../../src/http/failure.ts";
import type { ConnectionRecord, TriedAddress } from "../../../src/http/record.ts";
import {
  type AnswerParts,
  connectionOf,
  failed,
  proxyFailure,
  replied,
  repliedAt,
} from "../../support/exchanges.ts";
import type { Case } from "./found.ts";

export const rejected = (
  headers: Record<string, string> = {},
  status = 401,
  body = '{"code":401,"message":"No"}',
): Exchange => replied({ status, headers, body });
export const accepted = (headers: AnswerParts["headers"] = {}): Exchange =>
  replied({
    body: '{"code":200,"message":"Hi"}',
    headers: {
      "cache-control": "no-cache",
      "access-control-allow-origin": "*",
      allow: "GET, OPTIONS",
      ...headers,
    },
  });
/** A Date field by which this clock is ahead by so many seconds. */
export const dated = (secondsAhead: number): Record<string, string> => ({
  date: new Date(repliedAt - secondsAhead * 1000).toUTCString(),
});
export const page = (title: string): AnswerParts => ({
  body: `<html><title>${title}</title></html>`,
  headers: { "content-type": "text/html" },
});
export const facts: CertificateFacts = {
  subject: "api.example.com",
  issuer: "A CA",
  names: ["DNS:api.example.com"],
  fitsHost: true,
  validFrom: "2025-01-01T00:00:00.000Z",
  validTo: "2026-01-01T00:00:00.000Z",
  isServers: true,
};
export const tls = (code: string, certificate: CertificateFacts | null = facts, reason = ""): Exchange =>
  failed({ step: "tls", code, reason, certificate, received: "part" });
/** A handshake that failed before the certificate was verified, after this had come back. */
export const handshake = (code: string, received: Received = "part"): Case => ({
  exchange: failed({ step: "tls", code, received }),
});
export const proxied = (status: number | null, code = "REFUSED"): Case => ({
  exchange: failed(proxyFailure({ code }, status === null ? null : { status })),
});
export const answered = (parts: AnswerParts, more: Partial<Case> = {}): Case => ({
  exchange: replied(parts),
  ...more,
});
export const refused = (credential: Credential, hints: Case["hints"] = {}): Case => ({
  exchange: rejected(),
  credential,
  hints,
});
/** An exchange whose connection was made like this. */
export function connectedAs(exchange: Exchange, more: Partial<ConnectionRecord>): Case {
  const connection = { ...exchange.trace.connection, ...more };
  const durationMs = Object.values(connection.steps).reduce<number>((sum, ms) => sum + (ms ?? 0), 0);
  return { exchange: { ...exchange, trace: { ...exchange.trace, durationMs, connection } } };
}
/** The times of a connection that was made at once, except for these steps. */
export const stepsOf = (more: Partial<ConnectionRecord["steps"]>): ConnectionRecord["steps"] => ({
  ...connectionOf().steps,
  ...more,
});
export const success = (more: Partial<Case> = {}): Case => ({ exchange: accepted(), ...more });
export const refusal = (...given: Parameters<typeof rejected>): Case => ({ exchange: rejected(...given) });
export const certificate = (...given: Parameters<typeof tls>): Case => ({ exchange: tls(...given) });
export const leading = (location: string, url?: string): Case => ({
  exchange: replied({ status: 302, headers: { location } }),
  ...(url && { url }),
});
export const silent: Case = { exchange: failed({ step: "response", code: "EOF", received: "nothing" }) };
/** A connection through a proxy. */
export const through: Partial<ConnectionRecord> = {
  port: 3128,
  proxy: "http://p.example:3128",
  address: "192.0.2.9",
  steps: { lookup: null, connect: null, proxy: 3, tls: 3, request: 1, response: 1 },
};
/** Addresses that were tried, each with its code. */
export const tried = (
  ...addresses: ReadonlyArray<readonly [string, string | null]>
): readonly TriedAddress[] => addresses.map(([address, code]) => ({ address, code, ms: 1 }));
