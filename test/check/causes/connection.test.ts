import { test } from "vitest";
import type { Step, TransportFailure } from "../../../src/http/failure.ts";
import { expired, failed, proxyFailure, replied } from "../../support/exchanges.ts";
import { expectWords, type Words } from "./words.ts";

const { trace } = replied({});
const host = "a.example";
const lookup = (code: string): TransportFailure => ({ step: "lookup", host, code });
const connect = (code: string): TransportFailure => ({ step: "connect", host, port: 443, code });
const tls = (code: string): TransportFailure => ({ step: "tls", code, reason: "", certificate: null });
const closed = { step: "response", code: "EOF" } as const;
const denied = "the permissions of this Node.js forbid it the network (ERR_ACCESS_DENIED)";
const allow = "Start Node.js with --allow-net";
const lower = "Lower --concurrency";

test.each<readonly [TransportFailure, ...Words]>([
  [
    { step: "lookup", host: "localhost", code: "NOT_LOOPBACK" },
    "localhost leads to an address of another machine (NOT_LOOPBACK); nothing was sent",
    "Check the entry of localhost",
  ],
  [lookup("EAI_AGAIN"), "the name a.example could not be looked up (EAI_AGAIN)", "Check this machine's"],
  [lookup("ENOTFOUND"), "there is no host named a.example (ENOTFOUND)", "Check the spelling of the base URL"],
  [lookup("EMFILE"), "this process may open no more files and connections (EMFILE)", lower],
  [lookup("ERR_ACCESS_DENIED"), denied, allow],
  [connect("ERR_ACCESS_DENIED"), denied, allow],
  [connect("ECONNREFUSED"), "nothing listens at a.example port 443 (ECONNREFUSED)", "Check the port of the"],
  [connect("ENFILE"), "this machine may open no more files and connections (ENFILE)", lower],
  [connect("EADDRNOTAVAIL"), "has no address or port left to connect from (EADDRNOTAVAIL)", lower],
  [connect("ENETUNREACH"), "no connection to a.example port 443 (ENETUNREACH)", "Check the network and"],
  [
    proxyFailure({ failed: "lookup", code: "ERR_ACCESS_DENIED" }),
    "p.example port 3128 (ERR_ACCESS_DENIED)",
    allow,
  ],
  [proxyFailure({ failed: "connect", code: "EMFILE" }), "p.example port 3128 (EMFILE)", lower],
  [
    proxyFailure({ host: "::1", status: 403 }),
    "through the proxy [::1] port 3128 (403)",
    "Ask the operator of",
  ],
  [
    proxyFailure({ code: "EOF" }),
    "through the proxy p.example port 3128 (EOF)",
    "Check the address of the proxy",
  ],
  [
    tls("ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION"),
    "PROTOCOL_VERSION)",
    "Ask the server's operator to allow TLS",
  ],
  [tls("CERT_HAS_EXPIRED"), "no trusted TLS connection (CERT_HAS_EXPIRED)", "Check the scheme, the host and"],
  [
    { ...closed, received: "part" },
    "in the middle of the response (EOF)",
    "Try again; if it keeps happening",
  ],
  [{ ...closed, received: "nothing" }, "before the response (EOF)", "Try again; if it keeps happening"],
])("the failure %j: %s", (failure, ...words) => {
  expectWords({ exchange: failed(failure) }, words);
});

test.each<readonly [Step, ...Words]>([
  ["lookup", "the name lookup did not finish", "Check this machine's network and DNS"],
  ["connect", "no connection was made", "Check that the host is up"],
  ["proxy", "the proxy did not open the connection", "Check the proxy, and whether"],
  ["tls", "the TLS handshake did not finish", "Check the port of the base URL"],
  ["request", "the request could not be sent", "Try again; check the network"],
  [
    "response",
    "the request was sent, but the server did not answer in time",
    "Try again, or raise --timeout",
  ],
])("a deadline that passes at the step %s: %s", (step, words, fix) => {
  const exchange = expired({ step });
  expectWords({ exchange }, [`no complete response within 10 s: ${words}`, fix]);
});

test("a deadline that passes once the response has begun says that it did not end", () => {
  const exchange = { kind: "expired", trace } as const;
  const words: Words = ["10 s: the response did not end", "Try again, or raise --timeout"];
  expectWords({ exchange }, words);
});
