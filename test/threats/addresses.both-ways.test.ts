import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { numRuns } from "../properties/runs.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess, ways } from "../support/run.ts";
import { json, serve } from "../support/serve.ts";
import { acceptance, canary, otherAddress } from "./places.ts";

const environment = { REFERRAL_TOKEN: planted.token };

describe.each(ways)("%s,", (_, run) => {
  // test/settings/values.test.ts says which hosts are loopback, test/check/prepare/missing.txt what the error says.
  test("http:// to another machine needs --insecure-http, and no variable allows it permanently", async () => {
    // A name could resolve to any address: the one of a machine that only has loopback stands for it.
    const listener = await canary(acceptance, otherAddress ?? "127.0.0.1");
    const args = ["test", "--base-url", `http://${otherAddress ?? "0.0.0.0"}:${listener.port}`];
    for (const more of [{}, { REFERRAL_INSECURE_HTTP: "1", INSECURE_HTTP: "true" }]) {
      const result = await run(args, { environment: { ...environment, ...more } });
      expect(result).toMatchObject({ exitCode: 3, stdout: "" });
      expect(result.stderr).toContain("--insecure-http");
    }
    expect([listener.connections(), listener.received()]).toEqual([0, ""]);
    const allowed = await run([...args, "--insecure-http"], { environment });
    expect(allowed, allowed.everything).toMatchObject({ exitCode: 0 });
    expect(listener.connections()).toBe(1);
  });

  test("http:// with a proxy is refused even with --insecure-http", async () => {
    const { port, connections } = await canary(acceptance);
    const args = ["test", "--insecure-http", "--base-url", "http://api.example.com"];
    const proxy = `http://127.0.0.1:${port}`;
    const runs = [
      await run([...args, "--proxy", proxy], { environment }),
      await run(args, { environment: { ...environment, http_proxy: proxy } }),
    ];
    expect([...runs.map(({ exitCode }) => exitCode), connections()]).toEqual([3, 3, 0]);
  });

  // test/check/judge.test.ts has every status, test/check/causes/answer-cases.ts what is shown of the target.
  test.each([
    ["another origin", 307, `#/?t=${planted.token}`, "#"],
    ["another host", 301, `//elsewhere.example/for-you?t=${planted.token}`, "elsewhere.example"],
    ["itself", 302, "/elsewhere", "/elsewhere"],
  ])("a redirect to %s is not followed", async (_, status, location, shown) => {
    const other = await canary(acceptance);
    const written = (text: string) => text.replace("#", `http://127.0.0.1:${other.port}`);
    const api = await serve((_, response) => json(response, status, {}, { location: written(location) }));
    for (const more of [[], ["--json"]]) {
      const given = { environment: { ...environment, REFERRAL_BASE_URL: api.url } };
      const result = await run(["test", ...more], given);
      expect(result).toMatchObject({ exitCode: 6, stderr: "" });
      expect(result.stdout).toContain(written(shown));
      expect(result.stdout).not.toContain("?");
    }
    expect([api.requests.length, other.connections()]).toEqual([2, 0]);
  });
});

// test/settings/values.test.ts has every trick.
test("a base URL that another parser reads as another host exits 3, reaches nobody and is not repeated", async () => {
  const { port, connections } = await canary(acceptance);
  const baseUrl = `http://user:${planted.secret}@127.0.0.1:${port}/v1`;
  for (const [args, given] of [
    [["--base-url", baseUrl], {}],
    [[], { environment: { ...environment, REFERRAL_BASE_URL: baseUrl } }],
    [[], { homeFolder: folderWith({ ".referralrc": { baseUrl } }) }],
  ] as const)
    for (const command of [["test"], ["test", "--json", "--verbose"], ["config"], ["config", "--json"]]) {
      const run = await runInProcess([...command, ...args], { environment, ...given });
      expect(run.exitCode).toBe(3);
      expect(run.everything.replace(/\s+/g, " ")).toContain("contains user information");
    }
  expect(connections()).toBe(0);
});

// test/http/lookup.test.ts has the rule.
test.each<[string, (url: string) => readonly string[]]>([
  ["a base URL of http", (url) => ["--base-url", `http:${url}`]],
  ["one with --insecure-http", (url) => ["--insecure-http", "--base-url", `http:${url}`]],
  ["a base URL of https", (url) => ["--base-url", `https:${url}`]],
  ["a proxy", (url) => ["--base-url", "https://api.invalid", "--proxy", `http:${url}`]],
])("localhost as %s is not connected to if any of its addresses is not loopback", async (_, argsFor) => {
  // On every IPv4 address through which this machine can be reached.
  const { port, connections } = await canary(acceptance, "0.0.0.0");
  const args = ["test", ...argsFor(`//localhost:${port}`)];
  const others = ["10.0.0.1", "::", "0.0.0.0", "::ffff:127.0.0.1", "128.0.0.1"];
  const foreign = fc.constantFrom(otherAddress ?? "192.0.2.1", ...others);
  const loopback = fc.constantFrom("127.0.0.1", "127.1.2.3", "::1");
  const lists = fc.tuple(
    fc.array(loopback, { maxLength: 3 }),
    foreign,
    fc.array(fc.oneof(loopback, foreign)),
  );
  await fc.assert(
    fc.asyncProperty(lists, async ([before, one, after]) => {
      const result = await runInProcess(args, { environment, addresses: [...before, one, ...after] });
      expect(result).toMatchObject({ exitCode: 7, stderr: "" });
      expect(result.stdout).toContain("NOT_LOOPBACK");
      expect(connections()).toBe(0);
    }),
    { numRuns: Math.min(numRuns, 20) },
  );
});

test("localhost is connected to at any loopback address of its own, and not through a proxy", async () => {
  const [{ port, connections }, proxy] = [await canary(acceptance), await canary(acceptance)];
  const given = { ...environment, http_proxy: `http://127.0.0.1:${proxy.port}` };
  const args = ["test", "--base-url", `http://localhost:${port}`];
  const result = await runInProcess(args, {
    environment: given,
    addresses: ["127.0.0.3", "::1", "127.0.0.1"],
  });
  expect(result, result.everything).toMatchObject({ exitCode: 0, stderr: "" });
  expect([connections(), proxy.connections()]).toEqual([1, 0]);
});

// test/settings/proxy.test.ts has the rule.
test("a proxy whose user information cannot be sent is an error, and nothing is sent to it", async () => {
  const { port, connections } = await canary("HTTP/1.1 407 No\r\n\r\n");
  const args = ["test", "--base-url", "https://a.invalid"];
  for (const user of ["us%ffer:pw", "us%3aer:pw", "user:p%0aw"]) {
    const given = { environment: { ...environment, HTTPS_PROXY: `http://${user}@127.0.0.1:${port}` } };
    const stderr = expect.stringContaining("user");
    expect(await runInProcess(args, given)).toMatchObject({ exitCode: 3, stderr });
  }
  expect(connections()).toBe(0);
});
