import type { TLSSocket, TlsOptions } from "node:tls";
import { describe, expect, test } from "vitest";
import { host, success as sendsSuccess, signed, trusted, trusting } from "../faults/authority.ts";
import { identity } from "../faults/certificates.ts";
import { answering, type Peer, securing } from "../faults/peers.ts";
import { tunnelsTo } from "../faults/tunnels.ts";
import { type Profiles, place, plain } from "./profiles.ts";

const accounts = 12;

/** Runs `test` over these profiles of an API. */
async function testAll(url: string, profiles: Profiles, ...args: readonly string[]) {
  return (await place({ url, profiles })).run(["--all", "--json", ...args], { waits: [] });
}

test("every account has its own connection", async () => {
  const { api, run } = await place({ profiles: plain(accounts) });

  expect((await run(["--all", "--concurrency", "3"])).exitCode).toBe(0);

  expect([api.requests.length, api.connections()]).toEqual([accounts, accounts]);
  expect(new Set(api.requests.map(({ headers }) => headers.connection))).toEqual(new Set(["close"]));
  expect(await api.openConnections()).toBe(0);
});

/** A TLS server, and whether each of its connections resumed a session. */
async function resuming(
  options: TlsOptions = {},
  act = sendsSuccess,
): Promise<Peer & { resumed: boolean[] }> {
  const resumed: boolean[] = [];
  const peer = await securing({ ...trusted, ...options }, (socket) => {
    resumed.push((socket as TLSSocket).isSessionReused());
    act(socket);
  });
  return { ...peer, resumed };
}

/** The outcomes of the profiles, which are checked one after the other. */
async function outcomesOf(url: string, profiles: Profiles, args = trusting()) {
  const run = await testAll(url, profiles, "--concurrency", "1", ...args);
  return run.checks.map(({ outcome }) => outcome);
}

// test/http/secure.test.ts has the versions of TLS.
describe("a session", () => {
  test("is resumed by its own set of CAs, by no other and not without one", async () => {
    const [, ca = ""] = trusting();
    const [, other = ""] = trusting(identity({ commonName: "Other CA" }).cert);
    const api = await resuming();
    const profiles = { a: {}, b: { caCert: ca }, c: {}, d: { caCert: other }, e: { caCert: ca } };
    const [good, bad] = ["accepted", "unreachable"];
    expect(await outcomesOf(api.url, profiles, [])).toEqual([bad, good, bad, bad, good]);
    expect(api.resumed).toEqual([false, true]);
  });

  test("is resumed only through the same proxy, and so is the session with an https proxy", async () => {
    const api = await resuming(signed({ names: ["IP:127.0.0.1", `DNS:${host}`] }));
    const secure = await resuming({}, tunnelsTo(api));
    const plainProxy = await answering(tunnelsTo(api));
    const profiles = {
      a: { proxy: plainProxy.url },
      b: { proxy: secure.url },
      c: { proxy: plainProxy.url },
      d: { proxy: secure.url },
      e: {},
      f: { proxy: secure.url, baseUrl: `https://${host}` },
    };
    expect(await outcomesOf(api.url, profiles)).toEqual(Array(6).fill("accepted"));
    expect(api.resumed).toEqual([false, false, true, true, false, false]);
    expect(secure.resumed).toEqual([false, true, true]);
  });
});
