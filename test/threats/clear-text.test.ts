import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { leaks, planted } from "../support/planted.ts";
import { ways } from "../support/run.ts";
import { acceptance, canary } from "./places.ts";

const environment = {
  REFERRAL_TOKEN: planted.token,
  REFERRAL_USERNAME: planted.username,
  REFERRAL_SECRET: planted.secret,
};

const otherAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

/** Hosts that reach this machine, although their text is not a loopback address, and where to listen for them. */
const hosts: ReadonlyArray<readonly [string, string]> = [
  ["localhost.", "127.0.0.1"],
  ["0.0.0.0", "127.0.0.1"],
  ["[::]", "127.0.0.1"],
  ["[::ffff:127.0.0.1]", "127.0.0.1"],
  // A name could resolve to any address: the one of a machine that only has loopback stands for it.
  ...(otherAddress === undefined ? [] : [[otherAddress, otherAddress] as const]),
];

describe.each(ways)("http:// to a host that is no loopback address, %s:", (_, run) => {
  test.each(hosts)("%s exits 3, and the listener sees nobody", async (host, address) => {
    const listener = await canary(acceptance, address);
    const url = `http://${host}:${listener.port}`;
    const result = await run(["test"], { environment: { ...environment, REFERRAL_BASE_URL: url } });
    expect(result).toMatchObject({ exitCode: 3, stdout: "" });
    expect(result.stderr).toContain("--insecure-http");
    expect(leaks(result.everything)).toEqual([]);
    expect([listener.connections(), listener.received()]).toEqual([0, ""]);
  });

  test.each(hosts.filter(([host]) => /^\d+\.\d+\.\d+\.[1-9]/.test(host)))(
    "%s is allowed with --insecure-http",
    async (host, address) => {
      const listener = await canary(acceptance, address);
      const args = ["test", "--token", "--insecure-http", "--base-url", `http://${host}:${listener.port}`];
      const result = await run(args, { environment });
      expect(result, result.everything).toMatchObject({ exitCode: 0 });
      expect(listener.connections()).toBe(1);
      expect(leaks(result.everything)).toEqual([]);
    },
  );

  test("no variable and no rc key allows it permanently", async () => {
    const listener = await canary(acceptance);
    const url = `http://localhost.:${listener.port}`;
    const given = {
      ...environment,
      REFERRAL_BASE_URL: url,
      REFERRAL_INSECURE_HTTP: "1",
      INSECURE_HTTP: "true",
    };
    expect(await run(["test"], { environment: given })).toMatchObject({ exitCode: 3, stdout: "" });
    expect(listener.connections()).toBe(0);
  });

  test.each(["127.0.0.1", "127.0.0.2", "127.1", "localhost", "LOCALHOST"])(
    "%s is loopback and needs no flag",
    async (host) => {
      const listener = await canary(acceptance, host === "127.0.0.2" ? host : "127.0.0.1");
      const args = ["test", "--token", "--base-url", `http://${host}:${listener.port}`];
      expect(await run(args, { environment })).toMatchObject({ exitCode: 0 });
      expect(listener.connections()).toBe(1);
    },
  );

  test("a proxy does not allow it either: http:// is refused with one", async () => {
    const listener = await canary(acceptance);
    const proxy = `http://127.0.0.1:${listener.port}`;
    const args = ["test", "--insecure-http", "--base-url", "http://api.example.com", "--proxy", proxy];
    for (const given of [args, args.slice(0, -2)]) {
      const result = await run(given, { environment: { ...environment, http_proxy: proxy } });
      expect(result).toMatchObject({ exitCode: 3, stdout: "" });
    }
    expect(listener.connections()).toBe(0);
  });
});
