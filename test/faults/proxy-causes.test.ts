import { expect, test } from "vitest";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { answer, head } from "./answers.ts";
import { host, names, trusting } from "./authority.ts";
import { identity } from "./certificates.ts";
import { type Act, accepting, answering, type Peer, securing, sends, silence } from "./peers.ts";
import { connected } from "./tunnels.ts";

const basic = 'Proxy-Authenticate: Basic realm="Squid proxy-caching web server, office"';
const badRequest = answer("400 Bad Request", "<html><center>nginx</center></html>", [
  "Server: nginx",
  "Content-Type: text/html",
]);
/** A web server that takes CONNECT for a request, and the handshake after it for another. */
const webServer: Act = (socket) => {
  socket.write(head("HTTP/1.1 200 OK", "Server: Caddy", "Content-Length: 0"));
  socket.once("data", () => socket.end(badRequest));
};
const checkAddress = "Check the address and the port of the proxy (set by --proxy)";
const askWhy =
  "Check the host and the port of the base URL (now set by --base-url), then ask the operator of the proxy";
const itself = `${host} port 443`;

// The answers are those of Squid, tinyproxy, nginx, Caddy, Python's http.server and Microsoft's proxies.
test.each<[title: string, id: string, message: string, fix: string, act: Act, user?: string]>([
  [
    "Squid cannot look up the host",
    "proxy-target",
    `answered CONNECT with 503 (ERR_DNS_FAIL 0): it could not reach ${itself}`,
    askWhy,
    sends(
      answer("503 Service Unavailable", "<html>", ["Server: squid/6.6", "X-Squid-Error: ERR_DNS_FAIL 0"]),
    ),
  ],
  [
    "a proxy says why by RFC 9209",
    "proxy-target",
    "answered CONNECT with 502 (p; error=connection_refused): it could not reach",
    askWhy,
    sends(answer("502 Bad Gateway", "", ["Proxy-Status: p; error=connection_refused"])),
  ],
  [
    "tinyproxy cannot connect",
    "proxy-target",
    `answered CONNECT with 500: it could not reach ${itself}`,
    askWhy,
    sendsThenEnd("HTTP/1.0 500 Unable to connect", "Server: tinyproxy/1.11.1", "Content-Type: text/html"),
  ],
  [
    "Squid denies the host",
    "proxy-refused",
    "answered CONNECT with 403 (ERR_ACCESS_DENIED 0)",
    "Ask the operator of the proxy to allow the API's host",
    sends(answer("403 Forbidden", "<html>", ["X-Squid-Error: ERR_ACCESS_DENIED 0"])),
  ],
  [
    "Squid wants credentials",
    "proxy-refused",
    "answered CONNECT with 407 (ERR_CACHE_ACCESS_DENIED 0): it asks for credentials of its own",
    "Write the proxy's user and password into its URL (set by --proxy): http://USER:PASSWORD@HOST:PORT",
    sends(
      answer("407 Proxy Authentication Required", "", ["X-Squid-Error: ERR_CACHE_ACCESS_DENIED 0", basic]),
    ),
  ],
  [
    "a proxy refuses the credentials",
    "proxy-refused",
    "answered CONNECT with 407: it refused the user and password of its URL",
    "Check the user and the password in the proxy's URL (set by --proxy)",
    sends(answer("407 Proxy Authentication Required", "", [basic])),
    "user:pass@",
  ],
  [
    "tinyproxy refuses with 401",
    "proxy-refused",
    "answered CONNECT with 401: it refused the user and password of its URL",
    "Check the user and the password",
    sendsThenEnd(
      "HTTP/1.0 401 Unauthorized",
      "Server: tinyproxy/1.10.0",
      'WWW-Authenticate: Basic realm="tinyproxy"',
    ),
    "user:pass@",
  ],
  [
    "a proxy wants other credentials",
    "proxy-refused",
    "answered CONNECT with 407: it asks for credentials by Negotiate, NTLM, and this tool offers Basic alone",
    "Ask the operator of the proxy for Basic authentication",
    sends(answer("407 Proxy Authentication Required", "", ["Proxy-Authenticate: Negotiate, NTLM"])),
    "user:pass@",
  ],
  [
    "nginx",
    "not-a-proxy",
    "answered CONNECT with 400: it is a web server and no proxy",
    checkAddress,
    sends(badRequest),
  ],
  [
    "nginx 1.21 and later",
    "not-a-proxy",
    "answered CONNECT with 405",
    checkAddress,
    sends(answer("405 Not Allowed", "<html>")),
  ],
  [
    "Python",
    "not-a-proxy",
    "answered CONNECT with 501",
    checkAddress,
    sendsThenEnd("HTTP/1.0 501 Unsupported method ('CONNECT')", "Server: SimpleHTTP/0.6 Python/3.12.3"),
  ],
  [
    "Caddy, which answers everything with 200",
    "not-a-proxy",
    "answered CONNECT with 200 and content of its own: it is a web server and no proxy",
    checkAddress,
    webServer,
  ],
  [
    "a server that answers everything with 200 and a page, and closes",
    "not-a-proxy",
    "answered CONNECT with 200 and content of its own",
    checkAddress,
    (socket) => socket.end(answer("200 OK", "<html>Welcome</html>", ["Content-Type: text/html"])),
  ],
  [
    "a tunnel in which nobody speaks TLS",
    "not-a-proxy",
    `answered CONNECT with 200, but no TLS came through it: it may be no proxy, or ${itself} does not speak TLS`,
    `${checkAddress}, and the port of the base URL`,
    sends(connected, badRequest),
  ],
  ["an SSH server", "not-a-proxy", "does not answer in HTTP", checkAddress, sends("SSH-2.0-OpenSSH_9.6\r\n")],
])("%s: %s", async (_title, id, message, fix, act, user = "") => {
  const proxy = await answering(act);
  const finding = await findingThrough(proxy.url.replace("//", `//${user}`));
  expect(finding).toMatchObject({ id, certainty: "measured", message: expect.stringContaining(message) });
  expect(finding.message).toContain(`127.0.0.1:${new URL(proxy.url).port} (set by --proxy)`);
  expect(finding.fix.startsWith(fix), finding.fix).toBe(true);
});

test.each<[message: string, fix: string, serve: () => Promise<Pick<Peer, "url">>]>([
  [
    "there is no trusted TLS connection to the proxy 127.0.0.1:",
    "Give its CA's certificate with --ca-cert, or write http://",
    () => securing(identity({ commonName: "p", names }), silence),
  ],
  [
    "there is no trusted TLS connection to the proxy 127.0.0.1:",
    "Give its CA's certificate with --ca-cert, or write http://",
    async () => ({ url: (await accepting("http", sends(badRequest))).url.replace("http:", "https:") }),
  ],
  [
    "there is no host for the proxy proxy.invalid:3128",
    checkAddress,
    async () => ({ url: "http://proxy.invalid:3128" }),
  ],
  ["cannot be reached", "Check the address of the proxy", async () => ({ url: "http://127.0.0.1:1" })],
])("a proxy that cannot be reached: %s", async (message, fix, serve) => {
  const finding = await findingThrough((await serve()).url);
  expect(finding).toMatchObject({ id: "proxy-unreachable", message: expect.stringContaining(message) });
  expect(finding.fix).toContain(fix);
});

/** Sends an answer without a length, and ends the connection. */
function sendsThenEnd(...lines: readonly string[]): Act {
  return (socket) => socket.end(head(...lines));
}

async function findingThrough(proxy: string) {
  const args = ["test", "--json", ...trusting(), "--base-url", `https://${host}`, "--proxy", proxy];
  const run = await runInProcess(args, { environment: { REFERRAL_TOKEN: planted.token } });
  expect(run.exitCode, run.everything).toBe(7);
  const [{ failure, findings }] = JSON.parse(run.stdout).checks;
  expect(failure).toMatchObject({
    step: "proxy",
    message: expect.stringContaining("no connection through the proxy"),
  });
  return findings[0];
}
