import { describe, expect, test } from "vitest";
import type { SentField } from "../../src/check/credential.ts";
import { recordOf, shownUrl } from "../../src/check/observer.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import { redactorOf } from "../../src/redaction/redact.ts";
import { connectionOf, failed, failureOf, judged, replied } from "../support/exchanges.ts";

const redact = redactorOf(["hidden"]);
/** A failure whose texts of others hold this word. */
const failureWith = (word: string) =>
  failureOf({
    code: "hidden",
    reason: word,
    peer: { host: `${word}.example`, port: 1 },
    answer: { status: 407, challenges: ["Basic", word], reason: "", location: null, hadCredentials: false },
    certificate: {
      subject: `subject ${word}`,
      issuer: `issuer ${word}`,
      names: ["a.example", `${word}.example`],
      validFrom: `from ${word}`,
      validTo: `to ${word}`,
      fitsHost: true,
      isServers: true,
      cameAlone: false,
      givenBy: "extraCertificates",
      onlyStored: null,
    },
  });

test("of a failure, each text that others wrote is shown without secrets, and the rest as it is", () => {
  for (const [failure, shown] of [
    [failureWith("hidden"), failureWith("[secret]")],
    [failureOf(), failureOf()],
  ] as const)
    expect(judged(failed(failure), 10, redact)).toEqual({ kind: "unreachable", failure: shown });
});

test.each([
  ["https://hidden.example:8443", "https://[secret].example:8443/test-authentication"],
  ["http://a.example/hidden", "http://a.example/[secret]/test-authentication"],
  // Scheme and path are no secrets, even if a secret is the same.
  ["https://a.example/authentication", "https://a.example/[secret]/test-authentication"],
])("the URL below %s is shown as %s", (baseUrl, shown) => {
  expect(shownUrl(new URL(baseUrl), redactorOf(["hidden", "https", "authentication"]))).toBe(shown);
});

describe("the record of an exchange", () => {
  const baseUrl = new URL("https://a.example/hidden");
  const record = (exchange: Exchange, sent: readonly SentField[] = []) =>
    recordOf({ sent, exchange }, baseUrl, redact);

  test.each<[SentField, shown: string]>([
    [{ name: "accept", value: "application/json" }, "application/json"],
    [{ name: "X-Auth-Token", value: "a-token", secret: "a-token" }, "[secret]"],
    [
      { name: "X-WSSE", value: 'Username="me.hidden@a", PasswordDigest="d+1", Nonce="n1"', secret: "d+1" },
      'Username="me.[secret]@a", PasswordDigest="[secret]", Nonce="n1"',
    ],
    [{ name: "X-New", value: "agent hidden/1" }, "agent [secret]/1"],
    [{ name: "X-New", value: Buffer.from("hidden").toString("base64") }, "[secret]"],
  ])("shows the field %j that was sent as %s", (field, shown) => {
    expect(record(replied({}), [field]).sent).toEqual([{ name: field.name, value: shown }]);
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
      brokenHead: [],
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
      connection: connectionOf({ proxy: "http://[secret].example:3128" }),
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
