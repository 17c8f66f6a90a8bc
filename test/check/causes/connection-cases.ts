import { stepOf } from "../../../src/check/outcome.ts";
import type { Exchange } from "../../../src/http/exchange.ts";
import type { CertificateFacts, Failure, ProxyAnswer, Step } from "../../../src/http/failure.ts";
import type { ConnectionRecord } from "../../../src/http/record.ts";
import { expired, failed, proxyFailure } from "../../support/exchanges.ts";
import { each } from "../../support/texts.ts";
import {
  accepted,
  type Cases,
  connectedAs,
  facts,
  rejected,
  silent,
  stepsOf,
  through,
  tls,
  tried,
} from "./exchanges.ts";
import type { Case } from "./found.ts";

const words = (text: string): readonly string[] => text.split(/\s+/);
const v6 = "2001:db8::1";
const v4 = "192.0.2.7";

const lookups = "ENOTFOUND ENODATA EAI_AGAIN EAI_FAIL EAI_MEMORY EMFILE ERR_ACCESS_DENIED NOT_LOOPBACK";
const refusals = "ECONNREFUSED ETIMEDOUT EHOSTUNREACH EACCES EPERM EINVAL";
const limits = "ENETUNREACH EAFNOSUPPORT EADDRNOTAVAIL ENFILE ENOBUFS";

/** Addresses that were tried, each with its code. The last one's is the most telling. */
const connections: readonly string[] = [
  ...words(`${refusals} ${limits}`).map((code) => `${v4} ${code}`),
  `${v6} ENETUNREACH`,
  `2001:db8::2 ENETUNREACH, ${v6} EADDRNOTAVAIL`,
  `${v6} ENETUNREACH, ${v4} ENETUNREACH`,
  `${v6} ENETUNREACH, ${v4} ECONNREFUSED`,
  `${v4} ECONNREFUSED, 192.0.2.8 ETIMEDOUT`,
  `${v4} ENETUNREACH, 192.0.2.8 ECONNREFUSED`,
  // DNS changes the order of addresses, and equal failures read the same.
  ...[
    [5, 4, 3, 2, 1],
    [1, 2, 3, 4, 5],
  ].map((last) => last.map((one) => `192.0.2.${one} ECONNREFUSED`).join(", ")),
];

function connectionOver(addresses: string): Case {
  const all = addresses.split(", ").map((one) => one.split(" ") as [address: string, code: string]);
  return { exchange: failed({ code: all.at(-1)?.[1] ?? null }, { tried: tried(...all) }) };
}

const literal = (code: string) => ({
  baseUrl: `https://[${v6}]/v1`,
  exchange: failed({ code }, { tried: tried([v6, code]) }),
});

export const network: Cases = {
  ...each(words(lookups), (code) => ({ exchange: failed({ step: "lookup", code }) })),
  ...each(
    [
      ...["host.docker.internal", "api", "api.local", "api.default.svc.cluster.local", "api.example.org"],
      ...["api,example.com", "api.shop.test", "example.com.evil", "example.org"],
      // Names that hold one that is local to a place, and are not.
      ...["gateway.docker.internal", "host.containers.internal"].flatMap((name) => [
        name,
        `x${name}`,
        `${name}.test`,
      ]),
      ...["api.svc.shop.test", "api.local.shop.test", "disable", "***", "xnone", "nonex"],
      ...["undefined", "xn--pi-6kc.shop.test", "api.yourcompany.com", "yourself.shop.test"],
    ],
    (host) => ({ baseUrl: `https://${host}/v1`, exchange: failed({ step: "lookup", code: "ENOTFOUND" }) }),
  ),
  ...each(connections, connectionOver),
  ...each(["127.0.0.1", "localhost", "LOCALHOST.", "a-localhost", "localhost.test"], (host) => ({
    baseUrl: `http://${host}:8080`,
    exchange: failed({ code: "ECONNREFUSED" }, { tried: tried(["127.0.0.1", "ECONNREFUSED"]) }),
  })),
  "a literal address that refuses": literal("ECONNREFUSED"),
  "a connection that throws": {
    exchange: failed(
      { step: "connect", code: "EBLOCKED", reason: "no network in tests" },
      { tried: tried([v4, "EBLOCKED"]) },
    ),
  },
  "a literal address without a route": literal("EADDRNOTAVAIL"),
  ...each(
    ["0.0.0.0", "::", "127.0.0.53", "::1", "::ffff:127.0.0.1", "10.0.0.1", "2001:db8::1", "::12"],
    (address) => connectedAs(rejected(), { address }),
    (address) => `refused at ${address}`,
  ),
  ...each(
    ["localhost", "api.localhost", "localhost.", "localhost.test", "[::1]"],
    (name) => ({
      ...connectedAs(rejected(), { address: "::1" }),
      baseUrl: `https://${name}`,
    }),
    (name) => `refused at ::1 by the name ${name}`,
  ),
  "a local address that was tried": connectedAs(rejected(), { tried: tried(["0.0.0.0", "ECONNREFUSED"]) }),
  "a local address that --resolve gives": {
    ...connectedAs(rejected(), { address: "127.0.0.1" }),
    address: "127.0.0.1",
  },
  "an address that --resolve gives, refused": { ...connectionOver(`${v4} ECONNREFUSED`), address: v4 },
  "a local address, accepted": connectedAs(accepted(), { address: "127.0.0.1" }),
  "an answer through a proxy on this machine": connectedAs(rejected(), { ...through, address: "127.0.0.1" }),
  "no answer through a proxy on this machine": connectedAs(silent.exchange, {
    ...through,
    address: "127.0.0.1",
  }),
  "a proxy on this machine that fails": {
    exchange: failed(proxyFailure({ step: "tls", code: "ECONNRESET" }), { address: "127.0.0.1" }),
  },
  "no answer over http": { ...silent, baseUrl: "http://api.example.com/v1" },
  "a cut status line over http": {
    exchange: failed({ step: "response", code: "EOF", received: "head" }),
    baseUrl: "http://api.example.com/v1",
  },
  "an end before the request over http": {
    exchange: failed({ step: "request", code: "EOF", received: "nothing" }),
    baseUrl: "http://api.example.com/v1",
  },
  "no answer over http on port 8080": { ...silent, baseUrl: "http://api.example.com:8080/v1" },
  "NO_PROXY names the host": { ...silent, hints: { bypassedProxy: "NO_PROXY" } },
  "NO_PROXY names the host, accepted": { exchange: accepted(), hints: { bypassedProxy: "NO_PROXY" } },
  "all_proxy is set": { ...silent, hints: { unusedProxy: "all_proxy" } },
  "HTTP_PROXY is set": { ...silent, hints: { unusedProxy: "HTTP_PROXY" } },
  "all_proxy is set, accepted": { exchange: accepted(), hints: { unusedProxy: "all_proxy" } },
  ...each(
    [
      { step: "response", received: "part" },
      { step: "response", received: "part", body: { came: 0, announced: "90" } },
      { step: "response", received: "part", body: { came: 5, announced: "90" } },
      { step: "response", received: "nothing" },
      { step: "request", received: "nothing" },
    ] as const,
    (known) => ({ exchange: failed({ code: "EOF", ...known }) }),
  ),
  "no answer through a proxy": {
    exchange: failed({ step: "response", code: "EOF", received: "nothing" }, through),
  },
};

/** OpenSSL's codes of handshakes that fail before a certificate is verified, by what had come back. */
const openssl = {
  alert: "SSL/TLS_ALERT_HANDSHAKE_FAILURE TLSV1_ALERT_INTERNAL_ERROR TLSV1_ALERT_PROTOCOL_VERSION",
  part: `SSLV3_ALERT_HANDSHAKE_FAILURE TLSV1_ALERT_INTERNAL_ERROR TLSV1_ALERT_INSUFFICIENT_SECURITY
    SSLV3_ALERT_BAD_CERTIFICATE TLSV13_ALERT_CERTIFICATE_REQUIRED TLSV1_ALERT_NO_APPLICATION_PROTOCOL
    UNSUPPORTED_PROTOCOL TLSV1_UNRECOGNIZED_NAME WRONG_VERSION_NUMBER NO_PROTOCOLS_AVAILABLE BAD_EXTENSION`,
} as const;
const received = ["nothing", "part", "alert"] as const;

const others = { fitsHost: false };
const above = { isServers: false };
const names = ["DNS:a.example", "IP Address:192.0.2.1", "x-DNS:c.example", "DNS:d.example"];

/** Certificates that are refused: Node's code, what is unusual, and OpenSSL's words. */
const certificates: ReadonlyArray<
  readonly [code: string, more?: Partial<CertificateFacts>, reason?: string]
> = [
  ["CERT_HAS_EXPIRED"],
  ["CERT_HAS_EXPIRED", above],
  ["CERT_NOT_YET_VALID"],
  ["ERR_TLS_CERT_ALTNAME_INVALID"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", { names }],
  ["ERR_TLS_CERT_ALTNAME_INVALID", { names: [] }],
  ["DEPTH_ZERO_SELF_SIGNED_CERT"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", others],
  ["SELF_SIGNED_CERT_IN_CHAIN", above],
  ["SELF_SIGNED_CERT_IN_CHAIN", { ...others, ...above }],
  ["CERT_HAS_EXPIRED", { ...above, givenBy: "extraCertificates" }],
  ["CERT_HAS_EXPIRED", { givenBy: "extraCertificates" }],
  ["CERT_HAS_EXPIRED", { ...above, givenBy: "SSL_CERT_FILE" }],
  ["CERT_NOT_YET_VALID", { ...above, givenBy: "extraCertificates" }],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", { onlyStored: 1 }],
  ["CERT_HAS_EXPIRED", { onlyStored: 1 }],
  ["UNABLE_TO_GET_ISSUER_CERT"],
  ["UNABLE_TO_GET_ISSUER_CERT", { ...above, givenBy: "extraCertificates" }],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", { cameAlone: true }],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", { onlyStored: 0 }],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", { cameAlone: true }],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", others],
  // The name of the issuer tells who reads TLS on its way.
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", { issuer: "Zscaler Root CA" }],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", { issuer: "mitmproxy", cameAlone: true }],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", { issuer: "Kaspersky Anti-Virus Root", onlyStored: 0 }],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", { issuer: "mkcert me@laptop" }],
  ...[
    ...[
      "BlueCoat CA",
      "CheckPoint CA",
      "Caddy Local Authority - ECC Intermediate",
      "Not Caddy Local Authority",
    ],
    ...["(STAGING) Wannabe Watercress R11", "Staging CA"],
  ].map((issuer) => ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", { issuer }] as const),
  ...["TRAEFIK DEFAULT CERT", "Kubernetes Ingress Controller Fake Certificate"].map(
    (issuer) => ["DEPTH_ZERO_SELF_SIGNED_CERT", { ...others, issuer }] as const,
  ),
  // A file that this program was given counts before the issuer's name.
  ...["Zscaler Root CA", "mkcert me@laptop"].map(
    (issuer) => ["UNABLE_TO_GET_ISSUER_CERT", { ...above, givenBy: "extraCertificates", issuer }] as const,
  ),
  ["ERR_TLS_CERT_ALTNAME_INVALID", { names: ["DNS:*.example.com"] }],
  ["CERT_REVOKED"],
  ["CERT_REVOKED", {}, "certificate revoked"],
  ["INVALID_PURPOSE", others],
  ["UNSPECIFIED", {}, "EE certificate key too weak"],
  ["UNSPECIFIED", {}, "unsupported name constraint type"],
];

export const handshakes: Cases = {
  ...each(received, (known) => ({ exchange: failed({ step: "tls", code: "ECONNRESET", received: known }) })),
  ...each(
    (["alert", "part"] as const).flatMap((known) =>
      words(openssl[known]).map((code) => [known, code] as const),
    ),
    ([known, code]) => ({ exchange: failed({ step: "tls", code: `ERR_SSL_${code}`, received: known }) }),
  ),
  "an end after a long silence": {
    exchange: failed({ step: "tls", code: "EOF", received: "nothing" }, { steps: stepsOf({ tls: 10_000 }) }),
  },
  ...each(
    [1_999, 2_000],
    (ms) => ({
      exchange: failed({ step: "tls", code: "EOF", received: "nothing" }, { steps: stepsOf({ tls: ms }) }),
    }),
    (ms) => `an end after ${ms} ms`,
  ),
  "a deadline soon after the handshake began": {
    exchange: expired({ step: "tls" }, { steps: stepsOf({ lookup: 9_000, tls: 900 }) }),
  },
  "an end after a long silence behind a proxy": {
    exchange: failed(
      proxyFailure({ step: "proxy", code: "ECONNRESET", received: "nothing" }, { status: 200 }),
      {
        steps: stepsOf({ proxy: 3_000 }),
      },
    ),
  },
  "an end before TLS, through a proxy": {
    exchange: failed({ step: "tls", code: "ECONNRESET", received: "nothing" }, through),
  },
  "no TLS on port 8443": {
    exchange: tls("ERR_SSL_WRONG_VERSION_NUMBER", null),
    baseUrl: "https://api.example.com:8443/v1",
  },
  ...each(certificates, ([code, more, reason]) => ({ exchange: tls(code, { ...facts, ...more }, reason) })),
  ...each(["CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE, CURL_CA_BUNDLE"], (names) => ({
    exchange: tls("UNABLE_TO_GET_ISSUER_CERT_LOCALLY"),
    hints: { unusedBundles: names.split(", ") },
  })),
  ...each(
    ["CERT_HAS_EXPIRED", "ERR_SSL_WRONG_VERSION_NUMBER"],
    (code) => ({
      exchange: tls(code),
      hints: { unusedBundles: ["CURL_CA_BUNDLE"] },
    }),
    (code) => `CURL_CA_BUNDLE is set, ${code}`,
  ),
  "CURL_CA_BUNDLE is set, and the certificate is not for the host": {
    exchange: tls("UNABLE_TO_GET_ISSUER_CERT_LOCALLY", { ...facts, ...others }),
    hints: { unusedBundles: ["CURL_CA_BUNDLE"] },
  },
  ...each(["INVALID_PURPOSE", "DEPTH_ZERO_SELF_SIGNED_CERT"], (code) => ({ exchange: tls(code, null) })),
  ...each([v4, `[${v6}]`], (host) => ({
    baseUrl: `https://${host}/v1`,
    exchange: tls("ERR_TLS_CERT_ALTNAME_INVALID"),
  })),
};

/** What proxies answer to CONNECT. */
const proxyAnswers: readonly Partial<ProxyAnswer>[] = [
  ...[101, 300, 302, 304, 307, 429, 511, 400, 401, 403, 404, 405, 407, 500, 501, 502, 503, 504].map(
    (status) => ({
      status,
    }),
  ),
  { status: 407, hadCredentials: true },
  { status: 407, challenges: ['Digest realm="a, Basic b", qop="auth"', "NTLM, Negotiate", "Other"] },
  { status: 407, challenges: ['NTLM, basic realm="x"'] },
  { status: 407, challenges: ["Negotiate", "NTLM"] },
  { status: 407, challenges: ["NTLM"] },
  ...["NTLM2", "x-NTLM", "NTLM, Negotiate, Kerberos, ntlm", "="].map((one) => ({
    status: 407,
    challenges: [one],
  })),
];

const proxyFailures = {
  lookup: "ENOTFOUND ENODATA EAI_AGAIN ERR_ACCESS_DENIED",
  connect: "ECONNREFUSED EMFILE",
  tls: "ERR_SSL_WRONG_VERSION_NUMBER ECONNRESET DEPTH_ZERO_SELF_SIGNED_CERT CERT_HAS_EXPIRED",
  response: "EOF ECONNRESET HPE_INVALID_CONSTANT",
};

export const proxies: Cases = {
  ...each(
    Object.entries(proxyFailures).flatMap(([step, codes]) =>
      words(codes).map((code) => [step, code] as const),
    ),
    ([step, code]) => ({
      exchange: failed(
        proxyFailure({ step: step as Step, code, certificate: /CERT/.test(code) ? facts : null }),
        {
          tried: step === "connect" ? tried(["192.0.2.9", code]) : [],
        },
      ),
    }),
  ),
  "a proxy without a route": {
    exchange: failed(proxyFailure({ step: "connect", code: "ENETUNREACH" }), {
      tried: tried(["2001:db8::9", "ENETUNREACH"]),
    }),
  },
  ...each(proxyAnswers, (answer) => ({ exchange: failed(proxyFailure({}, answer)) })),
  // The user and password of the proxy have the form of a variable.
  ...each(
    [{ status: 407, hadCredentials: true }, { status: 407 }, { status: 403, hadCredentials: true }],
    (answer) => ({
      exchange: failed(proxyFailure({}, answer)),
      hints: { proxyHoldsVariable: true },
    }),
    (answer) => `${JSON.stringify(answer)} to a variable`,
  ),
  "403 with a reason": { exchange: failed(proxyFailure({ reason: "Not here" }, { status: 403 })) },
  ...each(["ECONNRESET", "ERR_SSL_WRONG_VERSION_NUMBER"], (code) => ({
    exchange: failed(proxyFailure({ step: "proxy", code, received: "part" }, { status: 200 })),
  })),
  "a part of an answer to CONNECT": { exchange: failed(proxyFailure({ code: "EOF", received: "head" })) },
  ...each(["HTTP/1.1 200 OK\r\nExpires : 0\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n", "SSH-2.0-x\r\n"], (text) => ({
    exchange: {
      ...failed(proxyFailure({ code: "HPE_INVALID_HEADER_TOKEN" })),
      broken: { problem: "Invalid header token", bytes: Buffer.from(text, "latin1") },
    } as Exchange,
  })),
  "403 for another port": {
    exchange: failed(proxyFailure({}, { status: 403 })),
    baseUrl: "https://api.example.com:8443/v1",
  },
  "a proxy with an IPv6 address": {
    exchange: failed(proxyFailure({ peer: { host: "::1", port: 3128 } }, { status: 403 })),
  },
};

const unanswered = [
  { address: v6, code: null, ms: 9_000 },
  { address: v4, code: "ECONNREFUSED", ms: 3 },
];

/** Where a deadline passes: at the step that took longest, if nothing else is said. */
const passed: ReadonlyArray<readonly [Partial<Failure>, Partial<ConnectionRecord>?]> = [
  [{ step: "lookup" }],
  [{ step: "connect" }, { tried: unanswered }],
  [{ step: "tls", received: "nothing" }],
  [{ step: "tls", received: "part" }],
  [{ step: "request" }],
  [{ step: "response" }],
  [{ step: "response", received: "part" }],
  [{ step: "response", received: "head" }],
  [proxyFailure({ step: "lookup" })],
  [proxyFailure({ step: "connect" }), { tried: [{ address: "192.0.2.9", code: null, ms: 9_000 }] }],
  [proxyFailure({ step: "tls", received: "nothing" })],
  [proxyFailure({ step: "tls", received: "part" })],
  [proxyFailure({})],
  [proxyFailure({ received: "head" })],
  [proxyFailure({ step: "proxy", received: "nothing" })],
  [proxyFailure({ step: "proxy" }), { steps: stepsOf({ proxy: 40, tls: 9_900 }) }],
];

export const deadlines: Cases = {
  ...each(
    passed,
    ([known, record]) => {
      const steps = stepsOf({ [stepOf({ step: "response", at: "api", ...known })]: 9_900 });
      return { exchange: expired(known, { steps, ...record }) };
    },
    ([{ step, at = "api", received = null }]) => `${step} of the ${at}, received ${received}`,
  ),
  ...each(
    ["lookup", "connect", "proxy", "tls", "request"] as const,
    (step) => ({
      exchange: expired({ step: "response" }, { steps: stepsOf({ [step]: 5_600, response: 4_390 }) }),
    }),
    (step) => `response, and the ${step} took longest`,
  ),
  "response, and each step took its time": {
    exchange: expired(
      { step: "response" },
      { steps: stepsOf({ lookup: 5_612, connect: 304, tls: 98.7, response: 3_985 }) },
    ),
  },
  "response, and a part of its body came": {
    exchange: expired(
      { step: "response", received: "part", body: { came: 5, announced: "90" } },
      { steps: stepsOf({ response: 9_900 }) },
    ),
  },
  "nothing through a tunnel, after a long lookup": {
    exchange: expired(proxyFailure({ step: "proxy" }), { steps: stepsOf({ lookup: 9_900 }) }),
  },
  "accepted, after a long lookup": connectedAs(accepted(), { steps: stepsOf({ lookup: 9_900 }) }),
};
