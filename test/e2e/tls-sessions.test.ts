import type { TLSSocket, TlsOptions } from "node:tls";
import { describe, expect, test } from "vitest";
import { host, signed, success, trusted, trusting } from "../faults/authority.ts";
import { identity } from "../faults/certificates.ts";
import { answering, type Peer, securing } from "../faults/peers.ts";
import { tunnelsTo } from "../faults/tunnels.ts";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";
import { checksOf, plain, rcOf } from "./profiles.ts";

/** A TLS server, and whether each of its connections resumed a session. */
async function resuming(options: TlsOptions, act = success): Promise<Peer & { resumed: boolean[] }> {
  const resumed: boolean[] = [];
  const peer = await securing({ ...trusted, ...options }, (socket) => {
    resumed.push((socket as TLSSocket).isSessionReused());
    act(socket);
  });
  return { ...peer, resumed };
}

/** The outcomes of the profiles, which are checked one after the other. */
async function outcomesOf(url: string, profiles: Parameters<typeof rcOf>[1], args = trusting()) {
  const homeFolder = folderWith({ ".referralrc": rcOf(url, profiles) });
  const run = await runInProcess(["test", "--all", "--json", "--concurrency", "1", ...args], { homeFolder });
  return checksOf(run.stdout).map(({ outcome }) => outcome);
}

describe.each([
  ["TLS 1.2", { maxVersion: "TLSv1.2" }],
  ["TLS 1.3", { minVersion: "TLSv1.3" }],
] as const)("%s: a session", (_version, options) => {
  test("is resumed by the other checks of a run, each time on a new connection", async () => {
    const api = await resuming(options);
    expect(await outcomesOf(api.url, plain(3))).toEqual(Array(3).fill("accepted"));
    expect(api.resumed).toEqual([false, true, true]);
    expect([api.connections(), api.requests()]).toEqual([3, 3]);
  });

  test("is resumed by its own set of CAs, by no other and not without one", async () => {
    const [, ca = ""] = trusting();
    const [, other = ""] = trusting(identity({ commonName: "Other CA" }).cert);
    const api = await resuming(options);
    const profiles = { a: {}, b: { caCert: ca }, c: {}, d: { caCert: other }, e: { caCert: ca } };
    const [good, bad] = ["accepted", "unreachable"];
    expect(await outcomesOf(api.url, profiles, [])).toEqual([bad, good, bad, bad, good]);
    expect(api.resumed).toEqual([false, true]);
  });

  test("is not resumed by another name of the same server", async () => {
    const api = await resuming({ ...options, ...signed({ names: ["IP:127.0.0.1"] }) });
    const named = api.url.replace("127.0.0.1", "localhost");
    const outcomes = await outcomesOf(api.url, { a: {}, b: { baseUrl: named }, c: {} });
    expect(outcomes).toEqual(["accepted", "unreachable", "accepted"]);
    expect(api.resumed).toEqual([false, true]);
  });

  test("is resumed only through the same proxy, and so is the session with an https proxy", async () => {
    const api = await resuming({ ...options, ...signed({ names: ["IP:127.0.0.1", `DNS:${host}`] }) });
    const secure = await resuming(options, tunnelsTo(api));
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
