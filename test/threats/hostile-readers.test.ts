import type { PeerCertificate } from "node:tls";
import { describe, expect, test } from "vitest";
import { recordOf, shownConnection } from "../../src/check/observer.ts";
import { pasteMistakes } from "../../src/check/paste-mistakes.ts";
import type { CheckResult } from "../../src/check/result.ts";
import { describeError } from "../../src/describe-error.ts";
import { exchangeEndOf } from "../../src/http/client.ts";
import { bodyEndOf } from "../../src/http/exchange.ts";
import { factsOf, opensslReason } from "../../src/http/tls.ts";
import { decodings } from "../../src/redaction/decode.ts";
import { redactorOf } from "../../src/redaction/redact.ts";
import { asciiJson, escapeText } from "../../src/report/escape.ts";
import { FailureGroups } from "../../src/report/failure-groups.ts";
import { Annotations } from "../../src/report/github-actions.ts";
import { jobSummary } from "../../src/report/job-summary.ts";
import { ndjsonReport } from "../../src/report/json.ts";
import { wrapped } from "../../src/report/layout.ts";
import { paintOf } from "../../src/report/paint.ts";
import { Rows } from "../../src/report/rows.ts";
import { textReport } from "../../src/report/text.ts";
import { exchangeLog } from "../../src/report/verbose.ts";
import { fileFormats, formatNames } from "../../src/run/options.ts";
import { explained, token, unredacted, wsse } from "../check/causes/found.ts";
import {
  type AnswerParts,
  connectionOf,
  failed,
  failureOf,
  judged,
  proxyFailure,
  replied,
} from "../support/exchanges.ts";
import { ended, outcomeOf, reported } from "../support/outcomes.ts";
import { isOutOfProportion, processorTime } from "../support/processor-time.ts";

const fileReports = [jobSummary, ...(await Promise.all(formatNames.map((name) => fileFormats[name].load())))];
const paint = await paintOf(false, 80);
const url = new URL("https://api.example/test-authentication");

/** What reads a response: the judgement, the causes and the record. */
function read(parts: AnswerParts): void {
  const exchange = replied(parts);
  explained({ exchange });
  judged(exchange, 10, redactorOf(["Zq8XvK2m", "a".repeat(5_000)]).and([], 500));
  recordOf({ sent: [], exchange }, url, unredacted);
}

const statuses = [200, 302, 401, 403, 404, 503];
const fields = [
  ...["age", "cache-status", "content-encoding", "content-type", "date", "location", "proxy-authenticate"],
  ...["retry-after", "server", "transfer-encoding", "www-authenticate", "x-cache", "x-unknown"],
];
const checked = (text: string): CheckResult => ({
  ...reported({ headline: text, credential: text, url: `https://${text}`, profile: text.slice(0, 1_000) }),
  outcome: { kind: "rejected", response: { ...outcomeOf.rejected.response, message: text } },
  findings: [{ id: "clock-ahead", certainty: "measured", message: text, fix: text }],
});
const account = (text: string) => ({ ...reported({}), ...checked(text) });

/** Everything that reads a text of others on its way from the socket to the reports. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  "a body": (text) => {
    for (const start of ["", "<html>", "<?xml ", "<!--", "<title>"])
      for (const status of statuses) read({ status, body: start + text, headers: { "content-type": [] } });
  },
  "a message": (text) => {
    for (const status of statuses) read({ status, body: JSON.stringify({ code: 401, message: text }) });
  },
  ...Object.fromEntries(
    fields.map((name) => [
      `the field ${name}`,
      (text: string) => {
        for (const status of statuses)
          for (const start of ["", "https://a/", "Basic "])
            read({ status, body: "{}", headers: { [name]: start + text } });
      },
    ]),
  ),
  "a certificate": (text) => {
    const [subject, issuer] = [{ CN: text }, { O: text }];
    const certificate = { subject, issuer, subjectaltname: text, valid_from: text, valid_to: text };
    const facts = factsOf("CERT_HAS_EXPIRED", [certificate as unknown as PeerCertificate], false);
    for (const code of ["ERR_TLS_CERT_ALTNAME_INVALID", "CERT_HAS_EXPIRED", "UNSPECIFIED"])
      explained({ exchange: failed({ step: "tls", code, reason: text, certificate: facts }) });
  },
  "the answer of a proxy": (text) => {
    for (const status of [400, 407, 502])
      explained({ exchange: failed(proxyFailure({ reason: text }, { status, challenges: [text] })) });
  },
  "an error": (text) => {
    const error = Object.assign(new Error(text), { name: text, stack: `Error: ${text}\n${text}` });
    describeError(error);
    opensslReason(error, true);
    const broken = Object.assign(new Error(text), { name: "HTTPParserError" });
    exchangeEndOf(broken, { firstError: null, ended: false }, { failure: () => failureOf() });
    bodyEndOf({ status: 200, headers: [{ name: "transfer-encoding", value: text }] });
  },
  "a credential": (text) => {
    for (const start of ["", "export A=", "token:", '"', "{{"]) pasteMistakes(start + text);
    const exchange = replied({ status: 401, body: "{}" });
    for (const credential of [token(text), wsse({ username: text, secret: `a@${text}` })])
      explained({ exchange, credential });
  },
  "the redactor": (text) => {
    decodings(text, 4);
    redactorOf(["Zq8XvK2m"])(text);
    redactorOf([`${text.slice(0, text.length / 2)}\u0001`])(text);
    redactorOf([text.slice(0, text.length / 4)])(text);
    // Signs of escapes before the first character of a long secret, in one text and between the places of another secret.
    const redact = redactorOf([`e${"0123456789".repeat(text.length / 10)}`, "another"]);
    for (const more of [text, `${text.slice(0, text.length / 20)}another`.repeat(20)]) redact(more);
  },
  "the text report": (text) => {
    const report = textReport(paint, { several: true, failedOnly: false, annotate: true });
    for (let times = 0; times < 2; times += 1) report.add(account(text));
    new FailureGroups().add(account(text));
    new Annotations().add(account(text));
  },
  "the other reports": (text) => {
    const rows = new Rows();
    rows.add(account(text));
    for (const report of fileReports) Array.from(report(rows, ended, "a.prom"));
    ndjsonReport.add(account(text));
    const connection = shownConnection(connectionOf(), unredacted);
    const response = { status: 200, reason: text, headers: [{ name: text, value: text }], body: text };
    exchangeLog({ url: text, sent: [], response, connection, tls: null, durationMs: 1 }, 80);
  },
  escaping: (text) => {
    escapeText(text, Number.POSITIVE_INFINITY);
    wrapped(text, { columns: 80 });
    asciiJson({ text, [text]: 1 });
  },
};

const pieces = [
  ...["<", "<a", "<!--", "<!---->", "<title", "<title>", "<?xml ", '"', "'", '\\"', "\\", ":", "::", "#["],
  ...[" ", "\n", "\t", " =", "=", ", ", ",a", "a=", '="', "a@a@", "a@a.", "(", "[", '{"a":', "{{", "$"],
  ...["a", "1", "00", "/", "a/", "QUJD", "%", "%25", "&", "&#", "&amp;", "\\u00", "é", "ß", "\ud83d", "‮"],
  ...[
    "The quick brown fox. ",
    "\\u0025%5c&amp;=3D+",
    "%25%32%35",
    "\\e",
    "\\\\e",
    "68656c6c6f",
    "YUdWc2JHOD0=",
  ],
];
describe("a text that is four times as long takes at most six times as long", () => {
  test.each(Object.entries(readers))("in %s", async (_, reader) => {
    const slow: string[] = [];
    for (const piece of pieces) {
      const timeOf = async (length: number): Promise<number> => {
        const text = `${piece.repeat(length / piece.length)}\n!`;
        return (await processorTime(() => reader(text))).milliseconds;
      };
      if (await isOutOfProportion(timeOf)) slow.push(piece);
    }
    expect(slow).toEqual([]);
  });
});
