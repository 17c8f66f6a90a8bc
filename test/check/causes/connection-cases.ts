import { stepOf } from "../../../src/check/outcome.ts";
import type { Exchange } from "../../../src/http/exchange.ts";
import type { CertificateFacts, Failure, ProxyAnswer, Step } from "../../../src/http/failure.ts";
import type { ConnectionRecord } from "../../../src/http/record.ts";
import { expired, failed, proxyFailure } from "../../support/exchanges.ts";
import { each } from "../../support/texts.ts";
import {
  accepted,
  type Case,
  type Cases,
  connectedAs,
  facts,
  rejected,
  silent,
  stepsOf,
  through,
  tls,
  tried,
} from "./found.ts";

const set = ["NO_PROXY is set and does not name this host", "CURL_CA_BUNDLE is set and not used"];

const words = (text: string): readonly string[] => text.split(/\s+/);
const v6 = "2001:db8::1";
const v4 = "192.0.2.7";

/** Addresses that were tried, each with its code. The last one's is the most telling. */
const connections: readonly string[] = [
  ...words("ECONNREFUSED ETIMEDOUT EHOSTUNREACH EACCES ENETUNREACH").map((code) => `${v4} ${code}`),
  `2001:db8::2 ENETUNREACH, ${v6} EADDRNOTAVAIL`,
  `${v6} ENETUNREACH, ${v4} ECONNREFUSED`,
  `${v4} ECONNREFUSED, 192.0.2.8 ETIMEDOUT`,
  [5, 4, 3, 2, 1].map((one) => `192.0.2.${one} ECONNREFUSED`).join(", "),
];

function connectionOver(addresses: string): Case {
  const all = addresses.split(", ").map((one) => one.split(" ") as [address: string, code: string]);
  return { exchange: failed({ code: all.at(-1)?.[1] ?? null }, { tried: tried(...all) }) };
}

const lookedUp = (host: string, code: string): Case => ({
  baseUrl: `https://${host}/v1`,
  exchange: failed({ step: "lookup", code }),
});

export const network: Cases = {
  ...each(words("ENOTFOUND ENODATA EAI_AGAIN EAI_MEMORY NOT_LOOPBACK"), (code) =>
    lookedUp("api.example.com", code),
  ),
  ...each(["api", "api.local", "host.docker.internal", "api.local.shop.test"], (host) =>
    lookedUp(host, "ENOTFOUND"),
  ),
  "EAI_AGAIN for a name without a dot": lookedUp("api", "EAI_AGAIN"),
  ...each(connections, connectionOver),
  localhost: {
    baseUrl: "http://localhost:8080",
    exchange: failed({ code: "ECONNREFUSED" }, { tried: tried(["127.0.0.1", "ECONNREFUSED"]) }),
  },
  "a literal address without a route": {
    baseUrl: `https://[${v6}]/v1`,
    exchange: failed({ code: "EADDRNOTAVAIL" }, { tried: tried([v6, "EADDRNOTAVAIL"]) }),
  },
  "a connection that throws": {
    exchange: failed(
      { step: "connect", code: "EBLOCKED", reason: "no network in tests" },
      { tried: tried([v4, "EBLOCKED"]) },
    ),
  },
  ...each(
    ["0.0.0.0", "10.0.0.1", "::12"],
    (address) => connectedAs(rejected(), { address }),
    (address) => `refused at ${address}`,
  ),
  ...each(
    ["api.localhost", "localhost.test", "[::1]"],
    (name) => ({ ...connectedAs(rejected(), { address: "::1" }), baseUrl: `https://${name}` }),
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
  "a proxy on this machine that fails": {
    exchange: failed(proxyFailure({ step: "tls", code: "ECONNRESET" }), { address: "127.0.0.1" }),
  },
  "no answer over http": { ...silent, baseUrl: "http://api.example.com:8080/v1" },
  "variables are set": { ...silent, hints: { networkVariables: () => set } },
  "variables are set, accepted": { exchange: accepted(), hints: { networkVariables: () => set } },
  ...each(
    [
      { step: "response", received: "part" },
      { step: "response", received: "part", body: { came: 5, announced: "90" } },
      { step: "response", received: "part", body: { came: 5, announced: "1234567890" } },
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
  alert: "SSL/TLS_ALERT_HANDSHAKE_FAILURE TLSV1_ALERT_PROTOCOL_VERSION",
  part: "SSL/TLS_ALERT_HANDSHAKE_FAILURE TLSV13_ALERT_CERTIFICATE_REQUIRED WRONG_VERSION_NUMBER",
} as const;
const received = ["nothing", "part", "alert"] as const;

const others = { fitsHost: false };
const above = { isServers: false };
const byFile = { ...above, givenBy: "extraCertificates" } as const;
const names = ["DNS:a.example", "IP Address:192.0.2.1", "x-DNS:c.example", "DNS:d.example"];

/** Certificates that are refused: Node's code, what is unusual, and OpenSSL's words. */
const certificates: ReadonlyArray<
  readonly [code: string, more?: Partial<CertificateFacts>, reason?: string]
> = [
  ["CERT_HAS_EXPIRED"],
  ["CERT_HAS_EXPIRED", above],
  ["CERT_HAS_EXPIRED", byFile],
  ["CERT_HAS_EXPIRED", { givenBy: "extraCertificates" }],
  ["CERT_HAS_EXPIRED", { ...above, givenBy: "SSL_CERT_FILE" }],
  ["CERT_NOT_YET_VALID"],
  ["CERT_NOT_YET_VALID", byFile],
  ["ERR_TLS_CERT_ALTNAME_INVALID"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", { names }],
  ["ERR_TLS_CERT_ALTNAME_INVALID", { names: [] }],
  ["DEPTH_ZERO_SELF_SIGNED_CERT"],
  ["SELF_SIGNED_CERT_IN_CHAIN", above],
  ["SELF_SIGNED_CERT_IN_CHAIN", { ...others, ...above }],
  ["UNABLE_TO_GET_ISSUER_CERT", byFile],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", { cameAlone: true }],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", others],
  ["CERT_REVOKED", {}, "certificate revoked"],
  ["INVALID_PURPOSE", others],
  ["UNSPECIFIED", {}, "EE certificate key too weak"],
];

export const handshakes: Cases = {
  ...each(received, (known) => ({ exchange: failed({ step: "tls", code: "ECONNRESET", received: known }) })),
  ...each(
    (["alert", "part"] as const).flatMap((known) =>
      words(openssl[known]).map((code) => [known, code] as const),
    ),
    ([known, code]) => ({
      exchange: failed({
        ...{ step: "tls", code: `ERR_SSL_${code}`, received: known },
        reason: code.toLowerCase().replaceAll("_", " "),
      }),
    }),
  ),
  "an end before TLS, through a proxy": {
    exchange: failed({ step: "tls", code: "ECONNRESET", received: "nothing" }, through),
  },
  ...each(certificates, ([code, more, reason]) => ({ exchange: tls(code, { ...facts, ...more }, reason) })),
  "an unknown CA, and variables are set": {
    exchange: tls("UNABLE_TO_GET_ISSUER_CERT_LOCALLY"),
    hints: { networkVariables: () => set },
  },
  "a code of a certificate that did not come": { exchange: tls("DEPTH_ZERO_SELF_SIGNED_CERT", null) },
  "an address in the base URL": {
    baseUrl: `https://[${v6}]/v1`,
    exchange: tls("ERR_TLS_CERT_ALTNAME_INVALID"),
  },
};

/** What proxies answer to CONNECT. */
const proxyAnswers: readonly Partial<ProxyAnswer>[] = [
  { status: 403, reason: "Forbidden (ERR_ACCESS_DENIED 0)" },
  { status: 407 },
  { status: 407, hadCredentials: true },
  { status: 302, reason: "Found", location: "http://me:word@login.example/start;id=1?session=2#3" },
  { status: 407, challenges: ['Digest realm="a, Basic b", qop="auth"', "NTLM, Negotiate", "Other"] },
  { status: 407, challenges: ['NTLM, basic realm="x"'] },
  { status: 407, challenges: ["="] },
];

const proxyFailures = {
  lookup: "ENOTFOUND",
  connect: "ECONNREFUSED EMFILE",
  tls: "ERR_SSL_WRONG_VERSION_NUMBER ECONNRESET CERT_HAS_EXPIRED",
  response: "EOF HPE_INVALID_CONSTANT",
};

export const proxies: Cases = {
  ...each(
    Object.entries(proxyFailures).flatMap(([step, codes]) =>
      words(codes).map((code) => [step, code] as const),
    ),
    ([step, code]) => ({
      exchange: failed(
        proxyFailure({ step: step as Step, code, certificate: /CERT/.test(code) ? facts : null }),
        { tried: step === "connect" ? tried(["192.0.2.9", code]) : [] },
      ),
    }),
  ),
  ...each(proxyAnswers, (answer) => ({ exchange: failed(proxyFailure({}, answer)) })),
  // The user and password of the proxy have the form of a variable.
  ...each(
    [{ status: 407, hadCredentials: true }, { status: 407 }],
    (answer) => ({ exchange: failed(proxyFailure({}, answer)), hints: { proxyHoldsVariable: true } }),
    (answer) => `${JSON.stringify(answer)} to a variable`,
  ),
  ...each(["ECONNRESET", "ERR_SSL_WRONG_VERSION_NUMBER"], (code) => ({
    exchange: failed(proxyFailure({ step: "proxy", code, received: "part" }, { status: 200 })),
  })),
  "a part of an answer to CONNECT": { exchange: failed(proxyFailure({ code: "EOF", received: "head" })) },
  ...each(["HTTP/1.1 200 OK\r\nExpires : 0\r\n", "SSH-2.0-x\r\n"], (text) => ({
    exchange: {
      ...failed(proxyFailure({ code: "HPE_INVALID_HEADER_TOKEN" })),
      broken: { problem: "Invalid header token", bytes: Buffer.from(text, "latin1") },
    } as Exchange,
  })),
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
  [{ step: "response", received: "head" }],
  [proxyFailure({ step: "connect" }), { tried: [{ address: "192.0.2.9", code: null, ms: 9_000 }] }],
  [proxyFailure({})],
  [proxyFailure({ received: "head" })],
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
    ["connect", "proxy"] as const,
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
