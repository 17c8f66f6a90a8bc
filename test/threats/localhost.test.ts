import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { numRuns } from "../properties/runs.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { acceptance, type Canary, canary, otherAddress } from "./places.ts";

const environment = { REFERRAL_TOKEN: planted.token };

/** The uses of `localhost`: as the host of the base URL, and as the host of a proxy. */
const places: ReadonlyArray<readonly [string, (port: number) => readonly string[]]> = [
  ["a base URL of http", (port) => ["--base-url", `http://localhost:${port}`]],
  ["one with --insecure-http", (port) => ["--insecure-http", "--base-url", `http://localhost:${port}`]],
  ["a base URL of https", (port) => ["--base-url", `https://localhost:${port}`]],
  ["a proxy", (port) => ["--base-url", "https://api.invalid", "--proxy", `http://localhost:${port}`]],
];

/** Listeners on one port of every address through which this machine can be reached. */
async function listeners(): Promise<readonly Canary[]> {
  const first = await canary(acceptance);
  return otherAddress === undefined ? [first] : [first, await canary(acceptance, otherAddress, first.port)];
}

describe.each(places)("localhost as %s", (_, argsFor) => {
  test("is refused with exit 7 if any of its addresses is not loopback, and nobody is connected to", async () => {
    const [first, other] = await listeners();
    const others = ["10.0.0.1", "::", "0.0.0.0", "::ffff:127.0.0.1", "128.0.0.1"];
    const foreign = fc.constantFrom(otherAddress ?? "192.0.2.1", ...others);
    const loopback = fc.constantFrom("127.0.0.1", "127.1.2.3", "::1");
    const before = fc.array(loopback, { maxLength: 3 });
    const after = fc.array(fc.oneof(loopback, foreign), { maxLength: 2 });
    const lists = fc
      .tuple(
        before,
        foreign.map((one) => [one]),
        after,
      )
      .map((parts) => parts.flat());

    await fc.assert(
      fc.asyncProperty(lists, async (addresses) => {
        const args = ["test", "--token", ...argsFor(first?.port ?? 0)];
        const result = await runInProcess(args, { environment, addresses });
        expect(result, addresses.join()).toMatchObject({ exitCode: 7, stderr: "" });
        expect(result.stdout).toContain("NOT_LOOPBACK");
        expect(leaks(result.everything)).toEqual([]);
        expect([first?.connections(), other?.connections() ?? 0]).toEqual([0, 0]);
      }),
      { numRuns: Math.min(numRuns, 50) },
    );
  });
});

test.each([["127.0.0.1"], ["::1", "127.0.0.1"], ["127.0.0.3", "127.0.0.1"]])(
  "localhost is connected to at a loopback address of its own: %s %s",
  async (...addresses) => {
    const listener = await canary(acceptance);
    const args = ["test", "--token", "--base-url", `http://localhost:${listener.port}`];

    const result = await runInProcess(args, { environment, addresses: addresses.filter(Boolean) });

    expect(result, result.everything).toMatchObject({ exitCode: 0, stderr: "" });
    expect(listener.connections()).toBe(1);
  },
);

test("a proxy of the environment is not used for localhost", async () => {
  const [listener, proxy] = [await canary(acceptance), await canary(acceptance)];
  const url = `http://localhost:${listener.port}`;
  const proxyUrl = `http://127.0.0.1:${proxy.port}`;
  const variables = { ...environment, http_proxy: proxyUrl, HTTPS_PROXY: proxyUrl };

  const result = await runInProcess(["test", "--base-url", url], { environment: variables });

  expect(result, result.everything).toMatchObject({ exitCode: 0, stderr: "" });
  expect([listener.connections(), proxy.connections()]).toEqual([1, 0]);
});

test("a lookup that fails or finds nothing is a failed lookup", async () => {
  const args = ["test", "--token", "--base-url", "http://localhost:1"];
  expect(await runInProcess(args, { environment, addresses: [] })).toMatchObject({ exitCode: 7, stderr: "" });
});
