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
import { type Redactor, redactorOf } from "../../../src/redaction/redact.ts";
import type { Hints } from "../../../src/settings/advice.ts";
import type { Fix } from "../../../src/settings/fix.ts";
import { Secret } from "../../../src/settings/secret.ts";
import { settingsInWords, settingsOf } from "../../settings/settings-of.ts";

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
      suffixGiven: false,
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
