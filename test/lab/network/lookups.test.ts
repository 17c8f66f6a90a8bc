import { expect, test } from "vitest";
import { ipv4, lingers, type Network, openNetwork, type Ran, to, type Wanted } from "./network.ts";
import { base, checksOf, ourCommand, token } from "./programs.ts";

const server = { addresses: [ipv4(to.server)] };
const hosts = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}.example.com`);

/** The outcome of each account, by its host. */
const outcomesOf = (ran: Ran): Readonly<Record<string, string>> =>
  Object.fromEntries(checksOf(ran).map(({ profile, outcome }) => [profile, outcome]));

const all = (names: readonly string[], outcome: string) =>
  Object.fromEntries(names.map((name) => [name, outcome]));

/** Checks an account on each host, in this order, with this deadline in seconds; a shell runs the program as `"$@"`. */
function checkAll(
  network: Network,
  names: readonly string[],
  timeout: number,
  args: readonly string[] = [],
  script = 'exec "$@"',
): Promise<Ran> {
  const lines = names.map((profile) => JSON.stringify({ profile, baseUrl: base(443, profile), token }));
  const command = ourCommand(network, timeout, ["--accounts", "-", ...args]);
  return network.run(["bash", "-c", script, "bash", ...command], {}, lines.join("\n"));
}

const [dead, good] = [hosts("dead", 64), hosts("api", 8)];
const deadZone: Wanted = {
  zone: { "*": server, ...Object.fromEntries(dead.map((name) => [name, { fails: "silence" }])) },
};

test.concurrent("two accounts of a dead zone cost the good ones nothing, and the run ends with whole reports", async () => {
  const some = dead.slice(0, 2);
  await using network = await openNetwork(deadZone);
  const ours = await checkAll(network, [...some, ...good], 1, ["--retry", "1", "--junit", "/dev/stderr"]);
  expect(outcomesOf(ours)).toEqual({ ...all(some, "timeout"), ...all(good, "accepted") });
  expect(ours).toMatchObject({ exitCode: 8, stderr: expect.stringMatching(/<\/testsuites>\s*$/) });
  expect(lingers(ours)).toBe(false);
});

test.concurrent("a run that ends while lookups hang loses nothing that a slow reader has not read yet", async () => {
  const names = [...dead, ...dead, ...dead];
  await using network = await openNetwork(deadZone);
  const script = 'set -o pipefail; "$@" | { sleep 3; cat; }';
  const ours = await checkAll(network, names, 0.5, ["--concurrency", "64"], script);
  expect(checksOf(ours).map(({ outcome }) => outcome)).toEqual(names.map(() => "timeout"));
  // What one write to a pipe takes.
  expect(ours.stdout.length).toBeGreaterThan(65_536);
  expect(ours.exitCode).toBe(8);
});
