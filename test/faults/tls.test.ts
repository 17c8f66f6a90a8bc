import { createServer } from "node:http";
import { join } from "node:path";
import type { TlsOptions } from "node:tls";
import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks } from "../support/planted.ts";
import { runAsChild } from "../support/run.ts";
import { answer, successText } from "./answers.ts";
import { identity } from "./certificates.ts";
import { check, type Fault, methods, testFaults } from "./faults.ts";
import { accepting, type Peer, securing, sends, sendsThenEnds } from "./peers.ts";

const authority = { commonName: "Faults CA", ...identity({ commonName: "Faults CA" }) };
const stranger = identity({ commonName: "Stranger CA" });
const names = ["DNS:api.test", "IP:127.0.0.1"];
const good = identity({ commonName: "api.test", names }, authority);
const halfADay = 43_200_000;
const success = sends(answer("200 OK", successText));

/** The server, and the CA's certificate for the program to trust. */
async function trusting(peer: Promise<Peer>, certificate = authority.cert): Promise<Peer> {
  return { ...(await peer), args: ["--ca-cert", join(folderWith({ "ca.pem": certificate }), "ca.pem")] };
}

const serving = (options: TlsOptions): Promise<Peer> => trusting(securing(options, success));

/** Servers whose certificate or protocol must be refused, though the CA is trusted: nothing may be sent to them. */
const refused: ReadonlyArray<readonly [title: string, says: string, serve: () => Promise<Peer>]> = [
  ["an unknown CA", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", () => securing(good, success)],
  [
    "another CA than the trusted one",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    () => trusting(securing(good, success), stranger.cert),
  ],
  [
    "a self-signed certificate",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    () => serving(identity({ commonName: "api.test", names })),
  ],
  [
    "a certificate that has expired",
    "CERT_HAS_EXPIRED",
    () =>
      serving(
        identity({ commonName: "api.test", names, validTo: new Date(Date.now() - halfADay) }, authority),
      ),
  ],
  [
    "a certificate that is not yet valid",
    "CERT_NOT_YET_VALID",
    () =>
      serving(
        identity({ commonName: "api.test", names, validFrom: new Date(Date.now() + halfADay) }, authority),
      ),
  ],
  [
    "a certificate of another host",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    () => serving(identity({ commonName: "127.0.0.1", names: ["DNS:other.test"] }, authority)),
  ],
  [
    "TLS 1.1 only",
    "PROTOCOL_VERSION",
    () =>
      serving({ ...good, minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT:@SECLEVEL=0" }),
  ],
  [
    "a client certificate demanded in TLS 1.2",
    "HANDSHAKE_FAILURE",
    () =>
      serving({
        ...good,
        requestCert: true,
        rejectUnauthorized: true,
        ca: authority.cert,
        maxVersion: "TLSv1.2",
      }),
  ],
];

/** An HTTP server where TLS is expected; it answers the handshake with 400. */
async function plainHttp(): Promise<Peer> {
  let requests = 0;
  const http = createServer(() => {
    requests += 1;
  });
  const peer = await trusting(accepting("https", (socket) => http.emit("connection", socket)));
  return { ...peer, requests: () => requests };
}

/** Connections that end before or after the handshake, each with what the server saw of the request. */
const broken: readonly Fault[] = [
  { title: "https to an http port", serve: plainHttp, exit: 7, says: "WRONG_VERSION_NUMBER", requests: 0 },
  {
    title: "an end in the handshake",
    serve: () => accepting("https", (socket) => socket.once("data", () => socket.end())),
    exit: 7,
    says: "TLS",
    requests: 0,
  },
  {
    title: "a reset in the handshake",
    serve: () => accepting("https", (socket) => socket.once("data", () => socket.resetAndDestroy())),
    exit: 7,
    says: "TLS",
    requests: 0,
  },
  {
    // In TLS 1.3 the client sends its request before the server has looked at the certificate (RFC 8446, 4.4.2.4).
    title: "a client certificate demanded in TLS 1.3",
    serve: () => serving({ ...good, requestCert: true, rejectUnauthorized: true, ca: authority.cert }),
    exit: 7,
    requests: 0,
  },
  {
    title: "an answer that is cut",
    serve: () =>
      trusting(securing(good, sendsThenEnds(answer("200 OK", successText).toString().slice(0, -5)))),
    exit: 7,
    says: "in the middle of the answer (EOF)",
  },
];

testFaults("TLS", [
  ...refused.map(
    ([title, says, serve]): Fault => ({
      title,
      serve,
      exit: 7,
      says,
      requests: 0,
      asChild: title === "a self-signed certificate" || title === "a certificate that has expired",
    }),
  ),
  ...broken,
  { title: "the trusted CA", serve: () => serving(good), exit: 0, asChild: true },
  {
    title: "the trusted CA and TLS 1.2",
    serve: () => serving({ ...good, maxVersion: "TLSv1.2" }),
    exit: 0,
  },
  {
    title: "a self-signed certificate that is trusted itself",
    serve: async () => {
      const own = identity({ commonName: "api.test", names });
      return trusting(securing(own, success), own.cert);
    },
    exit: 0,
  },
]);

test.each(methods)("NODE_TLS_REJECT_UNAUTHORIZED=0 changes nothing, %s", async (method) => {
  const peer = await securing(identity({ commonName: "api.test", names }), success);
  const environment = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };

  const result = await check({ ...peer, environment }, method, runAsChild);

  expect(result.exitCode).toBe(7);
  expect(result.stdout).toContain("DEPTH_ZERO_SELF_SIGNED_CERT");
  // Node warns of the variable whoever connects. No line but its own is there.
  expect(result.stderr).toMatch(/^\(node:\d+\) Warning: Setting the NODE_TLS_REJECT_UNAUTHORIZED .*\n\(Use .*\)\n$/);
  expect(leaks(result.everything)).toEqual([]);
  expect([peer.connections(), peer.requests()]).toEqual([1, 0]);
});
