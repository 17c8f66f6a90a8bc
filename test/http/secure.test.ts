import { X509Certificate } from "node:crypto";
import type { PeerCertificate, TLSSocket } from "node:tls";
import { describe, expect, test } from "vitest";
import { factsOf } from "../../src/http/tls.ts";
import { TlsCache } from "../../src/http/trusted-certificates.ts";
import { head } from "../faults/answers.ts";
import { names, signed, success, trusted } from "../faults/authority.ts";
import { securing } from "../faults/peers.ts";
import { refusingSessions } from "../faults/tunnels.ts";
import { secureExchange as exchange } from "./exchange-with.ts";

const expiresAt = new Date(new X509Certificate(trusted.cert).validTo).toISOString();

describe.each(["TLSv1.2", "TLSv1.3"] as const)("over %s", (version) => {
  const only = { minVersion: version, maxVersion: version };

  test("a session is resumed by the exchanges of one run, and by no other", async () => {
    const api = await securing({ ...trusted, ...only }, success);
    const tls = new TlsCache();
    const first = await exchange(api.url, { tls });
    expect(first).toMatchObject({ kind: "response", response: { status: 200 } });
    expect(first.steps).toEqual(["connect", "tls", "request", "response"]);
    expect([first.address, first.tls]).toEqual(["127.0.0.1", { version, isResumed: false, expiresAt }]);
    expect(first.certificateExpiresAt).toBe(expiresAt);
    const resumed = { version, isResumed: true, expiresAt };
    // With TLS 1.3, a resumed connection brings the session of the next one.
    for (let count = 0; count < 2; count += 1)
      expect((await exchange(api.url, { tls })).tls).toEqual(resumed);
    expect((await exchange(api.url)).tls).toEqual({ version, isResumed: false, expiresAt });
  });

  test("a server that cannot resume its own session gets a second connection, without one", async () => {
    const front = await refusingSessions(await securing({ ...trusted, ...only }, success));
    const tls = new TlsCache();
    const expected = { kind: "response", tls: { version, isResumed: false } };
    expect(await exchange(front.url, { tls })).toMatchObject(expected);
    expect(await exchange(front.url, { tls })).toMatchObject(expected);
    expect(front.connections()).toBe(3);
  });
});

test.each([
  ["127.0.0.1", false],
  ["localhost", "localhost"],
  ["api.invalid.", "api.invalid"],
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

// test/faults/tls-causes.test.ts shows which certificate of a real chain each code is about.
test.each([
  ["Jan  1 00:00:00 2020 GMT", "2020-01-01T00:00:00.000Z"],
  ["Bad time value", "Bad time value"],
])("the date %s of a certificate is told as %s", (date, told) => {
  const certificate = { subject: {}, issuer: {}, valid_from: date, valid_to: date };
  const own = { fitsHost: true, cameAlone: true };
  const trust = { givenBy: () => null, onlyStored: null };
  const facts = factsOf("CERT_HAS_EXPIRED", [certificate as unknown as PeerCertificate], own, trust);
  expect(facts).toMatchObject({ subject: "no name", validFrom: told, validTo: told });
});
