import { describe, expect, test } from "vitest";
import { leaks } from "../support/planted.ts";
import { runAsChild, runInProcess } from "../support/run.ts";
import { api, host, success, trusting } from "./authority.ts";
import { aMoment, check, methods } from "./faults.ts";
import { answering } from "./peers.ts";
import { tunnelsTo } from "./tunnels.ts";

type Row = readonly [title: string, environment: (proxy: string) => Readonly<Record<string, string>>];

// test/settings/proxy.test.ts has the whole rule.
const proxied: readonly Row[] = [
  ["HTTPS_PROXY", (proxy) => ({ HTTPS_PROXY: proxy })],
  ["NO_PROXY for another host", (proxy) => ({ HTTPS_PROXY: proxy, NO_PROXY: "localhost,other.invalid" })],
];

const direct: readonly Row[] = [
  ["HTTP_PROXY", (proxy) => ({ HTTP_PROXY: proxy, http_proxy: proxy })],
  ["NO_PROXY for the host", (proxy) => ({ HTTPS_PROXY: proxy, NO_PROXY: host })],
];

/** Runs against the name that only the proxy can reach, and gives what each side saw. */
async function runBehind([, environment]: Row, method: (typeof methods)[number], run = runInProcess) {
  const target = await api();
  const proxy = await answering(tunnelsTo(target));
  // A machine without a network may be slow to say that there is no such name.
  const args = [...trusting(), "--timeout", "25"];
  const peer = { ...target, url: `https://${host}`, args, environment: environment(proxy.url) };
  const result = await check(peer, method, run);
  await aMoment();
  expect(leaks(result.everything + proxy.received())).toEqual([]);
  expect(result.stderr).toBe("");
  return { result, connections: [proxy.connections(), target.connections()] };
}

describe.each(methods)("the environment's proxy, %s:", (method) => {
  test.each(proxied)("%s leads through it", async (...row) => {
    const { result, connections } = await runBehind(row, method);

    expect(result.exitCode).toBe(0);
    expect(connections).toEqual([1, 1]);
  });

  test.each(direct)("%s leads past it", async (...row) => {
    const { result, connections } = await runBehind(row, method);

    expect(result.exitCode).toBe(7);
    expect(result.stdout).toContain(host);
    expect(connections).toEqual([0, 0]);
  });

  test("HTTPS_PROXY leads a child through it, and NO_PROXY past it", async () => {
    const through = await runBehind(proxied[0] as Row, method, runAsChild);
    const past = await runBehind(direct[1] as Row, method, runAsChild);

    expect([through.result.exitCode, past.result.exitCode]).toEqual([0, 7]);
    expect([through.connections, past.connections]).toEqual([
      [1, 1],
      [0, 0],
    ]);
  });

  test.each(["http", "https"])("a loopback address is reached past it over %s", async (scheme) => {
    const target = scheme === "https" ? await api() : await answering(success);
    const proxy = await answering(tunnelsTo(target));
    const environment = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, http_proxy: proxy.url };

    const result = await check({ ...target, args: trusting(), environment }, method, runInProcess);

    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect([proxy.connections(), target.connections(), target.requests()]).toEqual([0, 1, 1]);
  });
});
