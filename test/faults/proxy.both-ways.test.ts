import { describe, expect, test } from "vitest";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess, ways } from "../support/run.ts";
import { answer, head } from "./answers.ts";
import { api, host, trusted, trusting } from "./authority.ts";
import { aMoment, testFaults } from "./faults.ts";
import { type Act, absent, accepting, answering, type Peer, securing, sends } from "./peers.ts";
import { behind, connected, tunnelsTo } from "./tunnels.ts";

const cut = /the proxy 127\.0\.0\.1:\d+ .*anything came through \(ECONNRESET\)/;
const status407 = /the proxy 127\.0\.0\.1:\d+ .*CONNECT with 407/;
const none = /the proxy 127\.0\.0\.1:\d+ .*did not answer CONNECT/;
const half =
  /the proxy 127\.0\.0\.1:\d+ .*ended the connection in the middle of its answer to CONNECT \(EOF\)/;
const noTls = /the proxy 127\.0\.0\.1:\d+ .*answered CONNECT with 200, but no TLS came through it/;
/** It takes CONNECT for a request, and the handshake after it for another. */
const caddy: Act = (socket) => {
  socket.write(head("HTTP/1.1 200", "Server: Caddy", "Content-Length: 0"));
  socket.once("data", () => socket.end(answer("400 Bad Request", "<html>")));
};
const refused = "refused the connection (ECONNREFUSED)";
const through = (act: Act) => () => behind(answering(act));
const endsAtOnce = () => behind(accepting("http", (socket) => socket.end()));
const closed = () => absent(`https://${host}`, ["--proxy", "http://127.0.0.1:1"]);
const asChild = true;

// test/http/tunnel.test.ts has the other answers, and test/check/causes/texts/proxies.txt what is said about them.
testFaults("a proxy", [
  ["that refuses", 7, status407, through(sends(answer("407 No"))), { asChild }],
  ["that is a web server", 7, noTls, through(caddy), { asChild }],
  ["that connects and ends", 7, cut, through((socket) => socket.end(connected)), { asChild }],
  ["that ends every connection", 7, none, endsAtOnce, { requests: 0 }],
  ["that ends inside its answer", 7, half, through((socket) => socket.end("HTTP/1.1 200 OK\r\nVi"))],
  ["whose port is closed", 7, refused, closed, { connections: 0, requests: 0, asChild }],
]);

// test/properties/sent-back.test.ts has the password alone; a proxy can quote what it was sent, too.
test.each(["X-Squid-Error: ", "Proxy-Status: p; details=", "Proxy-Authenticate: "])(
  "a proxy that quotes its own user and password: %s",
  async (field) => {
    const [written, password] = ["pr0xy%2Fp%40ss", "pr0xy/p@ss"];
    const basic = Buffer.from(`me:${password}`).toString("base64");
    const { url } = await answering(sends(answer("407 No", "", [`${field}Basic ${basic}`])));
    const proxy = url.replace("//", `//me:${written}@`);
    const environment = { REFERRAL_TOKEN: planted.token, HTTPS_PROXY: proxy };
    const args = ["test", "--verbose", ...trusting(), "--base-url", `https://${host}`];
    const { exitCode, stderr, everything } = await runInProcess(args, { environment });
    expect(exitCode, everything).toBe(7);
    expect(stderr).toContain("> GET https://");
    for (const text of [written, password, basic]) expect(everything).not.toContain(text);
  },
);

type Row = readonly [
  title: string,
  serve: (act: Act) => Promise<Peer>,
  given: (proxy: string) => [args: readonly string[], variables: Readonly<Record<string, string>>],
  times: number,
];
const secure = (act: Act): Promise<Peer> => securing(trusted, act);

test("at a failure, NO_PROXY is judged by the matcher that decides, in one list with the other variables", async () => {
  const run = await runInProcess(
    ["test", "--base-url", "https://api.example.com", "--proxy", "http://127.0.0.1:1"],
    {
      environment: { REFERRAL_TOKEN: planted.token, NO_PROXY: "example.org", ALL_PROXY: "socks5://a:1" },
    },
  );
  expect(run.exitCode).toBe(7);
  expect(run.stdout).toContain(
    "measured  NO_PROXY is set and does not name this host; ALL_PROXY is set and not used\n",
  );
});

// test/settings/proxy.test.ts has the whole rule.
const rows: readonly Row[] = [
  ["--proxy", answering, (proxy) => [["--proxy", proxy], {}], 1],
  ["--proxy with https", secure, (proxy) => [["--proxy", proxy], {}], 1],
  ["HTTPS_PROXY", answering, (proxy) => [[], { HTTPS_PROXY: proxy }], 1],
  ["HTTPS_PROXY and NO_PROXY", answering, (proxy) => [[], { HTTPS_PROXY: proxy, NO_PROXY: host }], 0],
];

describe.each(ways)("a proxy learns the host and its own user alone, %s:", (_, run) => {
  test.each(rows)("%s", async (_title, serve, given, times) => {
    const target = await api();
    const proxy = await serve(tunnelsTo(target));
    const [args, variables] = given(proxy.url.replace("//", "//user%40corp:pl4nted%3Apass@"));
    // A machine without a network may be slow to say that there is no such name.
    const all = ["--base-url", `https://${host}`, ...trusting(), "--timeout", "25", "--verbose", ...args];

    const result = await run(["test", ...all], {
      environment: { REFERRAL_TOKEN: planted.token, ...variables },
    });

    expect(result.exitCode, result.everything).toBe(times === 1 ? 0 : 7);
    await aMoment();
    const seen = [proxy, target].flatMap((peer) => [peer.connections(), peer.requests()]);
    expect(seen).toEqual(Array(4).fill(times));
    const basic = Buffer.from("user@corp:pl4nted:pass").toString("base64");
    expect(proxy.received().includes(`\r\nproxy-authorization: Basic ${basic}\r\n`)).toBe(times === 1);
    expect(target.received()).not.toContain("proxy-authorization");
    expect(leaks(result.everything + proxy.received())).toEqual([]);
    expect(result.everything).not.toMatch(new RegExp(`pl4nted|${basic}`));
  });
});
