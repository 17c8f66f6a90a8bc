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

// The planted password, as its URL holds it and in the forms in which a proxy may quote it.
const written = "pr0xy%2Fp%40ss";
const password = decodeURIComponent(written);
const base64 = (text: string) => Buffer.from(text).toString("base64");
const quotes = [
  written,
  password,
  base64(password),
  base64(`me:${password}`),
  `Basic ${base64(`me:${password}`)}`,
];
const fields = ["X-Squid-Error: ", "Proxy-Status: p; details=", "Proxy-Authenticate: "];

test.each(quotes.flatMap((quote) => fields.map((field) => field + quote)))(
  "a proxy that quotes its own password: %s",
  async (line) => {
    const { url } = await answering(says("407 No", line));
    const proxy = url.replace("//", `//me:${written}@`);
    const args = ["test", "--verbose", ...trusting(), "--base-url", `https://${host}`];
    const environment = { REFERRAL_TOKEN: planted.token };
    const byFlag = await runInProcess([...args, "--proxy", proxy], { environment });
    const byVariable = await runInProcess(args, { environment: { ...environment, HTTPS_PROXY: proxy } });
    for (const { exitCode, stderr, everything } of [byFlag, byVariable]) {
      expect(exitCode, everything).toBe(7);
      expect(stderr).toContain("> GET https://");
      for (const text of quotes) expect(everything).not.toContain(text);
    }
  },
);

test.each([",", "=", '"', " "])("a proxy whose challenge holds a password with %j", async (sign) => {
  const halves = ["Zq7Kp2Xw9Lm4", "Rt8Hc5Vn3Bd6"];
  const { url } = await answering(says("407 No", `Proxy-Authenticate: ${halves.join(sign)}`));
  const proxy = url.replace("//", `//me:${encodeURIComponent(halves.join(sign))}@`);
  const args = ["test", "--verbose", ...trusting(), "--base-url", `https://${host}`, "--proxy", proxy];
  const run = await runInProcess(args, { environment: { REFERRAL_TOKEN: planted.token } });
  expect(run.exitCode).toBe(7);
  for (const half of halves) expect(run.everything).not.toContain(half);
});

test.each([
  ["pa$WORD", true],
  ["x%NAME%", true],
  ["pa%24WORD", true],
  ["word", false],
])("a proxy that refuses the password %s: it may be a variable, %s", async (password, may) => {
  const { url } = await answering(says("407 No", "Proxy-Authenticate: Basic"));
  const environment = { REFERRAL_TOKEN: planted.token, HTTPS_PROXY: url.replace("//", `//me:${password}@`) };
  const run = await runInProcess(["test", "--json", ...trusting(), "--base-url", `https://${host}`], {
    environment,
  });
  expect(run.exitCode, run.everything).toBe(7);
  const ids = run.checks[0]?.findings.map(({ id }) => id) ?? [];
  expect(ids.includes("credential-placeholder")).toBe(may);
  expect(run.everything).not.toMatch(/WORD|NAME%x/);
});
