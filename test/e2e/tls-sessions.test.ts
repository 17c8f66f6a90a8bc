import { join } from "node:path";
import type { TLSSocket, TlsOptions } from "node:tls";
import { describe, expect, test } from "vitest";
import { authorityCertificate, host, signed, success, trusted } from "../faults/authority.ts";
import { identity } from "../faults/certificates.ts";
import { answering, type Peer, securing } from "../faults/peers.ts";
import { tunnelsTo } from "../faults/tunnels.ts";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";
import { checksOf, plain, rcOf } from "./profiles.ts";

const versions = [
  ["TLS 1.2", { maxVersion: "TLSv1.2" }],
  ["TLS 1.3", { minVersion: "TLSv1.3" }],
] as const;

/** A TLS server, and whether each of its connections resumed a session. */
async function resuming(options: TlsOptions, act = success): Promise<Peer & { resumed: boolean[] }> {
  const resumed: boolean[] = [];
  const peer = await securing({ ...trusted, ...options }, (socket) => {
    resumed.push((socket as TLSSocket).isSessionReused());
    act(socket);
  });
  return { ...peer, resumed };
}

/** A file of the CA's certificate, and one of a CA that signed nothing here. */
const caFiles = () => {
  const folder = folderWith({
    "ca.pem": authorityCertificate,
    "other.pem": identity({ commonName: "Other CA" }).cert,
  });
  return { ca: join(folder, "ca.pem"), other: join(folder, "other.pem") };
};

/** Checks the profiles one after the other. */
function testAll(url: string, profiles: Parameters<typeof rcOf>[1], ...args: readonly string[]) {
  return runInProcess(["test", "--all", "--json", "--concurrency", "1", ...args], {
    homeFolder: folderWith({ ".referralrc": rcOf(url, profiles) }),
  });
}

const outcomes = (stdout: string) => checksOf(stdout).map(({ outcome }) => outcome);

describe.each(versions)("%s", (_version, options) => {
  test("a run resumes the session of the origin, each time on a new connection", async () => {
    const api = await resuming(options);

    const run = await testAll(api.url, plain(5), "--ca-cert", caFiles().ca);

    expect(run.exitCode).toBe(0);
    expect(api.resumed).toEqual([false, true, true, true, true]);
    expect([api.connections(), api.requests()]).toEqual([5, 5]);
  });

  test.each(["none", "other"] as const)(
    "a session is resumed by its own set of CAs, not by %s",
    async (set) => {
      const { ca, other } = caFiles();
      const without = set === "none" ? {} : { caCert: other };
      const verdict = { good: "accepted", bad: "unreachable" };
      const orders = [
        ["good", "bad", "good", "bad"],
        ["bad", "good", "bad", "good"],
      ] as const;
      for (const order of orders) {
        const api = await resuming(options);
        const profiles = order.map((kind, index) => [
          `p${index}`,
          kind === "good" ? { caCert: ca } : without,
        ]);

        const run = await testAll(api.url, Object.fromEntries(profiles));

        expect(run.exitCode).toBe(7);
        expect(outcomes(run.stdout)).toEqual(order.map((kind) => verdict[kind]));
        expect(api.resumed).toEqual([false, true]);
      }
    },
  );

  test("a session is not resumed by another name of the same server", async () => {
    const api = await resuming({ ...options, ...signed({ names: ["IP:127.0.0.1"] }) });
    const named = api.url.replace("127.0.0.1", "localhost");

    const run = await testAll(api.url, { a: {}, b: { baseUrl: named }, c: {} }, "--ca-cert", caFiles().ca);

    expect(outcomes(run.stdout)).toEqual(["accepted", "unreachable", "accepted"]);
    expect(api.resumed).toEqual([false, true]);
  });

  test("a session is resumed only through the same proxy, and so is the session with an https proxy", async () => {
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

    const run = await testAll(api.url, profiles, "--ca-cert", caFiles().ca);

    expect(outcomes(run.stdout)).toEqual(Array(6).fill("accepted"));
    expect(api.resumed).toEqual([false, false, true, true, false, false]);
    expect(secure.resumed).toEqual([false, true, true]);
  });
});
