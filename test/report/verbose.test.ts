import { expect, test } from "vitest";
import { exchangeLog } from "../../src/report/verbose.ts";

const record = {
  url: "https://a.example/test-authentication",
  sent: [
    { name: "accept", value: "application/json" },
    {
      name: "X-WSSE",
      value:
        'UsernameToken Username="me@a.example", PasswordDigest="[secret]", Nonce="0123456789abcdef0123456789abcdef01234567", Created="2026-11-21T00:00:00+00:00"',
    },
  ],
  response: {
    status: 401,
    reason: "Unauthorized",
    headers: [{ name: "x-two", value: "two\nlines" }],
    body: '{"code":401}\n',
  },
  connection: {
    address: "192.0.2.7",
    port: 443,
    proxy: null,
    tried: [
      { address: "2001:db8::1", code: null, ms: 254 },
      { address: "192.0.2.1", code: "ECONNREFUSED", ms: 1 },
    ],
    steps: { lookup: 5, connect: 300, proxy: null, tls: 31, request: 1, response: 160 },
    certificateExpiresAt: null,
  },
  tls: { version: "TLSv1.3", isResumed: true, expiresAt: null },
  brokenHead: [],
  durationMs: 501,
};

test("the log has a line for each field, the status, the body and each step", () => {
  expect(exchangeLog(record, Number.POSITIVE_INFINITY)).toBe(
    [
      "> GET https://a.example/test-authentication",
      "> accept: application/json",
      `> X-WSSE: ${record.sent[1]?.value}`,
      "< HTTP 401 Unauthorized",
      "< x-two: two\\nlines",
      "< ",
      '< {"code":401}\\n',
      "*      5 ms  lookup",
      "*    254 ms  [2001:db8::1] did not answer",
      "*      1 ms  192.0.2.1 ECONNREFUSED",
      "*    300 ms  connect 192.0.2.7 port 443",
      "*     31 ms  tls TLSv1.3, resumed",
      "*      1 ms  request",
      "*    160 ms  response",
      "*    501 ms  over",
      "",
    ].join("\n"),
  );
});

test("without a reason phrase and a body, nothing stands for them; without a response, no line does", () => {
  const empty = { ...record.response, reason: "", headers: [], body: "" };
  const received = (log: string) => log.split("\n").filter((line) => line.startsWith("<"));
  expect(received(exchangeLog({ ...record, response: empty }, 80))).toEqual(["< HTTP 401"]);
  expect(received(exchangeLog({ ...record, response: null }, 80))).toEqual([]);
});
