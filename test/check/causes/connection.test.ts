import { expect, test } from "vitest";
import type { Failure } from "../../../src/http/failure.ts";
import type { ConnectionRecord } from "../../../src/http/record.ts";
import { failed } from "../../support/exchanges.ts";
import { handshake, through } from "./exchanges.ts";
import { explained } from "./found.ts";
import { expectWords, type Words } from "./words.ts";

const tls = (code: string, received: Failure["received"] = "part") =>
  ({ step: "tls", code, received }) as const;

const end = { step: "response", code: "EOF" } as const;
test.each<readonly [Partial<Failure>, Partial<ConnectionRecord>, ...Words]>([
  [
    { ...end, received: "part" },
    {},
    "the connection to api.example.com (192.0.2.7) port 443 ended in the middle of the response (EOF)",
    "Try again; if it keeps happening, something between this machine and the API closes connections",
  ],
  [
    { ...end, received: "nothing" },
    {},
    "(192.0.2.7) port 443 ended before the response (EOF)",
    "Try again; if",
  ],
  [
    { ...end, received: "nothing" },
    through,
    "443 through the proxy p.example:3128 (192.0.2.9, set by the default) ended before the response (EOF)",
    "Try again; if",
  ],
  [
    { step: "request", code: "EPIPE", received: "nothing" },
    {},
    "(192.0.2.7) port 443 ended before the request was sent (EPIPE)",
    "Try again; if it keeps happening, ask the server's operator",
  ],
  [
    tls("ECONNRESET", "nothing"),
    {},
    "api.example.com (192.0.2.7) port 443 accepted the connection and ended it before TLS began (ECONNRESET)",
    `Check the scheme, the host and the port of the base URL (now set by the default), and ask whether a firewall or a device that inspects TLS ends such connections, or whether you need a proxy (--proxy)`,
  ],
  [tls("ECONNRESET", "nothing"), through, "before TLS began (ECONNRESET)", "Check the scheme"],
  [
    tls("ECONNRESET"),
    {},
    "the connection to api.example.com (192.0.2.7) port 443 ended in the middle of the TLS handshake (ECONNRESET)",
    "Try again; if it keeps happening, ask whether a firewall",
  ],
  [
    tls("ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "alert"),
    {},
    "no TLS connection (ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION) to api.example.com (192.0.2.7) port 443",
    "Ask the server's operator to allow TLS",
  ],
  [
    tls("ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR", "alert"),
    {},
    "443",
    "Check the host of the base URL (now set by the default), and tell",
  ],
  [
    tls("ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR"),
    {},
    "443",
    "Check the host of the base URL (now set by the default), and ask its operator whether the server wants a client certificate",
  ],
  [tls("ERR_SSL_BAD_EXTENSION"), {}, "443", "Tell the server's operator this code"],
])("the failure %j, %j: %s", (failure, record, ...words) => {
  expectWords({ exchange: failed(failure, record) }, words);
});

test("nobody is asked whether a proxy is needed when one is used", () => {
  const { findings } = explained({
    exchange: failed(tls("ECONNRESET", "nothing"), through),
  });
  expect(findings.at(-1)?.fix).toMatch(/or whether the proxy does$/);
});

test.each([
  ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "alert", "tls-parameters", "measured"],
  ["ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY", "part", "tls-parameters", "measured"],
  ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "part", "client-certificate", "possible"],
  ["ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE", "part", "client-certificate", "measured"],
] as const)("a handshake that ends with %s after %s came shows %s (%s)", (code, received, id, certainty) => {
  expect(explained(handshake(code, received)).findings[0]).toMatchObject({ id, certainty });
});
