import { describe, expect, test } from "vitest";
import type { SentField } from "../../src/check/credential.ts";
import { shownFailure } from "../../src/check/judge.ts";
import { recordOf, shownUrl } from "../../src/check/observer.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import type { Failure } from "../../src/http/failure.ts";
import { redactorOf } from "../../src/redaction/redact.ts";
import { connectionOf, failureOf, replied } from "../support/exchanges.ts";

const redact = redactorOf(["hidden"]);
const [subject, issuer, validFrom, validTo] = ["subject hidden", "issuer hidden", "from hidden", "to hidden"];
const names = ["a.example", "hidden.example"];
const certificate = {
  subject,
  issuer,
  names,
  validFrom,
  validTo,
  fitsHost: true,
  isServers: true,
};

test.each<[Partial<Failure>, object]>([
  [{ peer: { host: "hidden.example", port: 1 } }, { peer: { host: "[secret].example", port: 1 } }],
  [{ code: "hidden" }, {}],
  [
    { reason: "hidden", answer: { status: 407, challenges: ["Basic", "hidden"], hadCredentials: false } },
    { reason: "[secret]", answer: { status: 407, challenges: ["Basic", "[secret]"], hadCredentials: false } },
  ],
  [
    { step: "tls", code: "CERT_HAS_EXPIRED", certificate },
    {
      certificate: {
        ...certificate,
        subject: "subject [secret]",
        issuer: "issuer [secret]",
        names: ["a.example", "[secret].example"],
        validFrom: "from [secret]",
        validTo: "to [secret]",
      },
    },
  ],
])(
  "of the failure %j, a text that others wrote is shown without secrets, and the rest as it is",
  (known, shown) => {
    expect(shownFailure(failureOf(known), redact)).toEqual({ ...failureOf(known), ...shown });
  },
);

test.each([
  ["https://hidden.example:8443/test-authentication", "https://[secret].example:8443/test-authentication"],
  ["http://a.example/hidden/test-authentication", "http://a.example/[secret]/test-authentication"],
])("the URL %s is shown as %s", (url, shown) => {
  expect(shownUrl(new URL(url), redact)).toBe(shown);
});

test("scheme and path of a URL are no secrets, even if a secret is the same", () => {
  const url = new URL("https://a.example/authentication/test-authentication");
  expect(shownUrl(url, redactorOf(["https", "authentication"]))).toBe(
    "https://a.example/[secret]/test-authentication",
  );
});

describe("the record of an exchange", () => {
  const url = new URL("https://a.example/hidden/test-authentication");
  const record = (exchange: Exchange, sent: readonly SentField[] = []) =>
    recordOf({ sent, exchange }, url, redact);

  test("shows every field that was sent, of the credential all but its secret part", () => {
    const { sent } = record(replied({}), [
      { name: "accept", value: "application/json" },
      { name: "Authorization", value: 'WSSE profile="UsernameToken"' },
      { name: "X-Auth-Token", value: "a-token", secret: "a-token" },
      {
        name: "X-WSSE",
        value: 'UsernameToken Username="me.hidden@a.example", PasswordDigest="d+1", Nonce="n1", Created="c1"',
        secret: "d+1",
      },
    ]);
    expect(sent).toEqual([
      { name: "accept", value: "application/json" },
      { name: "Authorization", value: 'WSSE profile="UsernameToken"' },
      { name: "X-Auth-Token", value: "[secret]" },
      {
        name: "X-WSSE",
        value:
          'UsernameToken Username="me.[secret]@a.example", PasswordDigest="[secret]", Nonce="n1", Created="c1"',
      },
    ]);
  });

  test.each([
    ["as it is", "agent hidden/1", "agent [secret]/1"],
    ["in base64", Buffer.from("hidden").toString("base64"), "[secret]"],
  ])("masks a secret in a field that no credential made, %s", (_, value, shown) => {
    expect(record(replied({}), [{ name: "X-New", value }]).sent).toEqual([{ name: "X-New", value: shown }]);
  });

  test("shows status, fields, steps and time of the response, without secrets", () => {
    const { trace, ...end } = replied({
      status: 418,
      headers: { "x-hidden": "a hidden b" },
      body: "no hidden",
    });
    const connection = connectionOf({ proxy: "http://hidden.example:3128" });
    expect(record({ ...end, trace: { ...trace, connection } })).toEqual({
      url: "https://a.example/[secret]/test-authentication",
      sent: [],
      response: {
        status: 418,
        reason: "",
        headers: [
          { name: "content-type", value: "application/json" },
          { name: "x-[secret]", value: "a [secret] b" },
        ],
        body: "no [secret]",
      },
      connection: {
        address: "192.0.2.7",
        port: 443,
        proxy: "http://[secret].example:3128",
        tried: [],
        steps: { lookup: 1, connect: 2, proxy: null, tls: 3, request: 1, response: 13 },
        certificateExpiresAt: "2027-11-01T00:00:00.000Z",
      },
      tls: { version: "TLSv1.3", isResumed: false, expiresAt: "2027-11-01T00:00:00.000Z" },
      durationMs: 20,
    });
  });

  test("shows the first 300 characters of a body, and no part of a secret that stands across the cut", () => {
    const body = (text: string) => record(replied({ body: text })).response?.body;
    expect(body("x".repeat(300))).toBe("x".repeat(300));
    expect(body("x".repeat(301))).toBe(`${"x".repeat(299)}…`);
    expect(body(`${"x".repeat(296)}hidden`)).toBe(`${"x".repeat(296)}[se…`);
  });
});
