import { answer, head } from "./answers.ts";
import { host, trusted } from "./authority.ts";
import { type Fault, testFaults } from "./faults.ts";
import { type Act, absent, accepting, answering, securing, sends, sendsThenEnds } from "./peers.ts";
import { behind, connected } from "./tunnels.ts";

const challenge = 'Proxy-Authenticate: Basic realm="office"';

/** What proxies do instead of connecting. */
const refusals: ReadonlyArray<readonly [title: string, says: string, act: Act]> = [
  ["403", "(403)", sends(answer("403 Forbidden", "no"))],
  ["407", "(407)", sends(answer("407 Proxy Authentication Required", "", [challenge]))],
  ["407 and the connection's end", "(407)", (socket) => socket.end(answer("407 No", "", [challenge]))],
  ["101", "(101)", sends(head("HTTP/1.1 101 Switching Protocols"))],
  ["status 099", "(99)", sends(answer("099 Low"))],
  [
    "1 MB of headers",
    "(Headers too large)",
    sends(answer("200 OK", "", [`X-Note: ${"a".repeat(1_000_000)}`])),
  ],
];

/** What happens behind a proxy that said it is connected. */
const afterwards: ReadonlyArray<readonly [title: string, act: Act]> = [
  ["and then its end at once", (socket) => socket.end(connected)],
  ["and then its end", sendsThenEnds(connected)],
  ["and then a reset", (socket) => socket.write(connected, () => socket.resetAndDestroy())],
  [
    "and then its end in the TLS handshake",
    (socket) => {
      socket.write(connected);
      socket.once("data", () => socket.end());
    },
  ],
];

const alsoAsChild = new Set(["407", "and then its end at once"]);

testFaults("a proxy that answers CONNECT with", [
  ...refusals.map(
    ([title, says, act]): Fault => ({
      title,
      serve: () => behind(answering(act)),
      exit: 7,
      says: new RegExp(
        `no connection through the proxy 127\\.0\\.0\\.1 port \\d+ ${says.replace(/[()]/g, "\\$&")}`,
      ),
      asChild: alsoAsChild.has(title),
    }),
  ),
  ...afterwards.map(
    ([title, act]): Fault => ({
      title: `200 ${title}`,
      serve: () => behind(answering(act)),
      exit: 7,
      says: /TLS|through the proxy/,
      asChild: alsoAsChild.has(title),
    }),
  ),
]);

testFaults("a proxy", [
  {
    title: "whose port is closed",
    serve: () => absent(`https://${host}`, ["--proxy", "http://127.0.0.1:1"]),
    exit: 7,
    says: "no connection through the proxy 127.0.0.1 port 1 (ECONNREFUSED)",
    connections: 0,
    requests: 0,
    asChild: true,
  },
  {
    title: "that ends every connection",
    serve: () => behind(accepting("http", (socket) => socket.end())),
    exit: 7,
    says: "no connection through the proxy 127.0.0.1",
    requests: 0,
  },
  {
    title: "with a certificate that nothing trusts",
    serve: async () => {
      const peer = await securing(trusted, sends(connected));
      return { ...peer, url: `https://${host}`, args: ["--proxy", peer.url] };
    },
    exit: 7,
    says: /no connection through the proxy 127\.0\.0\.1 port \d+ \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/,
    requests: 0,
    unverified: true,
  },
]);
