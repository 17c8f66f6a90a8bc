import { describe, expect, test } from "vitest";
import { answer, head } from "../faults/answers.ts";
import { host, names, success, trusted } from "../faults/authority.ts";
import { identity } from "../faults/certificates.ts";
import { type Act, accepting, answering, securing, sends, silence } from "../faults/peers.ts";
import { tunnelsTo } from "../faults/tunnels.ts";
import { secureExchange as exchange } from "./exchange-with.ts";

describe("through a proxy", () => {
  const exchangeBy = async (proxy: string) => {
    const { failure, ...end } = {
      failure: null,
      ...(await exchange(`https://${host}`, { proxy: new URL(proxy) })),
    };
    return { ...end, failure };
  };
  const through = async (act: Act) => exchangeBy((await answering(act)).url);

  test("the target is reached in a tunnel, and all time until then is the proxy's", async () => {
    const proxy = await securing(trusted, tunnelsTo(await securing(trusted, success)));
    const { kind, steps } = await exchange(`https://${host}`, { proxy: new URL(proxy.url) });
    expect(kind).toBe("response");
    expect(steps).toEqual(["proxy", "tls", "request", "response"]);
    expect(proxy.received()).toMatch(
      /^CONNECT api\.invalid:443 HTTP\/1\.1\r\nhost: api\.invalid:443\r\nconnection: close\r\n\r\n/,
    );
  });

  test("whose certificate is verified, it tells nothing of the API's, whose handshake fails", async () => {
    const untrusted = await securing(identity({ commonName: "a", names }), silence);
    const proxy = await securing(trusted, tunnelsTo(untrusted));
    const { steps, certificateExpiresAt } = await exchange(`https://${host}`, { proxy: new URL(proxy.url) });
    expect([steps, certificateExpiresAt]).toEqual([["proxy", "tls"], null]);
  });

  test("over IPv6, the target is named in brackets", async () => {
    const proxy = await answering(sends(answer("403 No")));
    await exchange("https://[2001:db8::1]:8443", { proxy: new URL(proxy.url) });
    expect(proxy.received()).toMatch(/^CONNECT (\[2001:db8::1\]:8443) HTTP\/1\.1\r\nhost: \1\r\n/);
  });

  test.each([
    [":p%40ss", "", "p@ss"],
    ["us%3Aer:p%40ss", "us:er", "p@ss"],
  ])("user and password of its URL (%s) go to the proxy", async (written, user, password) => {
    const proxy = await answering(sends(answer("403 No")));
    await exchange(`https://${host}`, { proxy: new URL(proxy.url.replace("//", `//${written}@`)) });
    const basic = Buffer.from(`${user}:${password}`).toString("base64");
    expect(proxy.received()).toContain(`\r\nproxy-authorization: Basic ${basic}\r\n`);
  });

  test.each<[string, Act, code: string]>([
    ["1 MB of headers", sends(answer("200 OK", "", [`a: ${"a".repeat(1e6)}`])), "Headers too large"],
    ["no HTTP", sends("220 mail.example.com ESMTP\r\n"), "Expected HTTP/, RTSP/ or ICE/"],
  ])("that answers with %s, the failure is the proxy's", async (_, act, code) => {
    const failure = { step: "response", at: "proxy", answer: null, code };
    expect(await through(act)).toMatchObject({ kind: "failed", failure });
  });

  // The answers of Squid, RFC 9209, Python's http.server and nginx.
  test.each<[line: string, fields: readonly string[], answer: object]>([
    ["101 Switching", [], { status: 101, reason: "Switching" }],
    ["300 No", ["Location: /login"], { status: 300, reason: "No", location: "/login" }],
    ["503 No", ["X-Squid-Error: ERR_DNS_FAIL 0"], { reason: "No (ERR_DNS_FAIL 0)" }],
    ["502 No", ["Proxy-Status: p; error=dns"], { reason: "No (p; error=dns)" }],
    ["501 Unsupported method ('CONNECT')", [], { reason: "Unsupported method ('CONNECT')" }],
    [
      "407 No",
      ["Proxy-Authenticate: Basic a=b", "Proxy-Authenticate: NTLM"],
      { challenges: ["Basic a=b", "NTLM"] },
    ],
    ["400 Bad Request", ["Content-Type: text/html", "Content-Length: 6", "", "<html>"], { status: 400 }],
  ])("that refuses with %s %j, its answer is read", async (line, fields, answer) => {
    for (const user of ["", "user:pass@"]) {
      const proxy = await answering(sends(head(`HTTP/1.1 ${line}`, ...fields)));
      const { failure } = await exchangeBy(proxy.url.replace("//", `//${user}`));
      expect(failure).toMatchObject({ step: "response", at: "proxy", code: "REFUSED" });
      expect(failure).toMatchObject({ answer: { ...answer, hadCredentials: user !== "" } });
    }
  });

  test("that cannot be reached or verified, the failure is the proxy's", async () => {
    const untrusted = await securing(identity({ commonName: "p", names }), silence);
    const clear = await accepting("https", sends("220 mail.example.com ESMTP\r\n"));
    const proxies = ["http://127.0.0.1:1", untrusted.url, clear.url, "http://proxy.invalid:3128"];
    const ends = await Promise.all(
      proxies.map((proxy) => exchange(`https://${host}`, { proxy: new URL(proxy) })),
    );
    const failure = { at: "proxy", answer: null };
    expect(ends).toMatchObject([
      { failure: { ...failure, step: "connect", peer: { port: 1 }, code: "ECONNREFUSED" } },
      { failure: { ...failure, step: "tls", code: "DEPTH_ZERO_SELF_SIGNED_CERT" } },
      { failure: { ...failure, step: "tls", code: "ERR_SSL_WRONG_VERSION_NUMBER" } },
      { failure: { ...failure, step: "lookup", peer: { host: "proxy.invalid", port: 3128 } } },
    ]);
  });

  test.each([
    ["in the same packet", sends("HTTP/1.1 299 Connected\r\n\r\nno TLS")],
    ["in another packet", sends("HTTP/1.1 299 Connected\r\n\r\n", "no TLS")],
  ])("every status of success opens the tunnel, and what came %s counts", async (_, act) => {
    expect(await through(act)).toMatchObject({
      failure: { step: "proxy", at: "proxy", answer: { status: 299 }, received: "part" },
    });
  });
});
