import { expect, test } from "vitest";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { answer, head } from "./answers.ts";
import { host, trusting } from "./authority.ts";
import { type Act, answering, sends } from "./peers.ts";
import { connected } from "./tunnels.ts";

const says = (status: string, ...lines: readonly string[]): Act => sends(answer(status, "<html>", lines));
/** Sends an answer without a length, and ends the connection. */
const ends = (...lines: readonly string[]): Act => {
  return (socket) => socket.end(head(...lines));
};
const basic = 'Proxy-Authenticate: Basic realm="Squid proxy-caching web server, office"';
const html = "Content-Type: text/html";
const nginx = answer("400 Bad Request", "<html><center>nginx</center></html>", [html]);
const welcome = `${head("HTTP/1.1 200 OK", html)}<html>Welcome</html>`;
/** A web server that takes CONNECT for a request, and the handshake after it for another. */
const caddy: Act = (socket) => {
  socket.write(head("HTTP/1.1 200", "Server: Caddy", "Content-Length: 0"));
  socket.once("data", () => socket.end(nginx));
};

// The answers are those of Squid, RFC 9209, tinyproxy, Microsoft's proxies, nginx, Python's http.server and Caddy. Each is quoted;
// test/check/causes/texts/proxies.txt has all that is said.
test.each<[answer: string, id: string, act: Act, user?: string]>([
  ["503 No (ERR_DNS_FAIL 0)", "proxy-refused", says("503 No", "X-Squid-Error: ERR_DNS_FAIL 0")],
  ["502 No (p; error=dns)", "proxy-refused", says("502 No", "Proxy-Status: p; error=dns")],
  ["500 Unable to connect", "proxy-refused", ends("HTTP/1.0 500 Unable to connect", html)],
  ["407 No: it wants credentials by Basic", "proxy-refused", says("407 No", basic)],
  ["407 No: it wants credentials by Basic", "proxy-refused", says("407 No", basic), "user:pass@"],
  [
    "407 No: it wants credentials by Negotiate, NTLM",
    "proxy-refused",
    says("407 No", "Proxy-Authenticate: Negotiate, NTLM"),
    "user:pass@",
  ],
  ["400 Bad Request", "proxy-refused", sends(nginx)],
  [
    "501 Unsupported method ('CONNECT')",
    "proxy-refused",
    ends("HTTP/1.0 501 Unsupported method ('CONNECT')"),
  ],
  ["200, but no TLS came through it", "other-protocol", caddy],
  ["200 OK, but no TLS came through it", "other-protocol", (socket) => socket.end(welcome)],
  [
    "200 OK, and the connection ended before anything came through",
    "proxy-unreachable",
    ends("HTTP/1.1 200 OK", "Content-Length: 0"),
  ],
  ["200 Connection established, but no TLS", "other-protocol", sends(connected, nginx)],
])("a proxy that answers CONNECT with %s: %s", async (answered, id, act, user = "") => {
  const { url } = await answering(act);
  const proxy = url.replace("//", `//${user}`);
  const args = ["test", "--json", ...trusting(), "--base-url", `https://${host}`, "--proxy", proxy];
  const run = await runInProcess(args, { environment: { REFERRAL_TOKEN: planted.token } });
  expect(run.exitCode, run.everything).toBe(7);
  expect(run.stderr.includes("--proxy on the command line can be seen")).toBe(user.includes(":"));
  const [{ failure, findings }] = JSON.parse(run.stdout).checks;
  expect(failure).toMatchObject({ step: "proxy", message: expect.stringMatching(/the proxy 127\.0\.0\.1:/) });
  const name = `127.0.0.1:${new URL(url).port} (set by --proxy)`;
  const message = expect.stringContaining(`the proxy ${name} answered CONNECT with ${answered}`);
  expect(findings[0]).toMatchObject({ id, certainty: "measured", message });
});

// test/properties/sent-back.test.ts has the password alone; a proxy can quote what it was sent, too.
test.each(["X-Squid-Error: ", "Proxy-Status: p; details=", "Proxy-Authenticate: "])(
  "a proxy that quotes its own user and password: %s",
  async (field) => {
    const [written, password] = ["pr0xy%2Fp%40ss", "pr0xy/p@ss"];
    const basic = Buffer.from(`me:${password}`).toString("base64");
    const { url } = await answering(says("407 No", `${field}Basic ${basic}`));
    const proxy = url.replace("//", `//me:${written}@`);
    const environment = { REFERRAL_TOKEN: planted.token, HTTPS_PROXY: proxy };
    const args = ["test", "--verbose", ...trusting(), "--base-url", `https://${host}`];
    const { exitCode, stderr, everything } = await runInProcess(args, { environment });
    expect(exitCode, everything).toBe(7);
    expect(stderr).toContain("> GET https://");
    for (const text of [written, password, basic]) expect(everything).not.toContain(text);
  },
);
