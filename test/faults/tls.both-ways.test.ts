import { connect, type Socket } from "node:net";
import type { TlsOptions } from "node:tls";
import { answer, successText } from "./answers.ts";
import { names, signed, success, trusted, trusting } from "./authority.ts";
import { identity } from "./certificates.ts";
import { testFaults } from "./faults.ts";
import { accepting, floods, type Peer, securing, sendsThenEnds } from "./peers.ts";

/** A TLS server with these options. Its certificate is trusted unless the arguments or the options say otherwise. */
const serving =
  (options: TlsOptions = {}, { act = success, args = trusting, host = "127.0.0.1" } = {}) =>
  async (): Promise<Peer> => ({ ...(await securing({ ...trusted, ...options }, act, host)), args: args() });

/** A TLS server at ::1 with a certificate for this address. */
const atLoopback6 = (address: string) =>
  serving(signed({ names: [`IP:0:0:0:0:0:0:0:${address}`] }), { host: "::1" });

/** An HTTP server answers the handshake with 400. */
const plainHttp = () =>
  accepting("https", (socket) => socket.once("data", () => socket.end(answer("400 Bad Request"))));

const selfSigned = identity({ commonName: "api", names });
const cut = sendsThenEnds(answer("200 OK", successText).toString().slice(0, -5));
/** A relay to a server that sends a part of its answer; then the relay breaks the connection off (RST). */
async function brokenOff(): Promise<Peer> {
  let front: Socket | undefined;
  const part = answer("200 OK", successText).subarray(0, -5);
  const server = await securing(trusted, (socket) =>
    socket.write(part, () => setTimeout(() => front?.resetAndDestroy(), 20)),
  );
  const relay = await accepting("https", (socket) => {
    front = socket;
    const onward = connect(Number(new URL(server.url).port), "127.0.0.1");
    onward.on("error", () => {});
    socket.pipe(onward).pipe(socket);
  });
  return { ...relay, args: trusting(), requests: server.requests };
}
const endless = floods("HTTP/1.1 401 No\r\n\r\n", "a".repeat(64 * 1024));
const refused = { requests: 0, asChild: true };
const unverified = { ...refused, unverified: true };
const unknownCa = serving({}, { args: () => [] });
const trustedItself = serving(selfSigned, { args: () => trusting(selfSigned.cert) });
// Node's own warning would say that verification is off.
const environment = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
const withVariable = async (): Promise<Peer> => ({ ...(await serving(selfSigned)()), environment });

// tls-causes.test.ts has the other reasons to refuse a certificate or a handshake.
testFaults("TLS", [
  ["https to an http port", 7, "WRONG_VERSION_NUMBER", plainHttp, refused],
  ["an answer that is cut", 7, "in the middle of the response (EOF)", serving({}, { act: cut })],
  ["an answer that is broken off", 7, "in the middle of the response (ECONNRESET)", brokenOff],
  ["an endless body", 6, "much larger than this API's", serving({}, { act: endless }), { asChild: true }],
  ["TLS 1.2", 0, "", serving({ maxVersion: "TLSv1.2" }), { asChild: true }],
  ["an IPv6 address in the certificate", 0, "", atLoopback6("1"), { asChild: true }],
  ["another IPv6 address in it", 7, "ERR_TLS_CERT_ALTNAME_INVALID", atLoopback6("2"), { requests: 0 }],
  ["a certificate that is trusted itself", 0, "", trustedItself],
  ["an unknown CA", 7, "UNABLE_TO_VERIFY_LEAF_SIGNATURE", unknownCa, unverified],
  ["NODE_TLS_REJECT_UNAUTHORIZED=0", 7, "DEPTH_ZERO_SELF_SIGNED_CERT", withVariable, unverified],
]);
