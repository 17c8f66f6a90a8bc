import type { Exchange } from "../../../src/http/exchange.ts";
import type { CertificateFacts } from "../../../src/http/failure.ts";
import type { ConnectionRecord, TriedAddress } from "../../../src/http/record.ts";
import { type AnswerParts, connectionOf, failed, replied, repliedAt } from "../../support/exchanges.ts";
import type { Case } from "./found.ts";

/** Cases of a subject, by their titles. */
export type Cases = Readonly<Record<string, Case>>;

export const rejected = (headers: AnswerParts["headers"] = {}): Exchange =>
  replied({ status: 401, headers, body: '{"code":401,"message":"No"}' });
export const accepted = (headers: AnswerParts["headers"] = {}): Exchange =>
  replied({ headers, body: '{"code":200,"message":"Hi"}' });
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
  cameAlone: false,
  givenBy: null,
  onlyStored: null,
};
export const tls = (code: string, certificate: CertificateFacts | null = facts, reason = ""): Exchange =>
  failed({ step: "tls", code, reason, certificate, received: "part" });
export const answered = (parts: AnswerParts, more: Partial<Case> = {}): Case => ({
  exchange: replied(parts),
  ...more,
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
