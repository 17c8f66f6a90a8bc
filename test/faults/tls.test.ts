import { createServer } from "node:http";
import type { TlsOptions } from "node:tls";
import { answer, head, successText } from "./answers.ts";
import { authorityCertificate, signed, success, trusted, trusting } from "./authority.ts";
import { type Fault, testFaults } from "./faults.ts";
import { type Act, accepting, type Peer, securing, sends, sendsThenEnds } from "./peers.ts";

/** A TLS server whose certificate is trusted. */
async function serving(options: TlsOptions = {}, act = success): Promise<Peer> {
  return { ...(await securing({ ...trusted, ...options }, act)), args: trusting() };
}

/** An HTTP server where TLS is expected; it answers the handshake with 400. */
async function plainHttp(): Promise<Peer> {
  let requests = 0;
  const http = createServer(() => {
    requests += 1;
  });
  const peer = await accepting("https", (socket) => http.emit("connection", socket));
  return { ...peer, requests: () => requests };
}

/** A server that does this to the client's first handshake message. */
const onHello = (act: Act) => (): Promise<Peer> =>
  accepting("https", (socket) => socket.once("data", () => act(socket)));

const clientCertificate = { requestCert: true, rejectUnauthorized: true, ca: authorityCertificate };

const answersHello = "no trusted TLS connection";
const withLoopback6 = (last: number) => async (): Promise<Peer> => ({
  ...(await securing(signed({ names: [`IP:0:0:0:0:0:0:0:${last}`] }), success, "::1")),
  args: trusting(),
});

type Row = readonly [
  title: string,
  exit: Fault["exit"],
  says: string,
  requests: number,
  serve: () => Promise<Peer>,
];

const rows: readonly Row[] = [
  [
    "TLS 1.1 only",
    7,
    "PROTOCOL_VERSION",
    0,
    () => serving({ minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT:@SECLEVEL=0" }),
  ],
  ["https to an http port", 7, "WRONG_VERSION_NUMBER", 0, plainHttp],
  ["https to an SSH port", 7, "WRONG_VERSION_NUMBER", 0, onHello(sends("SSH-2.0-OpenSSH_9.6\r\n"))],
  ["an end in the handshake", 7, answersHello, 0, onHello((socket) => socket.end())],
  ["a reset in the handshake", 7, answersHello, 0, onHello((socket) => socket.resetAndDestroy())],
  [
    "a client certificate demanded in TLS 1.2",
    7,
    "HANDSHAKE_FAILURE",
    0,
    () => serving({ ...clientCertificate, maxVersion: "TLSv1.2" }),
  ],
  // The client has already sent its request when the alert arrives (RFC 8446, section 4.4.2.4), and the server drops it.
  ["a client certificate demanded in TLS 1.3", 7, "", 0, () => serving(clientCertificate)],
  [
    "an answer that is cut",
    7,
    "in the middle of the response (EOF)",
    1,
    () => serving({}, sendsThenEnds(answer("200 OK", successText).toString().slice(0, -5))),
  ],
  // Without the closure alert, anybody on the way may have cut the response off.
  [
    "an empty 401 without a length, and without the closure alert",
    6,
    "the response has no length",
    1,
    () =>
      serving({}, (socket) =>
        socket.write(head("HTTP/1.1 401 No"), () => setTimeout(() => socket.destroy(), 20)),
      ),
  ],
  ["TLS 1.2", 0, "", 1, () => serving({ maxVersion: "TLSv1.2" })],
  ["TLS 1.3", 0, "", 1, () => serving({ minVersion: "TLSv1.3" })],
  ["an IPv6 address in the certificate", 0, "", 1, withLoopback6(1)],
  ["another IPv6 address in the certificate", 7, "ERR_TLS_CERT_ALTNAME_INVALID", 0, withLoopback6(2)],
];

const alsoAsChild = new Set([
  "TLS 1.1 only",
  "https to an http port",
  "a client certificate demanded in TLS 1.3",
  "TLS 1.2",
  "an IPv6 address in the certificate",
]);

testFaults(
  "TLS",
  rows.map(([title, exit, says, requests, serve]): Fault => {
    const asChild = alsoAsChild.has(title);
    return { title, exit, says, requests, serve, asChild };
  }),
);
