import { describe, expect, test } from "vitest";
import { leaks } from "../support/planted.ts";
import { runInProcess, ways } from "../support/run.ts";
import { api, signed, success, trusted, trusting } from "./authority.ts";
import { aMoment, check, methods } from "./faults.ts";
import { type Act, answering, securing } from "./peers.ts";
import { behind, tunnelsTo } from "./tunnels.ts";

describe.each(methods)("a proxy that connects, %s,", (method) => {
  const proxies = [
    { scheme: "http", serve: answering },
    { scheme: "https", serve: (act: Act) => securing(trusted, act) },
  ];
  const cases = ways.flatMap(([way, run]) => proxies.map((proxy) => ({ way, run, ...proxy })));

  test.each(cases)("over $scheme, exits 0 and learns the host alone, $way", async ({ run, serve }) => {
    const target = await api();
    const proxy = await serve(tunnelsTo(target));

    const result = await check(await behind(proxy), method, run);

    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(proxy.received()).toMatch(/^CONNECT api\.invalid:443 HTTP\/1\.1\r\nhost: api\.invalid:443\r\n/);
    expect(leaks(result.everything + proxy.received())).toEqual([]);
    await aMoment();
    expect([proxy, target].flatMap((peer) => [peer.connections(), peer.requests()])).toEqual([1, 1, 1, 1]);
  });

  test.each(["an http base URL", "an http base URL of another host"])(
    "is never asked for %s, which it could read",
    async (title) => {
      const target = await answering(success);
      const proxy = await answering(tunnelsTo(target));
      const url = title.endsWith("host") ? "http://api.example.com" : target.url;
      const args = ["--proxy", proxy.url, "--insecure-http"];

      const result = await check({ ...target, url, args }, method, runInProcess);

      expect(result).toMatchObject({ exitCode: 3, stdout: "" });
      expect(result.stderr).toContain("--proxy is set, and a proxy could read");
      expect(leaks(result.everything)).toEqual([]);
      await aMoment();
      expect([proxy.connections(), target.connections()]).toEqual([0, 0]);
    },
  );
});

test("a proxy learns a host that is an IPv6 address in brackets", async () => {
  const target = await securing(signed({ names: ["DNS:localhost"] }), success);
  const proxy = await answering(tunnelsTo(target));
  const args = [...trusting(), "--proxy", proxy.url];

  const result = await check({ ...target, url: "https://[2001:db8::1]:8443", args }, "token", runInProcess);

  expect(proxy.received()).toMatch(
    /^CONNECT \[2001:db8::1\]:8443 HTTP\/1\.1\r\nhost: \[2001:db8::1\]:8443\r\n/,
  );
  // The server behind the proxy has a certificate for another name.
  expect(result).toMatchObject({ exitCode: 7, stderr: "" });
  expect(result.stdout).toContain("ERR_TLS_CERT_ALTNAME_INVALID");
});

test("a proxy gets the user and password of its URL, and nobody else does or sees them", async () => {
  const target = await api();
  const proxy = await answering(tunnelsTo(target));
  const peer = await behind(proxy);
  const url = proxy.url.replace("//", "//user%40corp:pl4nted%3Apass@");
  const args = (peer.args ?? []).map((arg) => (arg === proxy.url ? url : arg));

  const result = await check({ ...peer, args: [...args, "--verbose"] }, "token", runInProcess);
  const config = await runInProcess(["config", "--base-url", "https://api.example", "--proxy", url]);

  expect(result.exitCode).toBe(0);
  const basic = Buffer.from("user@corp:pl4nted:pass").toString("base64");
  expect(proxy.received()).toContain(`proxy-authorization: Basic ${basic}\r\n`);
  expect(target.received()).not.toContain("proxy-authorization");
  expect(config.stdout).toContain("[secret]@127.0.0.1");
  for (const hidden of ["pl4nted", basic])
    expect(result.everything + config.everything).not.toContain(hidden);
});
