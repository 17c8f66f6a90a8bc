import { createServer } from "node:http";
import type { TlsOptions } from "node:tls";
import { answer, head, successText } from "./answers.ts";
import { authorityCertificate, signed, success, trusted, trusting } from "./authority.ts";
import { testFaults } from "./faults.ts";
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

testFaults("TLS", [
  {
    title: "TLS 1.1 only",
    serve: () => serving({ minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT:@SECLEVEL=0" }),
    exit: 7,
    says: "PROTOCOL_VERSION",
    requests: 0,
    asChild: true,
  },
  {
    title: "https to an http port",
    serve: plainHttp,
    exit: 7,
    says: "WRONG_VERSION_NUMBER",
    requests: 0,
    asChild: true,
  },
  {
    title: "https to an SSH port",
    serve: onHello(sends("SSH-2.0-OpenSSH_9.6\r\n")),
    exit: 7,
    says: "WRONG_VERSION_NUMBER",
    requests: 0,
  },
  {
    title: "an end in the handshake",
    serve: onHello((socket) => socket.end()),
    exit: 7,
    says: "no trusted TLS connection",
    requests: 0,
  },
  {
    title: "a reset in the handshake",
    serve: onHello((socket) => socket.resetAndDestroy()),
    exit: 7,
    says: "no trusted TLS connection",
    requests: 0,
  },
  {
    title: "a client certificate demanded in TLS 1.2",
    serve: () => serving({ ...clientCertificate, maxVersion: "TLSv1.2" }),
    exit: 7,
    says: "HANDSHAKE_FAILURE",
    requests: 0,
  },
  {
    // The client has already sent its request when the alert arrives (RFC 8446, section 4.4.2.4), and the server drops it.
    title: "a client certificate demanded in TLS 1.3",
    serve: () => serving(clientCertificate),
    exit: 7,
    requests: 0,
    asChild: true,
  },
  {
    title: "an answer that is cut",
    serve: () => serving({}, sendsThenEnds(answer("200 OK", successText).toString().slice(0, -5))),
    exit: 7,
    says: "in the middle of the response (EOF)",
  },
  {
    // Without the closure alert, anybody on the way may have cut the response off.
    title: "an empty 401 without a length, and without the closure alert",
    serve: () =>
      serving({}, (socket) =>
        socket.write(head("HTTP/1.1 401 No"), () => setTimeout(() => socket.destroy(), 20)),
      ),
    exit: 6,
    says: "the response has no length",
  },
  { title: "TLS 1.2", serve: () => serving({ maxVersion: "TLSv1.2" }), exit: 0, asChild: true },
  {
    title: "an IPv6 address in the certificate",
    serve: async () => ({
      ...(await securing(signed({ names: ["IP:0:0:0:0:0:0:0:1"] }), success, "::1")),
      args: trusting(),
    }),
    exit: 0,
    asChild: true,
  },
  {
    title: "another IPv6 address in the certificate",
    serve: async () => ({
      ...(await securing(signed({ names: ["IP:0:0:0:0:0:0:0:2"] }), success, "::1")),
      args: trusting(),
    }),
    exit: 7,
    says: "ERR_TLS_CERT_ALTNAME_INVALID",
    requests: 0,
    asChild: true,
  },
  { title: "TLS 1.3", serve: () => serving({ minVersion: "TLSv1.3" }), exit: 0 },
]);
