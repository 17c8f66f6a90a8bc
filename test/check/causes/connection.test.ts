import { test } from "vitest";
import type { Phase } from "../../../src/http/exchange.ts";
import type { TransportFailure } from "../../../src/http/failure.ts";
import { failed, proxyFailure, replied } from "../../support/exchanges.ts";
import { expectWords, type Words } from "./words.ts";

const { trace } = replied({});

test.each<readonly [TransportFailure, ...Words]>([
  [
    { kind: "lookup", host: "localhost", code: "NOT_LOOPBACK" },
    "localhost leads to an address of another machine (NOT_LOOPBACK); nothing was sent",
    "Check the entry of localhost",
  ],
  [
    { kind: "lookup", host: "a.example", code: "EAI_AGAIN" },
    "the name a.example could not be looked up (EAI_AGAIN)",
    "Check this machine's network and DNS",
  ],
  [
    { kind: "lookup", host: "a.example", code: "ENOTFOUND" },
    "there is no host named a.example (ENOTFOUND)",
    "Check the spelling of the base URL's host",
  ],
  [
    { kind: "connect", host: "::1", port: 1, code: "ECONNREFUSED" },
    "nothing listens at [::1] port 1 (ECONNREFUSED)",
    "Check the port of the base URL",
  ],
  [
    { kind: "connect", host: "a.example", port: 443, code: "ENFILE" },
    "no connection to a.example port 443: this machine may open no more files and connections (ENFILE)",
    "Lower --concurrency, and see which programs",
  ],
  [
    { kind: "connect", host: "a.example", port: 443, code: "EADDRNOTAVAIL" },
    "no connection to a.example port 443: this machine has no address or port left to connect from (EADDRNOTAVAIL)",
    "Lower --concurrency, and wait a minute",
  ],
  [
    { kind: "lookup", host: "a.example", code: "EMFILE" },
    "the name a.example could not be looked up: this process may open no more files and connections (EMFILE)",
    "Lower --concurrency, or raise the limit of open files (ulimit -n)",
  ],
  [
    proxyFailure({ step: "connect", code: "EMFILE" }),
    "no connection through the proxy p.example port 3128 (EMFILE)",
    "Lower --concurrency, or raise the limit of open files (ulimit -n)",
  ],
  [
    { kind: "connect", host: "a.example", port: 443, code: "ENETUNREACH" },
    "no connection to a.example port 443 (ENETUNREACH)",
    "Check the network and the firewall",
  ],
  [
    { kind: "tls", code: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", reason: "", certificate: null },
    "no trusted TLS connection (ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION)",
    "Ask the server's operator to allow TLS 1.2 or newer",
  ],
  [
    { kind: "tls", code: "CERT_HAS_EXPIRED", reason: "", certificate: null },
    "no trusted TLS connection (CERT_HAS_EXPIRED)",
    "Check the scheme, the host and the port of the base URL",
  ],
  [
    proxyFailure({ host: "::1", status: 403, code: "REFUSED" }),
    "no connection through the proxy [::1] port 3128 (403)",
    "Ask the operator of the proxy",
  ],
  [
    proxyFailure({ status: null, code: "EOF" }),
    "no connection through the proxy p.example port 3128 (EOF)",
    "Check the address of the proxy",
  ],
  [
    { kind: "closed", code: "EOF", received: "part" },
    "the connection ended in the middle of the response (EOF)",
    "Try again; if it keeps happening",
  ],
  [
    { kind: "closed", code: "ECONNRESET", received: "nothing" },
    "the connection ended before the response (ECONNRESET)",
    "Try again; if it keeps happening",
  ],
])("the failure %j: %s", (failure, ...words) => {
  expectWords({ exchange: failed(failure) }, words);
});

test.each<readonly [Phase, ...Words]>([
  ["lookup", "the name lookup did not finish", "Check this machine's network and DNS"],
  ["connect", "no connection was made", "Check that the host is up"],
  ["proxy", "the proxy did not open the connection", "Check the proxy, and whether"],
  ["tls", "the TLS handshake did not finish", "Check the port of the base URL"],
  ["request", "the request could not be sent", "Try again; check the network"],
  ["headers", "the request was sent, but the server did not answer in time", "Try again, or raise --timeout"],
  ["body", "the response did not end", "Try again, or raise --timeout"],
])("a deadline that passes at the step %s: %s", (phase, step, fix) => {
  const exchange = { kind: "expired", phase, trace } as const;
  expectWords({ exchange }, [`no complete response within 10 s: ${step}`, fix]);
});
