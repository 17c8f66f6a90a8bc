import { X509Certificate } from "node:crypto";
import { connect } from "node:net";
import type { TLSSocket } from "node:tls";
import { describe, expect, test } from "vitest";
import { type HttpRequest, send } from "../../src/http/send.ts";
import { TlsCache } from "../../src/http/trusted-certificates.ts";
import { head } from "../faults/answers.ts";
import { authorityCertificate, host, names, signed, success, trusted } from "../faults/authority.ts";
import { type Act, accepting, answering, securing, sends, silence } from "../faults/peers.ts";
import { refusingSessions, tunnelsTo } from "../faults/tunnels.ts";
import { secureExchange as exchange, requestTo } from "./exchange-with.ts";

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
    expect(first.steps).toEqual(["connect", "tls", "request", "response"]);
    expect([first.address, first.tls]).toEqual(["127.0.0.1", { version, isResumed: false }]);
    expect((await exchange(api.url, { tls })).tls).toEqual({ version, isResumed: true });
    expect((await exchange(api.url)).tls).toEqual({ version, isResumed: false });
  });

  test("a server that cannot resume its own session gets a second connection, without one", async () => {
    const front = await refusingSessions(await securing({ ...trusted, ...only }, success));
    const tls = new TlsCache();
    const expected = { kind: "response", tls: { version, isResumed: false } };
    expect(await exchange(front.url, { tls })).toMatchObject(expected);
    expect(await exchange(front.url, { tls })).toMatchObject(expected);
    expect(front.connections()).toBe(3);
  });

  test("a chain that nothing trusts is a failure with the content of the certificate", async () => {
    const api = await securing({ ...trusted, ...only }, success);
    expect(await exchange(api.url, { extraCertificates: [] })).toMatchObject({
      kind: "failed",
      failure: {
        step: "tls",
        code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
        certificate: {
          subject: host,
          issuer: "Faults CA",
          names: [`DNS:${host}`, "IP Address:127.0.0.1"],
          fitsHost: true,
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
        step: "tls",
        code: "ERR_TLS_CERT_ALTNAME_INVALID",
        reason: "",
        certificate: {
          subject: "other",
          issuer: "Faults CA",
          names: [],
          fitsHost: false,
          ...facts(other),
          isServers: true,
          isAuthority: true,
        },
      },
      address: "127.0.0.1",
      tls: null,
      steps: ["connect", "tls"],
      endedIn: "tls",
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

describe("where a device loses every ClientHello of more than one packet", () => {
  const lost: Readonly<Record<string, Act>> = {
    "in silence": silence,
    "and ends": (socket) => socket.end(),
    "and resets": (socket) => socket.resetAndDestroy(),
  };
  const onePacket = 1_400;
  const deadlineMs = 1_500;
  const oneWay = { smallHello: true, received: "part" };

  /** A way to an API on which this happens to a first message that is too long. */
  async function device(act: Act, options = trusted) {
    const api = await securing(options, success);
    const front = await accepting("https", (socket) => {
      socket.once("data", (hello: Buffer) => {
        if (hello.length > onePacket) return act(socket);
        const onward = connect(Number(new URL(api.url).port), "127.0.0.1");
        onward.on("error", () => {});
        onward.write(hello);
        socket.pipe(onward).pipe(socket);
      });
    });
    return { api, front };
  }
  const request = (url: string, more: Partial<HttpRequest> = {}) =>
    send(requestTo(url, { extraCertificates: [authorityCertificate], deadlineMs, ...more }));

  test.each(Object.keys(lost))("%s, a second one with a small ClientHello is used", async (how) => {
    const { api, front } = await device(lost[how] ?? silence);
    const exchange = await request(front.url);
    expect(exchange).toMatchObject({ kind: "response", trace: { connection: oneWay } });
    expect([front.connections(), api.requests()]).toEqual([2, 1]);
  });

  test("the next exchange of a run begins with the small one", async () => {
    const { front } = await device(silence);
    const tls = new TlsCache();
    await request(front.url, { tls });
    const { trace } = await request(front.url, { tls });
    expect(trace.connection).toMatchObject(oneWay);
    expect(front.connections()).toBe(3);
  });

  test("a proxy that loses it in its tunnel is asked for a second one", async () => {
    const { front } = await device(silence);
    const proxy = await answering(tunnelsTo(front));
    const exchange = await request(`https://${host}`, { proxy: new URL(proxy.url) });
    expect(exchange).toMatchObject({ kind: "response", trace: { connection: oneWay } });
    expect([proxy.connections(), front.connections()]).toEqual([2, 2]);
  });

  test("a certificate that the small one brings is refused as always, and nothing is sent", async () => {
    const { api, front } = await device(silence, signed({ commonName: "other", names: [] }));
    const exchange = await request(front.url);
    expect(exchange).toMatchObject({ failure: { step: "tls", code: "ERR_TLS_CERT_ALTNAME_INVALID" } });
    expect(api.requests()).toBe(0);
  });

  test.each(Object.keys(lost))("a server that loses the small one too (%s) gets no third", async (how) => {
    const act = lost[how] ?? silence;
    const front = await accepting("https", (socket) => socket.once("data", () => act(socket)));
    const { kind, trace } = await request(front.url);
    expect(kind).toBe(how === "in silence" ? "expired" : "failed");
    expect(trace.connection).toMatchObject({ step: "tls", received: "nothing", smallHello: false });
    expect(front.connections()).toBe(2);
  });

  test("a handshake that is slow, but not lost, is used", async () => {
    const { front } = await device((socket) =>
      setTimeout(() => socket.end("\x15\x03\x03\0\x02\x02\x28"), 400),
    );
    const exchange = await request(front.url);
    expect(exchange).toMatchObject({
      failure: { step: "tls" },
      trace: { connection: { received: "alert" } },
    });
    expect(front.connections()).toBe(1);
  });
});

test("a server without TLS is a failure without a certificate", async () => {
  const api = await accepting("https", sends("220 mail.example.com ESMTP\r\n"));
  expect(await exchange(api.url)).toMatchObject({
    kind: "failed",
    failure: {
      step: "tls",
      code: "ERR_SSL_WRONG_VERSION_NUMBER",
      reason: "wrong version number",
      certificate: null,
    },
  });
});

test("a deadline in the handshake names that step", async () => {
  const api = await accepting("https", silence);
  expect(await exchange(api.url, { deadlineMs: 300 })).toMatchObject({ kind: "expired", endedIn: "tls" });
});
