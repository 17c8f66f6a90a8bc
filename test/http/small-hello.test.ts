import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { type HttpRequest, send } from "../../src/http/send.ts";
import { TlsCache } from "../../src/http/trusted-certificates.ts";
import { authorityCertificate, host, signed, success, trusted } from "../faults/authority.ts";
import { type Act, accepting, answering, securing, silence } from "../faults/peers.ts";
import { tunnelsTo } from "../faults/tunnels.ts";
import { requestTo } from "./exchange-with.ts";

describe.concurrent("where a device loses every ClientHello of more than one packet", () => {
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
