import { expect, test } from "vitest";
import { ipv4, lingers, type Network, openNetwork, type Ran, to, type Wanted } from "./network.ts";
import { base, checksOf, curlCommand, ourCommand, token } from "./programs.ts";

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

test.concurrent("eight accounts on eight hosts are accepted if the first name server is dead", async () => {
  await using network = await openNetwork({
    zone: { "*": server },
    nameservers: [ipv4(to.blackHole), "127.0.0.1"],
  });
  const urls = good.map((name) => curlCommand(network, base(443, name), 8).at(-1) ?? "");
  const [curl, ours] = await Promise.all([
    network.run([...curlCommand(network, base(443, good[0]), 8), "--parallel", ...urls]),
    checkAll(network, good, 8),
  ]);
  expect(curl.exitCode).toBe(0);
  expect(outcomesOf(ours), `curl took ${curl.ms} ms, ours ${ours.ms} ms`).toEqual(all(good, "accepted"));
});

test.concurrent("two accounts of a dead zone cost the good ones nothing, and the run ends with whole reports", async () => {
  const some = dead.slice(0, 2);
  await using network = await openNetwork(deadZone);
  const ours = await checkAll(network, [...some, ...good], 1, ["--retry", "1", "--junit", "/dev/stderr"]);
  expect(outcomesOf(ours)).toEqual({ ...all(some, "timeout"), ...all(good, "accepted") });
  expect(ours).toMatchObject({ exitCode: 8, stderr: expect.stringMatching(/<\/testsuites>\s*$/) });
  expect(lingers(ours)).toBe(false);
});

test.concurrent("64 lookups that hang do not delay the one of another name", async () => {
  const [one = ""] = good;
  await using network = await openNetwork(deadZone);
  const ours = await checkAll(network, [...dead, one], 5, ["--concurrency", "65"]);
  expect(outcomesOf(ours)).toEqual({ ...all(dead, "timeout"), [one]: "accepted" });
  // Behind a lookup that hangs, it would begin when that one gives up.
  const [ofGood = Infinity, ...hanging] = checksOf(ours)
    .toSorted((a, b) => Number(b.profile === one) - Number(a.profile === one))
    .map(({ request }) => request.durationMs);
  expect(ofGood).toBeLessThan(Math.min(...hanging) / 2);
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
