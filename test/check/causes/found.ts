import { expect } from "vitest";
import { explain } from "../../../src/check/causes/explain.ts";
import type { Evidence } from "../../../src/check/check-context.ts";
import type { SentCredential } from "../../../src/check/credential.ts";
import { judge } from "../../../src/check/judge.ts";
import type { Outcome } from "../../../src/check/outcome.ts";
import { clockSkew } from "../../../src/check/read/dates.ts";
import { readExchange } from "../../../src/check/read/response.ts";
import type { Finding } from "../../../src/check/result.ts";
import type { Exchange } from "../../../src/http/exchange.ts";
import type { CertificateFacts } from "../../../src/http/failure.ts";
import type { ConnectionRecord, TriedAddress } from "../../../src/http/record.ts";
import { type Redactor, redactorOf } from "../../../src/redaction/redact.ts";
import type { Hints } from "../../../src/settings/advice.ts";
import type { Fix } from "../../../src/settings/fix.ts";
import { Secret } from "../../../src/settings/secret.ts";
import { settingsInWords, settingsOf } from "../../settings/settings-of.ts";
import { type AnswerParts, connectionOf, failed, replied, repliedAt } from "../../support/exchanges.ts";

/** The advice where nothing is set. */
export const noAdvice = settingsInWords(settingsOf([]));
/** The redactor of no secret. */
export const unredacted = redactorOf([]);
/** A token of the specified shape. */
export const hex40 = "0123456789abcdef0123456789abcdef01234567";
/** A token as a credential. */
export const token = (value: string): SentCredential => ({ method: "token", token: new Secret(value) });
/** An account as a credential, of usual shape where nothing else is said. */
export const wsse = (more: Partial<Record<"username" | "secret", string>> = {}): SentCredential => ({
  method: "wsse",
  authorization: "none",
  username: more.username ?? "me@example.com",
  secret: new Secret(more.secret ?? "correct horse battery".replaceAll(" ", "-")),
  digest: "text-nonce",
  hash: "sha1",
});

/** What a check came to, of which findings are made. */
export interface Case {
  readonly exchange: Exchange;
  readonly credential?: SentCredential;
  readonly baseUrl?: string;
  /** The address that --resolve gives. */
  readonly address?: string;
  readonly hints?: Partial<Hints>;
  readonly notRetried?: string;
  readonly redact?: Redactor;
  /** What the exchange is judged as, if it does not say. */
  readonly outcome?: Outcome;
  readonly diagnosed?: readonly Finding<Fix>[];
}

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

/** What a case is explained by. */
export function evidenceOf({
  exchange,
  credential = token(hex40),
  baseUrl = "https://api.example.com/v1",
  address,
  hints,
  notRetried,
  redact = unredacted,
  outcome = judge(readExchange(exchange, redact, new URL(baseUrl)), 10, redact),
  diagnosed = [],
}: Case): Evidence {
  const read = readExchange(exchange, redact, new URL(baseUrl));
  return {
    exchange: read,
    outcome,
    clock: clockSkew(read),
    credential,
    baseUrl: new URL(baseUrl),
    address: address ?? null,
    hints: {
      ...noAdvice,
      isCommandLine: true,
      hidden: [],
      hasSpareToken: false,
      networkVariables: () => [],
      setByFoundFile: [],
      whyUnexpanded: () => "an rc file expands nothing",
      proxyHoldsVariable: false,
      ...hints,
    } as Hints,
    redact,
    notRetried: notRetried ?? null,
    diagnosed,
  };
}

/** What is said of a case; each finding has a message and something to do. */
export function explained(one: Case): ReturnType<typeof explain> {
  const explanation = explain(evidenceOf(one));
  const text = expect.stringMatching(/./);
  for (const finding of explanation.findings)
    expect(finding).toEqual({ id: text, certainty: text, message: text, fix: text });
  return explanation;
}

/** The findings in a case. */
export const findingsIn = (wanted: Case): readonly Finding[] => explained(wanted).findings;
