import type { TLSSocket } from "node:tls";
import { describe, expect, test } from "vitest";
import { host, signed, success, trusting } from "../faults/authority.ts";
import { answering, securing } from "../faults/peers.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { ways } from "../support/run.ts";
import { rcOf } from "./profiles.ts";

const portOf = (url: string): string => new URL(url).port;
const environment = { REFERRAL_TOKEN: planted.token };

describe.each(ways)("--resolve, %s,", (_, run) => {
  test.each([
    ["127.0.0.1", "127.0.0.1", "127.0.0.1"],
    ["::1", "[::1]", "[::1]"],
  ])("connects to %s, written as %s, and keeps the name in Host", async (address, written, shown) => {
    const api = await answering(success, address);
    const place = `${host}:${portOf(api.url)}`;
    const args = ["test", "--base-url", `http://${place}`, "--resolve", `${place}:${written}`];
    const { exitCode, stdout } = await run(args, { environment });
    expect(exitCode, stdout).toBe(0);
    expect(stdout.replace(/\n\s+/g, " ")).toContain(`test-authentication to ${shown} (--resolve)`);
    expect(api.received()).toContain(`\r\nhost: ${place}\r\n`);
    const { checks } = await run([...args, "--json"], { environment });
    expect(checks).toMatchObject([{ connection: { address, steps: { lookup: null } } }]);
  });

  test("keeps the name for TLS", async () => {
    const told: unknown[] = [];
    const act = (socket: unknown) =>
      void told.push((socket as TLSSocket & { servername: string }).servername);
    const api = await securing(signed({ names: [`DNS:${host}`] }), (socket) => {
      act(socket);
      success(socket);
    });
    const place = `${host}:${portOf(api.url)}`;
    const named = (name: string) => ["--base-url", `https://${name}:${portOf(api.url)}`];
    const args = ["test", ...trusting(), "--resolve", `${place.toUpperCase()}:127.0.0.1`];
    expect((await run([...args, ...named(`${host}.`)], { environment })).exitCode).toBe(0);
    expect(told).toEqual([host]);
    const other = ["test", ...trusting(), "--resolve", `x${place}:127.0.0.1`, ...named(`x${host}`)];
    const refused = await run(other, { environment });
    expect([refused.exitCode, refused.stdout.includes("ERR_TLS_CERT_ALTNAME_INVALID")]).toEqual([7, true]);
  });

  test.each<[what: string, name: string, address: string, more: readonly string[], exit: number]>([
    ["a name that leads to loopback", host, "127.0.0.1", [], 0],
    ["localhost that leads elsewhere", "localhost", "192.0.2.1", [], 3],
    ["a name that leads elsewhere", host, "192.0.2.1", [], 3],
    [
      "a name that leads elsewhere, if it is allowed",
      host,
      "192.0.2.1",
      ["--insecure-http", "--timeout", "0.5"],
      8,
    ],
  ])("decides about clear text to %s", async (_, name, address, more, exit) => {
    const api = await answering(success);
    const place = `${name}:${portOf(api.url)}`;
    const args = ["--base-url", `http://${place}`, "--resolve", `${place}:${address}`];
    const { exitCode, everything } = await run(["test", ...args, ...more], { environment });
    expect(exit === 8 ? [7, 8] : [exit], everything).toContain(exitCode);
    expect(everything.includes("--resolve leads to an address that is not")).toBe(exit === 3);
  });

  // test/settings/resolution.test.ts has what is wrong with one alone.
  test("that no account uses is wrong usage, and nothing is sent; for lines of --accounts it is told at the end", async () => {
    const api = await answering(success);
    const place = `${host}:${portOf(api.url)}`;
    const args = ["test", "--base-url", `http://${place}`, "--resolve", `${place}:127.0.0.1`];
    const unused = ["--resolve", "other.invalid:443:127.0.0.1"];
    const result = await run([...args, ...unused], { environment });
    expect([result.exitCode, api.connections()], result.everything).toEqual([2, 0]);
    expect(result.stderr).toContain("--resolve");
    const stdin = `{"token":"${planted.token}"}\n`;
    expect((await run([...args, "--accounts=-"], { stdin })).exitCode).toBe(0);
    expect((await run([...args, "--accounts=-", ...unused], { stdin })).exitCode).toBe(2);
  });

  test("through a proxy is the mistake of that account", async () => {
    const api = await answering(success);
    const place = `${host}:${portOf(api.url)}`;
    const proxied = { baseUrl: "https://b.invalid", proxy: "http://127.0.0.1:1" };
    const homeFolder = folderWith({ ".referralrc": rcOf(`http://${place}`, { a: {}, b: proxied }) });
    const resolve = [place, "b.invalid:443"].flatMap((one) => ["--resolve", `${one}:127.0.0.1`]);
    const { checks } = await run(["test", "--all", "--json", ...resolve], { homeFolder });
    expect(checks.map(({ outcome }) => outcome)).toEqual(["accepted", "not-checked"]);
    expect(checks[1]?.findings[0]?.message).toContain("the proxy (proxy at ");
  });
});
