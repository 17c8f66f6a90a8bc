import { X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { describe, expect, test } from "vitest";
import { type HttpRequest, send } from "../../src/http/send.ts";
import { TlsCache } from "../../src/http/trusted-certificates.ts";
import { answer, head } from "../faults/answers.ts";
import { authorityCertificate, host, names, signed, success, trusted } from "../faults/authority.ts";
import { identity } from "../faults/certificates.ts";
import { type Act, accepting, answering, securing, sends, silence } from "../faults/peers.ts";
import { connected, refusingSessions, tunnelsTo } from "../faults/tunnels.ts";
import { requestTo } from "./exchange-with.ts";

/** How the exchange ended, and its steps without ports. The CA of the tests is trusted. */
async function exchange(url: string, more: Partial<HttpRequest> = {}) {
  const { trace, ...end } = await send(
    requestTo(url, { extraCertificates: [authorityCertificate], ...more }),
  );
  return { ...end, steps: trace.timeline.map(({ step }) => step.replace(/ \d+$/, " …")) };
}

/** The steps after a connection is made. */
const exchanged = ["request", "headers", "end"];
const facts = ({ cert }: { readonly cert: string }) => {
  const { validFrom, validTo } = new X509Certificate(cert);
  return { validFrom, validTo };
};

describe.each(["TLSv1.2", "TLSv1.3"] as const)("over %s", (version) => {
  const only = { minVersion: version, maxVersion: version };

  test("a session is resumed by the exchanges of one run, and by no other", async () => {
    const api = await securing({ ...trusted, ...only }, success);
    const tls = new TlsCache();
    const first = await exchange(api.url, { tls });
    expect(first).toMatchObject({ kind: "response", response: { status: 200 } });
    expect(first.steps).toEqual(["connect 127.0.0.1 port …", `tls ${version}`, ...exchanged]);
    expect((await exchange(api.url, { tls })).steps[1]).toBe(`tls ${version}, resumed`);
    expect((await exchange(api.url)).steps[1]).toBe(`tls ${version}`);
  });

  test("a server that cannot resume its own session gets a second connection, without one", async () => {
    const front = await refusingSessions(await securing({ ...trusted, ...only }, success));
    const tls = new TlsCache();
    const steps = ["connect 127.0.0.1 port …", `tls ${version}`, ...exchanged];
    expect((await exchange(front.url, { tls })).steps).toEqual(steps);
    expect((await exchange(front.url, { tls })).steps).toEqual([
      "connect 127.0.0.1 port …",
      expect.stringMatching(/^[A-Z]+: connecting again$/),
      ...steps,
    ]);
    expect(front.connections()).toBe(3);
  });

  test("a chain that nothing trusts is a failure with the content of the certificate", async () => {
    const api = await securing({ ...trusted, ...only }, success);
    expect(await exchange(api.url, { extraCertificates: [] })).toMatchObject({
      kind: "failed",
      failure: {
        kind: "tls",
        code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
        certificate: {
          subject: host,
          issuer: "Faults CA",
          names: [`DNS:${host}`, "IP Address:127.0.0.1"],
          ...facts(trusted),
        },
      },
    });
    expect(api.requests()).toBe(0);
  });

  test("a certificate for another name is a failure, and nothing is tried again", async () => {
    const other = signed({ commonName: "other", names: [] });
    const api = await securing({ ...other, ...only }, success);
    expect(await exchange(api.url)).toEqual({
      kind: "failed",
      failure: {
        kind: "tls",
        code: "ERR_TLS_CERT_ALTNAME_INVALID",
        certificate: { subject: "other", issuer: "Faults CA", names: [], ...facts(other) },
      },
      steps: ["connect 127.0.0.1 port …"],
    });
    expect([api.connections(), api.requests()]).toEqual([1, 0]);
  });
});

test.each([
  ["127.0.0.1", false],
  ["localhost", "localhost"],
])("the server %s is told HTTP/1.1 and the server name %s", async (hostname, servername) => {
  const told: unknown[] = [];
  const api = await securing(
    { ...signed({ names: [...names, "DNS:localhost"] }), ALPNProtocols: ["h2", "http/1.1"] },
    (socket) => {
      const secured = socket as TLSSocket & { readonly servername?: string };
      told.push(secured.alpnProtocol, secured.servername);
      success(socket);
    },
  );
  await exchange(api.url.replace("127.0.0.1", hostname), {
    lookup: async () => [{ address: "127.0.0.1", family: 4 }],
  });
  expect(told).toEqual(["http/1.1", servername]);
});

test("a body that ends without a closure alert ends with the connection", async () => {
  // Node sends the alert when a socket is ended, not when it is destroyed.
  const api = await securing(trusted, (socket) =>
    socket.write(head("HTTP/1.1 401 No"), () => setTimeout(() => socket.destroy(), 20)),
  );
  expect(await exchange(api.url)).toMatchObject({ response: { status: 401, bodyEnd: "connection" } });
});

test("a server without TLS is a failure without a certificate", async () => {
  const api = await accepting("https", sends("220 mail.example.com ESMTP\r\n"));
  expect(await exchange(api.url)).toMatchObject({
    kind: "failed",
    failure: { kind: "tls", code: "ERR_SSL_WRONG_VERSION_NUMBER", certificate: null },
  });
});

test("a deadline in the handshake names that step", async () => {
  const api = await accepting("https", silence);
  expect(await exchange(api.url, { deadlineMs: 300 })).toMatchObject({ kind: "expired", phase: "tls" });
});

describe("through a proxy", () => {
  const through = async (act: Act, more: Partial<HttpRequest> = {}) => {
    const proxy = await answering(act);
    return exchange(`https://${host}`, { proxy: new URL(proxy.url), ...more });
  };

  test.each([
    ["http", (act: Act) => answering(act), []],
    ["https", (act: Act) => securing(trusted, act), ["tls TLSv1.3"]],
  ])("over %s, the target is reached in a tunnel", async (_, serve, first) => {
    const proxy = await serve(tunnelsTo(await securing(trusted, success)));
    const { kind, steps } = await exchange(`https://${host}`, { proxy: new URL(proxy.url) });
    expect(kind).toBe("response");
    const tunnel = ["connect 127.0.0.1 port …", ...first, "proxy 127.0.0.1 port …"];
    expect(steps).toEqual([...tunnel, "tls TLSv1.3", ...exchanged]);
    expect(proxy.received()).toMatch(
      /^CONNECT api\.invalid:443 HTTP\/1\.1\r\nhost: api\.invalid:443\r\nconnection: close\r\n\r\n/,
    );
  });

  test.each([
    ["user:", "user", ""],
    [":p%40ss", "", "p@ss"],
    ["us%3Aer:p%40ss", "us:er", "p@ss"],
  ])("user and password of its URL (%s) go to the proxy", async (written, user, password) => {
    const proxy = await answering(silence);
    const url = new URL(proxy.url.replace("//", `//${written}@`));
    await exchange(`https://${host}`, { proxy: url, deadlineMs: 200 });
    const basic = Buffer.from(`${user}:${password}`).toString("base64");
    expect(proxy.received()).toContain(`\r\nproxy-authorization: Basic ${basic}\r\n`);
  });

  test.each<[string, Act, number | null, string]>([
    ["status 300", sends(answer("300 No")), 300, "REFUSED"],
    ["status 407", sends(answer("407 No")), 407, "REFUSED"],
    ["its end", (socket) => socket.end(), null, "EOF"],
    ["a reset", (socket) => socket.resetAndDestroy(), null, "ECONNRESET"],
    ["no HTTP", sends("220 mail.example.com ESMTP\r\n"), null, "Expected HTTP/, RTSP/ or ICE/"],
  ])("that answers with %s, the failure is the proxy's", async (_, act, status, code) => {
    expect(await through(act)).toMatchObject({
      kind: "failed",
      failure: { kind: "proxy", host: "127.0.0.1", port: expect.any(Number), status, code },
    });
  });

  test("that cannot be reached or verified, the failure is the proxy's", async () => {
    const [nobody, untrusted] = [new URL("http://127.0.0.1:1"), identity({ commonName: "p", names })];
    const proxies = [nobody, new URL((await securing(untrusted, silence)).url)];
    const ends = await Promise.all(proxies.map((proxy) => exchange(`https://${host}`, { proxy })));
    const failure = { kind: "proxy", host: "127.0.0.1", status: null };
    expect(ends).toMatchObject([
      { failure: { ...failure, port: 1, code: "ECONNREFUSED" } },
      { failure: { ...failure, code: "DEPTH_ZERO_SELF_SIGNED_CERT" } },
    ]);
  });

  test("every status of success opens the tunnel", async () => {
    const act = sends("HTTP/1.1 299 Connected\r\n\r\n", "no TLS");
    expect(await through(act)).toMatchObject({ failure: { kind: "tls" } });
  });

  test.each([
    ["proxy", silence],
    ["tls", sends(connected)],
  ])("a deadline names the step that it ended: %s", async (phase, act) => {
    expect(await through(act, { deadlineMs: 300 })).toMatchObject({ kind: "expired", phase });
  });
});
